import type { LeftOut } from '../../shared/documents/document-reading.ts';
import type { AttachedPart, Attachment } from '../types/conversation.ts';
import { appStrings } from '../strings/app-strings.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';
import { formatBytes } from '../strings/format.ts';
import type { TokenCount } from './count-attachment.ts';
import type { EncodingQuestion, ReadingNote } from './read-attachment.ts';
import { readingNotes } from './reading-notes.ts';

/** Share of the context window for all files of a question. The rest remains for the chat and the answer. */
const SHARE = 0.5;

export interface TrayItem {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly removal: AbortController;
  /** The file itself, if it has not been read. Stored, so that a later page can read it if this one ends before. */
  readonly source?: File;
  /** Number of pages that have begun to read {@link source}. Default: none. */
  readonly readings?: number;
  /** The content for the model. Undefined while the file is read, and if it cannot be read. */
  readonly attachment?: Attachment;
  readonly note?: ReadingNote;
  readonly leftOut?: readonly LeftOut[];
  /** Not stored: after a reload the text keeps the encoding in which it was read. */
  readonly encoding?: EncodingQuestion;
  /** Tokens of the whole file, and the model that counted them; `counter` is empty for an estimate. */
  readonly tokens?: TokenCount & { readonly counter: string };
  /** Which part of the file is sent if the whole is too long. */
  readonly part: Exclude<AttachedPart, 'whole'>;
  readonly problem?: string;
  /** True if the file is a text that the user may also insert into the question. Not stored. */
  readonly isText?: boolean;
  /** True if the file could not be stored, so that a reload loses it. */
  readonly isUnkept?: boolean;
}

/** Whether reading a file has ended for good. If only the reader could not be loaded, the next page reads the file. */
export function isRead({ attachment, problem }: Pick<TrayItem, 'attachment' | 'problem'>): boolean {
  return attachment !== undefined || (problem !== undefined && problem !== appStrings.partFailed);
}

/** Number of pages that may end while they read a file. Then the file may be the reason, and is not read again. */
const MOST_READINGS = 3;

/**
 * Converts a stored file to a tray item. If reading the file was interrupted, the item is to be read again; without the
 * file itself it has an error instead of content.
 */
export function itemOf(kept: Omit<TrayItem, 'removal' | 'tokens' | 'isText' | 'isUnkept'>): TrayItem {
  const { id, name, size, part, note, leftOut, attachment, problem, source, readings = 0 } = kept;
  const unread = !isRead(kept) && source !== undefined && readings < MOST_READINGS ? { source, readings } : null;
  const words = unread ? undefined : (problem ?? (attachment ? undefined : attachmentStrings.nameOnly));
  return {
    id,
    name,
    size,
    part,
    removal: new AbortController(),
    ...unread,
    ...(attachment && { attachment }),
    ...(note && { note }),
    ...(leftOut && { leftOut }),
    ...(words !== undefined && { problem: words }),
  };
}

/** Whether a changed item need not be stored again, because both versions are equal in what the database keeps. */
export function isKeptAlike(one: TrayItem, other: TrayItem): boolean {
  return one.attachment === other.attachment && one.problem === other.problem && one.part === other.part;
}

/** Returns size, tokens and notes of a file, as shown beside its name. */
export function factsOf(item: TrayItem): readonly string[] {
  const { size, attachment, tokens, problem } = item;
  const facts = [formatBytes(size)];
  if (attachment?.kind === 'image') facts.push(attachmentStrings.image);
  // The count of an image is 0 until its model has counted it.
  if (tokens && tokens.count > 0)
    facts.push(tokens.isExact ? attachmentStrings.tokens(tokens.count) : attachmentStrings.aboutTokens(tokens.count));
  if (problem === undefined && attachment === undefined) facts.push(attachmentStrings.reading);
  return [...facts, ...readingNotes(item)];
}

export function imageTokens(items: readonly TrayItem[]): number {
  const images = items.filter(({ attachment }) => attachment?.kind === 'image');
  return images.reduce((sum, { tokens }) => sum + (tokens?.count ?? 0), 0);
}

/**
 * Returns the maximum tokens for each text. The images' tokens are subtracted first, because images cannot be
 * shortened. A text shorter than its share leaves the rest to longer texts.
 * @param window Context window in tokens.
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

/** Whether a text has more tokens than `room`, the result of {@link roomForText}. */
export function isTooLong({ tokens, attachment }: TrayItem, room: number): boolean {
  return attachment?.kind === 'text' && attachment.part === 'whole' && tokens !== undefined && tokens.count > room;
}

/** Returns how many characters of a text fit into `room` tokens. */
export function fittingLength({ tokens, attachment }: TrayItem, room: number): number {
  if (attachment?.kind !== 'text') return 0;
  const { length } = attachment.text;
  return tokens === undefined || tokens.count <= room ? length : Math.floor((length * room) / tokens.count);
}

/**
 * Returns the attachments that have been read and counted. A text that is too long is cut to the length that will be
 * sent.
 */
export function countedAttachments(items: readonly TrayItem[], window: number): readonly Attachment[] {
  const room = roomForText(items, window);
  return items.flatMap((item): Attachment[] => {
    const { attachment, tokens, problem } = item;
    if (attachment === undefined || problem !== undefined) return [];
    if (attachment.kind === 'image') return [attachment];
    // Leaves out a text that has not been counted yet: it may be far too long.
    if (tokens === undefined || tokens.count === 0) return [];
    return [{ ...attachment, text: attachment.text.slice(0, fittingLength(item, room)) }];
  });
}
