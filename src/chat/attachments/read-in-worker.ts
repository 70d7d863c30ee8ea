import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { appStrings } from '../strings/app-strings.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';
import type { DocumentRequest, DocumentResponse } from './document-worker.ts';
import type { ReadDocument } from './readers/read-document.ts';

/** Milliseconds after which reading is given up. A malicious file could take forever. */
const READING_TIME = 60_000;

/**
 * Reads a document in a worker of its own, which is terminated afterwards even if it is busy.
 * @throws Error that tells the user why there is no text.
 * @throws the signal's reason if it aborts before the document is read.
 */
export async function readInWorker(request: DocumentRequest, signal: AbortSignal): Promise<ReadDocument> {
  const worker = new Worker(new URL('./document-worker.ts', import.meta.url), { type: 'module', name: 'document' });
  try {
    const responded = new Promise<DocumentResponse>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<DocumentResponse>) => resolve(data));
      // The worker's script could not be loaded, or its memory is exhausted.
      worker.addEventListener('error', () => reject(new Error(appStrings.partFailed)));
    });
    worker.postMessage(request);
    const response = await withAbort(withTimeout(READING_TIME, responded, null), signal);
    if (response === null) throw new Error(attachmentStrings.documentTooSlow);
    if (response.type === 'read') return response.document;
    throw new Error(
      response.type === 'unreadable'
        ? attachmentStrings.unreadable
        : attachmentStrings.documentProblems(request.largest)[response.problem],
    );
  } finally {
    worker.terminate();
  }
}
