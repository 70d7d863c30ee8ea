import { loadPart } from '../browser/load-part.ts';
import type { Attachment } from '../types/conversation.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';
import { decodeText } from './decode-text.ts';
import { IMAGE_HEAD, imageKind } from './image-kind.ts';
import { readImage } from './read-image.ts';

/**
 * Maximum bytes of a text file, and maximum characters of a PDF's text, that are read: about a million tokens, more
 * than any model in a browser accepts.
 */
const MAX_TEXT = 4_000_000;

/** Larger PDFs and images (in bytes) are refused, because they must be read as a whole. */
const LARGEST_PDF = 50_000_000;
const LARGEST_IMAGE = 50_000_000;

/** SVG is attached as text, which every model can read. It is never rendered. */
const SVG_TYPE = 'image/svg+xml';

/** Why an attachment is incomplete: only its beginning, fewer pixels, or only its first frame. */
export type ReadingNote = 'cut' | 'smaller' | 'firstPicture';

/** A question to the user about the encoding of a text. */
export interface EncodingQuestion {
  readonly file: File;
  readonly chosen: string;
  /** The plausible encodings, the most plausible first, each with a part of the text decoded in it. */
  readonly offered: readonly { readonly encoding: string; readonly preview: string }[];
}

/** A file before it is fitted to the context window. */
export interface ReadAttachment {
  readonly attachment: Attachment;
  readonly note?: ReadingNote;
  /** Present if the encoding is not certain. */
  readonly encoding?: EncodingQuestion;
}

/**
 * Reads a text, PDF or image. The type is determined by the content as far as possible, not by the name.
 * @throws Error that tells the user why the file cannot be attached.
 * @throws the signal's reason if it aborts before the file is read.
 */
export async function readAttachment(file: File, signal: AbortSignal): Promise<ReadAttachment> {
  try {
    return await read(file, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // The file is a folder, was deleted or changed, or the browser may not read it.
    throw thrown instanceof DOMException ? new Error(attachmentStrings.unreadable, { cause: thrown }) : thrown;
  }
}

async function read(file: File, signal: AbortSignal): Promise<ReadAttachment> {
  const base = { id: crypto.randomUUID(), name: file.name, size: file.size };
  if (file.size === 0) throw new Error(attachmentStrings.empty);
  const isPdf = (await file.slice(0, 1024).text()).includes('%PDF-');
  signal.throwIfAborted();
  if (isPdf) {
    if (file.size > LARGEST_PDF) throw new Error(attachmentStrings.tooLarge(LARGEST_PDF));
    const { readPdf } = await loadPart(import('./read-pdf.ts'));
    const text = await readPdf(await file.arrayBuffer(), MAX_TEXT, signal);
    return textAttachment(base, text, text.length >= MAX_TEXT);
  }
  const kind = imageKind(new Uint8Array(await file.slice(0, IMAGE_HEAD).arrayBuffer()));
  if (kind !== null || (file.type.startsWith('image/') && file.type !== SVG_TYPE)) {
    if (file.size > LARGEST_IMAGE) throw new Error(attachmentStrings.tooLarge(LARGEST_IMAGE));
    const { url, ...left } = await readImage(file, kind, signal);
    return { attachment: { ...base, kind: 'image', url }, ...left };
  }
  const bytes = await beginningOf(file);
  signal.throwIfAborted();
  const decoded = decodeText(bytes, navigator.languages);
  if (decoded === null) throw new Error(attachmentStrings.noText);
  const read = textAttachment(base, decoded.text, file.size > MAX_TEXT);
  if (decoded.others.length === 0) return read;
  const offered = [decoded.encoding, ...decoded.others].map((encoding) => ({
    encoding,
    preview: previewOf(decodeText(bytes, [], encoding)?.text ?? ''),
  }));
  return { ...read, encoding: { file, chosen: decoded.encoding, offered } };
}

/** Reads a text again, in the encoding that the user has chosen. */
export async function readInEncoding(file: File, encoding: string): Promise<string> {
  return decodeText(await beginningOf(file), [], encoding)?.text ?? '';
}

async function beginningOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(0, MAX_TEXT).arrayBuffer());
}

/** Returns the first characters that differ between the encodings. */
function previewOf(text: string): string {
  const [found = ''] = /[^\0-\x7f][^\n]{0,23}/u.exec(text) ?? [];
  return found;
}

function textAttachment(base: Pick<Attachment, 'id' | 'name' | 'size'>, text: string, isCut: boolean): ReadAttachment {
  return { attachment: { ...base, kind: 'text', part: 'whole', text }, ...(isCut ? { note: 'cut' } : {}) };
}
