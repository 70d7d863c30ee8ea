import { plainText } from '../../../shared/documents/plain-text.ts';
import type { ReadDocument } from './document-reader.ts';
import { unreadable } from './reading-problems.ts';

/**
 * Returns the text of a file. Plain text in UTF-8, or in UTF-16 with a byte order mark, is decoded here, without a page.
 * Its line ends become line feeds, also `\r\r\n`, which some programs write. Form feeds end the pages of a PDF and the
 * slides of a presentation.
 * @param site Root address of the site whose reader of documents is used.
 * @throws UnreadableFile if the file has no text that can be read.
 * @throws ApiError if the reader cannot be used at the moment.
 */
export async function readFileText(
  content: Blob,
  { filename, site, read }: { readonly filename: string; readonly site: string; readonly read: ReadDocument },
): Promise<string> {
  const text = await plainText(content, filename);
  if (text === null) return read(content, filename, site);
  if (text.trim() === '') throw unreadable('noText');
  // Without the look-behind, a run of carriage returns would be read to its end from each of them.
  return text.replace(/(?<!\r)\r+\n|\r/g, '\n');
}
