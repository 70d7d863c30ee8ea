import { isPdf } from '../../../shared/documents/is-pdf.ts';
import { textFormat } from '../../../shared/documents/text-format.ts';
import type { ReadDocument } from './document-reader.ts';
import { unreadable } from './reading-problems.ts';

/** Beginning of a text by which its format is recognised, in characters. */
const HEAD = 20_000;

/** Formats that are plain text with marks, which the reader of documents removes. */
const MARKED_TEXT = /\.(?:srt|vtt|ass|ssa|rtf)$/i;

/**
 * Returns the text of a file. Plain text in UTF-8, or in UTF-16 with a byte order mark, is decoded here, and line ends
 * become line feeds; no page is needed for it. Form feeds end the pages of a PDF and the slides of a presentation.
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
  return text.replace(/\r\n?/g, '\n');
}

/** Decodes a file; null if it is no plain text in a Unicode encoding. */
async function plainText(content: Blob, filename: string): Promise<string | null> {
  if (MARKED_TEXT.test(filename) || (await isPdf(content))) return null;
  const bytes = new Uint8Array(await content.arrayBuffer());
  const text = decode(bytes);
  if (text === null || text.includes('\0') || text.startsWith('{\\rtf')) return null;
  return textFormat(text.slice(0, HEAD), filename) === 'plain' ? text : null;
}

function decode(bytes: Uint8Array<ArrayBuffer>): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
