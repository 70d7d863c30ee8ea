import { isPdf } from '../shared/documents/is-pdf.ts';
import type { DocumentRequest, DocumentResponse, DocumentWorkerLoaded } from '../shared/documents/document-reading.ts';
import { holdLivenessLock } from '../shared/locks/liveness-lock.ts';
import { readDocument } from './read-document.ts';
import { UnreadableDocument } from './unreadable-document.ts';

/** From a page that has started this worker for the engine. */
interface EnginePort {
  readonly port: MessagePort;
  /** The lock to hold while this worker lives. */
  readonly lockName: string;
}

addEventListener('message', async ({ data }: MessageEvent<DocumentRequest | EnginePort>) => {
  if ('port' in data) await serveEngine(data);
  else postMessage(await respond(data));
});
// The page keeps the engine's port until it gets this, so that it can report a script that cannot be loaded.
postMessage({ type: 'loaded' } satisfies DocumentWorkerLoaded);

async function serveEngine({ port, lockName }: EnginePort): Promise<void> {
  await holdLivenessLock(lockName);
  port.addEventListener('message', async ({ data }: MessageEvent<DocumentRequest>) => {
    port.postMessage(await respond(data));
  });
  port.start();
  port.postMessage({ type: 'started' });
}

async function respond({ file, ...options }: DocumentRequest): Promise<DocumentResponse> {
  try {
    if (!(await isPdf(file))) return { type: 'read', document: await readDocument(file, options) };
    if (file.size > options.largest) return { type: 'problem', problem: 'tooLarge' };
    const pdf = await import('./pdf/read-pdf.ts').catch(() => null);
    if (pdf === null) return { type: 'notLoaded' };
    return { type: 'read', document: await pdf.readPdf(await file.arrayBuffer(), options) };
  } catch (thrown) {
    if (thrown instanceof UnreadableDocument) return { type: 'problem', problem: thrown.problem };
    if (thrown instanceof DOMException) return { type: 'unreadable' };
    // A library failed in a way that its documentation does not name, such as a stack overflow.
    console.info('A document could not be read.', thrown);
    return { type: 'problem', problem: 'damaged' };
  }
}
