import { isIso2022Jp } from './is-iso-2022-jp.ts';
import { isPdf } from './is-pdf.ts';
import { textFormat } from './text-format.ts';

/** Beginning of a text by which its format is recognised, in characters. */
const HEAD = 20_000;

/** Formats that are plain text with marks, which the reader of documents removes. */
const MARKED_TEXT = /\.(?:srt|vtt|ass|ssa|rtf)$/i;

/** Decodes a file; null if it is no plain text in UTF-8, or in UTF-16 with a byte order mark. */
export async function plainText(content: Blob, filename: string): Promise<string | null> {
  if (MARKED_TEXT.test(filename) || (await isPdf(content))) return null;
  const bytes = new Uint8Array(await content.arrayBuffer());
  const text = decode(bytes);
  if (text === null || text.includes('\0') || /^\s*\{\\rtf/.test(text)) return null;
  if (isIso2022Jp(text)) return null;
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
