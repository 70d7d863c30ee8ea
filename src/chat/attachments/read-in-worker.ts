import {
  DOCUMENT_READER_FOLDER,
  DOCUMENT_WORKER,
  type DocumentRequest,
  type DocumentResponse,
  type DocumentWorkerLoaded,
  type ReadDocument,
} from '../../shared/documents/document-reading.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { appStrings } from '../strings/app-strings.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';

/** Milliseconds after which reading is given up. A malicious file could take forever. */
const READING_TIME = 60_000;

/** Milliseconds after which a worker that has nothing to do is terminated. */
const IDLE_TIME = 10_000;

/** A worker that has read a document and can read the next one; null if there is none. */
let idle: { readonly worker: Worker; readonly timer: ReturnType<typeof setTimeout> } | null = null;

/**
 * Reads a document in a worker. If that fails, the worker is terminated, because it may still be busy.
 * @throws Error that tells the user why there is no text.
 * @throws the signal's reason if it aborts before the document is read.
 */
export async function readInWorker(request: DocumentRequest, signal: AbortSignal): Promise<ReadDocument> {
  const worker = takeWorker();
  const listening = new AbortController();
  try {
    const responded = new Promise<DocumentResponse>((resolve, reject) => {
      const { signal: until } = listening;
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<DocumentResponse | DocumentWorkerLoaded>) => {
          if (data.type !== 'loaded') resolve(data);
        },
        { signal: until },
      );
      // The worker's script could not be loaded, or its memory is exhausted.
      worker.addEventListener('error', () => reject(new Error(appStrings.partFailed)), { signal: until });
    });
    worker.postMessage(request);
    const response = await withAbort(withTimeout(READING_TIME, responded, null), signal);
    if (response !== null) keepWorker(worker);
    if (response?.type === 'read') return response.document;
    throw new Error(problemOf(response, request));
  } finally {
    listening.abort();
    if (idle?.worker !== worker) worker.terminate();
  }
}

function problemOf(
  response: Exclude<DocumentResponse, { readonly type: 'read' }> | null,
  { largest }: DocumentRequest,
): string {
  if (response?.type === 'unreadable') return attachmentStrings.unreadable;
  if (response?.type === 'notLoaded') return appStrings.partFailed;
  return attachmentStrings.documentProblems(largest)[response?.problem ?? 'tooSlow'];
}

function takeWorker(): Worker {
  const taken = idle?.worker;
  clearTimeout(idle?.timer);
  idle = null;
  if (taken !== undefined) return taken;
  const script = new URL(DOCUMENT_READER_FOLDER + DOCUMENT_WORKER, document.baseURI);
  return new Worker(script, { type: 'module', name: 'document' });
}

function keepWorker(worker: Worker): void {
  idle?.worker.terminate();
  clearTimeout(idle?.timer);
  const timer = setTimeout(() => {
    worker.terminate();
    idle = null;
  }, IDLE_TIME);
  idle = { worker, timer };
}
