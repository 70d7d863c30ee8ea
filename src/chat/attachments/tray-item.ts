import type { AttachedPart, Attachment } from '../types/conversation.ts';
import { attachmentStrings } from '../strings/attachments.ts';
import { formatBytes } from '../strings/format.ts';
import type { TokenCount } from './count-attachment.ts';
import type { ReadingNote } from './read-attachment.ts';

/** Share of the model's window that all files of a question may take: the rest is for the chat and the answer. */
const SHARE = 0.5;

/** One file on its way to the model. */
export interface TrayItem {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly removal: AbortController;
  /** Undefined while it is read, and where it cannot be. */
  readonly attachment?: Attachment;
  readonly note?: ReadingNote;
  /** Tokens of all of it, as `counter` has counted them, a model; empty where nobody has. */
  readonly tokens?: TokenCount & { readonly counter: string };
  /** What the model is given of one that is too long. */
  readonly part: Exclude<AttachedPart, 'whole'>;
  readonly problem?: string;
  /** True where it could not be written to the device, and is gone with the page. */
  readonly isUnkept?: boolean;
}

/** A file that has been kept. Where it was left before it was read nothing but its name is there, as it then says. */
export function itemOf(kept: Omit<TrayItem, 'removal' | 'tokens' | 'isUnkept'>): TrayItem {
  const { id, name, size, part, note, attachment, problem } = kept;
  const words = problem ?? (attachment === undefined ? attachmentStrings.nameOnly : undefined);
  return {
    id,
    name,
    size,
    part,
    removal: new AbortController(),
    ...(attachment && { attachment }),
    ...(note && { note }),
    ...(words !== undefined && { problem: words }),
  };
}

/** Whether what is kept of a file on the device is the same. */
export function isKeptAlike(one: TrayItem, other: TrayItem): boolean {
  return one.attachment === other.attachment && one.problem === other.problem && one.part === other.part;
}

/** What is said of a file beside its name. */
export function factsOf({ size, attachment, tokens, note, problem }: TrayItem): readonly string[] {
  const facts = [formatBytes(size)];
  if (attachment?.kind === 'image') facts.push(attachmentStrings.image);
  // How many an image has only its model knows.
  if (tokens && tokens.count > 0)
    facts.push(tokens.isExact ? attachmentStrings.tokens(tokens.count) : attachmentStrings.aboutTokens(tokens.count));
  if (problem === undefined && attachment === undefined) facts.push(attachmentStrings.reading);
  if (note !== undefined) facts.push(attachmentStrings.notes[note]);
  return facts;
}

/** Tokens of all images, as far as they are known. */
export function imageTokens(items: readonly TrayItem[]): number {
  const images = items.filter(({ attachment }) => attachment?.kind === 'image');
  return images.reduce((sum, { tokens }) => sum + (tokens?.count ?? 0), 0);
}

/**
 * Most tokens of one text: what images take cannot be less, and what short texts leave over is for the long ones.
 * @param window Tokens that the model takes in at once.
 */
export function roomForText(items: readonly TrayItem[], window: number): number {
  let left = Math.max(0, window - imageTokens(items)) * SHARE;
  const texts = items.filter(({ attachment }) => attachment?.kind === 'text');
  const counts = texts.flatMap(({ tokens }) => (tokens ? [tokens.count] : [])).toSorted((a, b) => a - b);
  for (const [index, count] of counts.entries()) {
    const share = left / (counts.length - index);
    if (count > share) return Math.floor(share);
    left -= count;
  }
  return Math.floor(left);
}

/** Whether a text needs more tokens than there is room for; see {@link roomForText}. */
export function isTooLong({ tokens, attachment }: TrayItem, room: number): boolean {
  return attachment?.kind === 'text' && attachment.part === 'whole' && tokens !== undefined && tokens.count > room;
}

/** Characters of a text that fit into the room. */
export function fittingLength({ tokens, attachment }: TrayItem, room: number): number {
  if (attachment?.kind !== 'text') return 0;
  const { length } = attachment.text;
  return tokens === undefined || tokens.count <= room ? length : Math.floor((length * room) / tokens.count);
}

/** What will go with the question, as far as it has been read and counted; of what is too long a part of the right length. */
export function countedAttachments(items: readonly TrayItem[], window: number): readonly Attachment[] {
  const room = roomForText(items, window);
  return items.flatMap((item): Attachment[] => {
    const { attachment, tokens, problem } = item;
    if (attachment === undefined || problem !== undefined) return [];
    if (attachment.kind === 'image') return [attachment];
    // None yet means that they are being counted: it may be a very long text.
    if (tokens === undefined || tokens.count === 0) return [];
    return [{ ...attachment, text: attachment.text.slice(0, fittingLength(item, room)) }];
  });
}
