import { appStrings } from '../strings/app-strings.ts';
import type { ImportMessage } from './import-worker.ts';
import { hasConversations, ImportFailure } from './read-import-file.ts';

/**
 * Runs {@link readImportFile} in a worker, so that the page stays responsive. The chats arrive one by one.
 * @throws ImportFailure as {@link readImportFile} does; Error if the worker fails to load.
 */
export async function readInWorker(file: Blob): Promise<readonly unknown[]> {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module', name: 'import' });
  try {
    return await new Promise((resolve, reject) => {
      const documents: unknown[] = [];
      worker.addEventListener('error', () => reject(new Error(appStrings.partFailed)));
      worker.addEventListener('message', ({ data }: MessageEvent<ImportMessage>) => {
        if (data.type === 'document') documents.push(data.document);
        else if (data.type === 'entry') listOf(documents.at(-1)).push(data.entry);
        else if (data.type === 'end') resolve(documents);
        else reject(new ImportFailure(data.reason));
      });
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
}

function listOf(document: unknown): unknown[] {
  if (Array.isArray(document)) return document;
  if (hasConversations(document)) return document.conversations;
  throw new Error('This document has no list.');
}
