import { readDocument } from '../../../src/document-reader/read-document.ts';
import { UnreadableDocument } from '../../../src/document-reader/unreadable-document.ts';
import { unreadable } from '../../../src/engine-worker/documents/reading/reading-problems.ts';
import { isPdf } from '../../../src/shared/documents/is-pdf.ts';
import { readPdfBytes } from '../read-pdf-bytes.ts';

/** Reads a document as the worker of a page does, but in this process. */
export async function readInProcess(file: Blob, name: string): Promise<string> {
  const options = { name, most: 1_000_000, largest: 1_000_000, languages: ['en'], pageTime: 60_000, marksPages: true };
  try {
    if (await isPdf(file)) return (await readPdfBytes(new Uint8Array(await file.arrayBuffer()), true)).text;
    return (await readDocument(file, options)).text;
  } catch (thrown) {
    throw unreadable(thrown instanceof UnreadableDocument ? thrown.problem : 'damaged');
  }
}
