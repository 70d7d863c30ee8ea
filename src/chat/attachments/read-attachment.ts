import { loadPart } from '../common/load-part.ts';
import type { Attachment } from '../storage/conversation.ts';
import { attachmentStrings } from '../strings/attachments.ts';
import { decodeText } from './decode-text.ts';

/** Bytes, and characters, of a text that are read: some million tokens, which no model in a browser takes in. */
const MOST_TEXT = 4_000_000;

/** Bytes of the largest files of the other kinds, which have to be read as a whole. */
const LARGEST_PDF = 50_000_000;
const LARGEST_IMAGE = 10_000_000;

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** A file as it was read, before it is known how much of it the model can take in. */
export interface ReadAttachment {
  readonly attachment: Attachment;
  /** Whether the file has more text than was read. */
  readonly isCut: boolean;
}

/**
 * Reads a text, a PDF or an image: by what is in it, as far as that shows, since a name promises nothing.
 * @throws Error that says in words why it cannot be attached; the signal's reason.
 */
export async function readAttachment(file: File, signal: AbortSignal): Promise<ReadAttachment> {
  const base = { id: crypto.randomUUID(), name: file.name, size: file.size };
  if (file.size === 0) throw new Error(attachmentStrings.empty);
  const isPdf = (await file.slice(0, 1024).text()).includes('%PDF-');
  signal.throwIfAborted();
  if (isPdf) {
    if (file.size > LARGEST_PDF) throw new Error(attachmentStrings.tooLarge(LARGEST_PDF));
    const { readPdf } = await loadPart(import('./read-pdf.ts'));
    const text = await readPdf(await file.arrayBuffer(), MOST_TEXT, signal);
    return { attachment: { ...base, kind: 'text', part: 'whole', text }, isCut: text.length >= MOST_TEXT };
  }
  if (IMAGE_TYPES.includes(file.type)) {
    if (file.size > LARGEST_IMAGE) throw new Error(attachmentStrings.tooLarge(LARGEST_IMAGE));
    return { attachment: { ...base, kind: 'image', url: await imageAddress(file) }, isCut: false };
  }
  const text = decodeText(new Uint8Array(await file.slice(0, MOST_TEXT).arrayBuffer()));
  signal.throwIfAborted();
  if (text === null) throw new Error(attachmentStrings.noText);
  return { attachment: { ...base, kind: 'text', part: 'whole', text }, isCut: file.size > MOST_TEXT };
}

/** @throws Error where the browser cannot show it, so that no model will. */
async function imageAddress(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file).catch((cause: unknown) => {
    throw new Error(attachmentStrings.imageBroken, { cause });
  });
  bitmap.close();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error!));
    reader.readAsDataURL(file);
  });
}
