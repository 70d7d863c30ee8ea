import { isPdf } from './is-pdf.ts';
import { UnreadableDocument, type DocumentProblem } from './readers/document.ts';
import { readDocument, type ReadDocument, type ReadingOptions } from './readers/read-document.ts';

/** The only kind of message that this worker receives. */
export interface DocumentRequest extends ReadingOptions {
  readonly file: Blob;
  /** Address of the site's root. */
  readonly root: string;
}

/** The only message of this worker. */
export type DocumentResponse =
  | { readonly type: 'read'; readonly document: ReadDocument }
  | { readonly type: 'problem'; readonly problem: DocumentProblem }
  /** The browser may not read the file. */
  | { readonly type: 'unreadable' }
  /** The reader of PDFs could not be loaded. */
  | { readonly type: 'notLoaded' };

addEventListener('message', async ({ data }: MessageEvent<DocumentRequest>) => {
  postMessage(await respond(data));
});

async function respond({ file, root, ...options }: DocumentRequest): Promise<DocumentResponse> {
  try {
    if (!(await isPdf(file))) return { type: 'read', document: await readDocument(file, options) };
    if (file.size > options.largest) return { type: 'problem', problem: 'tooLarge' };
    const pdf = await import('./readers/pdf/read-pdf.ts').catch(() => null);
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
