import { attachmentStrings } from '../strings/attachment-strings.ts';
import type { ReadAttachment } from './read-attachment.ts';

/** Says what of a file is not in its text; empty if nothing is missing. */
export function readingNotes({ note, leftOut }: Pick<ReadAttachment, 'note' | 'leftOut'>): readonly string[] {
  const notes: string[] = note === undefined ? [] : [attachmentStrings.notes[note]];
  if (leftOut === undefined) return notes;
  const parts = leftOut.map(({ kind, count }) => attachmentStrings.leftOutKinds[kind](count));
  return [...notes, attachmentStrings.leftOut(parts)];
}
