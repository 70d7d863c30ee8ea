import { loadPart } from '../browser/load-part.ts';
import type { Attachment } from '../types/conversation.ts';
import { attachmentStrings } from '../strings/attachments.ts';
import { decodeText } from './decode-text.ts';
import { IMAGE_HEAD, imageKind } from './image-kind.ts';
import { readImage } from './read-image.ts';

/**
 * Maximum bytes, and maximum characters, of a text that are read: about a million tokens, more than any model in a
 * browser accepts.
 */
const MOST_TEXT = 4_000_000;

/** Maximum bytes of files that are read as a whole. */
const LARGEST_PDF = 50_000_000;
const LARGEST_IMAGE = 50_000_000;

/** The MIME type of SVG, which is attached as text: every model can read it. It is never rendered. */
const DRAWN_BY_TEXT = 'image/svg+xml';

/** Why an attachment is incomplete: only its beginning, fewer pixels, or only its first frame. */
export type ReadingNote = 'cut' | 'smaller' | 'firstPicture';

/** A file before it is fitted to the context window. */
export interface ReadAttachment {
  readonly attachment: Attachment;
  readonly note?: ReadingNote;
}

/**
 * Reads a text, PDF or image. Its content decides, not its name, as far as possible.
 * @throws Error that says why it cannot be attached; the signal's reason.
 */
export async function readAttachment(file: File, signal: AbortSignal): Promise<ReadAttachment> {
  try {
    return await read(file, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // A folder, a deleted or changed file, or missing permission.
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
    const text = await readPdf(await file.arrayBuffer(), MOST_TEXT, signal);
    return textAttachment(base, text, text.length >= MOST_TEXT);
  }
  const kind = imageKind(new Uint8Array(await file.slice(0, IMAGE_HEAD).arrayBuffer()));
  if (kind !== null || (file.type.startsWith('image/') && file.type !== DRAWN_BY_TEXT)) {
    if (file.size > LARGEST_IMAGE) throw new Error(attachmentStrings.tooLarge(LARGEST_IMAGE));
    const { url, ...left } = await readImage(file, kind, signal);
    return { attachment: { ...base, kind: 'image', url }, ...left };
  }
  const text = decodeText(new Uint8Array(await file.slice(0, MOST_TEXT).arrayBuffer()));
  signal.throwIfAborted();
  if (text === null) throw new Error(attachmentStrings.noText);
  return textAttachment(base, text, file.size > MOST_TEXT);
}

function textAttachment(base: Pick<Attachment, 'id' | 'name' | 'size'>, text: string, isCut: boolean): ReadAttachment {
  return { attachment: { ...base, kind: 'text', part: 'whole', text }, ...(isCut ? { note: 'cut' } : {}) };
}
