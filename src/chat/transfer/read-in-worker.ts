import { appStrings } from '../strings/app-strings.ts';
import type { ImportMessage } from './import-worker.ts';
import { hasConversations, ImportFailure } from './read-import-file.ts';

/**
 * Runs {@link readImportFile} in a worker, so that the page stays responsive. The chats arrive one by one, and a document
 * only when the caller wants it, so that a large file does not fill the memory.
 * @throws ImportFailure as {@link readImportFile} does; Error if the worker fails to load.
 */
export async function* readInWorker(file: Blob): AsyncGenerator {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module', name: 'import' });
  try {
    for (let request: Blob | null = file; ; request = null) {
      const document = await nextDocument(worker, request);
      if (document === null) return;
      yield document.value;
    }
  } finally {
    worker.terminate();
  }
}

/** Returns the next document of the file; null if there is none. */
function nextDocument(worker: Worker, request: Blob | null): Promise<{ readonly value: unknown } | null> {
  const listening = new AbortController();
  const { signal } = listening;
  const document = new Promise<{ readonly value: unknown } | null>((resolve, reject) => {
    let value: unknown;
    const read = ({ data }: MessageEvent<ImportMessage>): void => {
      if (data.type === 'document') value = data.document;
      else if (data.type === 'entry') listOf(value).push(data.entry);
      else if (data.type === 'complete') resolve({ value });
      else if (data.type === 'end') resolve(null);
      else reject(new ImportFailure(data.reason));
    };
    worker.addEventListener('error', () => reject(new Error(appStrings.partFailed)), { signal });
    worker.addEventListener('message', read, { signal });
  });
  worker.postMessage(request);
  return document.finally(() => listening.abort());
}

function listOf(document: unknown): unknown[] {
  if (Array.isArray(document)) return document;
  if (hasConversations(document)) return document.conversations;
  throw new Error('This document has no list.');
}
