import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentText } from '../../shared/documents/document-reading.ts';
import { TextBuilder } from '../text-builder.ts';
import { linesOf, type Line } from './page-lines.ts';
import { pageContent, type PageContent } from './page-pieces.ts';
import { pageText } from './page-text.ts';
import { withoutRepeatedLines } from './repeated-lines.ts';

/** How a document is read. */
export interface PageReading {
  /** Number of characters after which no further page is read. */
  readonly most: number;
  /** Whether a form feed stands after each page, also an empty one. Default: an empty line separates those with text. */
  readonly marksPages?: boolean;
  /** Returns whether there is time for a further page. */
  readonly hasTime: () => boolean;
  /**
   * Waits for a step of pdf.js.
   * @throws if the step takes too long, which ends the reading.
   */
  readonly inTime: <Value>(step: Promise<Value>) => Promise<Value>;
  /** Whether an error ends the reading. After others, the text of the other pages is read. */
  readonly isFinal: (thrown: unknown) => boolean;
}

/**
 * Reads the pages of a PDF in the order of reading: text, values of forms, then comments.
 * @throws the error of a page if no page has text.
 */
export async function readPages(file: PDFDocumentProxy, reading: PageReading): Promise<DocumentText> {
  const out = new TextBuilder(reading.most, reading.marksPages);
  const pages: (PageContent & { readonly number: number; readonly lines: readonly Line[] })[] = [];
  let length = 0;
  let problem: unknown = null;
  let number = 1;
  for (; number <= file.numPages && length < reading.most && reading.hasTime(); number += 1) {
    try {
      const page = await reading.inTime(file.getPage(number));
      const content = await reading.inTime(pageContent(page));
      page.cleanup();
      if (isEmpty(content)) out.leave('pageWithoutText');
      else pages.push({ ...content, number, lines: linesOf(content.pieces) });
      length += content.pieces.reduce((sum, { text }) => sum + text.length, content.turned.length);
    } catch (thrown) {
      problem = thrown;
      out.leave('brokenPart');
      if (reading.isFinal(thrown)) break;
    }
  }
  const lines = withoutRepeatedLines(pages);
  let ended = 0;
  for (const [index, { number, turned, comments }] of pages.entries()) {
    for (; ended < number - 1; ended += 1) out.endPage();
    out.text(pageText(lines[index]!));
    out.paragraph();
    out.text(turned.trim());
    out.paragraph();
    for (const comment of comments) {
      out.line();
      out.text(`[${comment}]`);
    }
  }
  for (; ended < number - 1; ended += 1) out.endPage();
  const read = out.finish();
  if (read.text === '' && problem !== null) throw problem;
  return { ...read, isCut: read.isCut || number <= file.numPages };
}

function isEmpty({ pieces, turned, comments }: PageContent): boolean {
  return pieces.length === 0 && turned.trim() === '' && comments.length === 0;
}
