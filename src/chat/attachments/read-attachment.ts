import type {
  DocumentRequest,
  DocumentText,
  LeftOut,
  OfferedEncoding,
} from '../../shared/documents/document-reading.ts';
import { isPdf } from '../../shared/documents/is-pdf.ts';
import type { Attachment } from '../types/conversation.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';
import { IMAGE_HEAD, imageKind } from './image-kind.ts';
import { readInWorker } from './read-in-worker.ts';
import { readImage } from './read-image.ts';

/** Maximum characters of a file's text: about a million tokens, more than any model in a browser accepts. */
export const MAX_TEXT = 4_000_000;

/** Larger files (in bytes) are refused if they must be read as a whole. Plain text is cut instead. */
export const LARGEST_FILE = 50_000_000;

/** See {@link DocumentRequest}. With a last page it is less than the page waits for any document. */
const PAGE_TIME = 45_000;

/** SVG is attached as text, which every model can read. It is never rendered. */
const SVG_TYPE = 'image/svg+xml';

/** Why an attachment is incomplete: only its beginning, fewer pixels, or only its first frame. */
export type ReadingNote = 'cut' | 'smaller' | 'firstPicture';

/** A question to the user about the encoding of a text. */
export interface EncodingQuestion {
  readonly file: File;
  readonly chosen: string;
  /** The plausible encodings, the most plausible first, each with a part of the text decoded in it. */
  readonly offered: readonly OfferedEncoding[];
}

type PageMarks = Pick<DocumentRequest, 'marksPages'>;

/** A file before it is fitted to the context window. */
export interface ReadAttachment {
  readonly attachment: Attachment;
  readonly note?: ReadingNote;
  /** The parts of the file that are not in its text. */
  readonly leftOut?: readonly LeftOut[];
  /** Present if the encoding is not certain. */
  readonly encoding?: EncodingQuestion;
}

/**
 * Reads a document or image. The type is determined by the content as far as possible, not by the name.
 * @param pages Whether form feeds mark the ends of pages, for a text that is searched. Default: they do not.
 * @throws Error that tells the user why the file cannot be attached.
 * @throws the signal's reason if it aborts before the file is read.
 */
export async function readAttachment(file: File, signal: AbortSignal, pages: PageMarks = {}): Promise<ReadAttachment> {
  try {
    return await read(file, signal, pages);
  } catch (thrown) {
    signal.throwIfAborted();
    // The file is a folder, was deleted or changed, or the browser may not read it.
    throw thrown instanceof DOMException ? new Error(attachmentStrings.unreadable, { cause: thrown }) : thrown;
  }
}

async function read(file: File, signal: AbortSignal, pages: PageMarks): Promise<ReadAttachment> {
  const base = { id: crypto.randomUUID(), name: file.name, size: file.size };
  if (file.size === 0) throw new Error(attachmentStrings.empty);
  const kind = imageKind(new Uint8Array(await file.slice(0, IMAGE_HEAD).arrayBuffer()));
  const isNamedImage = file.type.startsWith('image/') && file.type !== SVG_TYPE;
  const isImage = kind !== null || (isNamedImage && !(await isPdf(file)));
  signal.throwIfAborted();
  if (isImage) {
    if (file.size > LARGEST_FILE) throw new Error(attachmentStrings.tooLarge(LARGEST_FILE));
    const { url, ...left } = await readImage(file, kind, signal);
    return { attachment: { ...base, kind: 'image', url }, ...left };
  }
  const document = await readInWorker({ ...requestFor(file), ...pages }, signal);
  const { offered } = document;
  const read = documentAttachment(base, document);
  return offered === undefined ? read : { ...read, encoding: { file, chosen: offered[0]!.encoding, offered } };
}

/**
 * Reads a text again, in the encoding that the user has chosen.
 * @throws Error that tells the user why it cannot be read any more.
 */
export async function readInEncoding(file: File, encoding: string, signal: AbortSignal): Promise<string> {
  return (await readInWorker({ ...requestFor(file), encoding }, signal)).text;
}

function requestFor(file: File): DocumentRequest {
  return {
    file,
    name: file.name,
    most: MAX_TEXT,
    largest: LARGEST_FILE,
    languages: navigator.languages,
    pageTime: PAGE_TIME,
  };
}

function documentAttachment(
  base: Pick<Attachment, 'id' | 'name' | 'size'>,
  { text, isCut, leftOut }: DocumentText,
): ReadAttachment {
  return {
    attachment: { ...base, kind: 'text', part: 'whole', text },
    ...(isCut && { note: 'cut' }),
    ...(leftOut.length > 0 && { leftOut }),
  };
}
