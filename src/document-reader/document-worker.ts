import { isPdf } from '../shared/documents/is-pdf.ts';
import type { DocumentRequest, DocumentResponse } from '../shared/documents/document-reading.ts';
import { readDocument } from './read-document.ts';
import { UnreadableDocument } from './unreadable-document.ts';

addEventListener('message', async ({ data }: MessageEvent<DocumentRequest>) => {
  postMessage(await respond(data));
});

async function respond({ file, root, ...options }: DocumentRequest): Promise<DocumentResponse> {
  try {
    if (!(await isPdf(file))) return { type: 'read', document: await readDocument(file, options) };
    if (file.size > options.largest) return { type: 'problem', problem: 'tooLarge' };
    const pdf = await import('./pdf/read-pdf.ts').catch(() => null);
    if (pdf === null) return { type: 'notLoaded' };
    return { type: 'read', document: await pdf.readPdf(await file.arrayBuffer(), options.most, root) };
  } catch (thrown) {
    if (thrown instanceof UnreadableDocument) return { type: 'problem', problem: thrown.problem };
    if (thrown instanceof DOMException) return { type: 'unreadable' };
    // A library failed in a way that its documentation does not name, such as a stack overflow.
    console.info('A document could not be read.', thrown);
    return { type: 'problem', problem: 'damaged' };
  }
}
