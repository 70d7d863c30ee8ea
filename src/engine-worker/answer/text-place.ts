/** What is known about the end of a text in Markdown. */
export interface TextPlace {
  /** The beginning of its last line. */
  readonly line: string;
  /** The marks that opened the block of code in which it ends; null outside. */
  readonly fence: string | null;
}

export const TEXT_BEGIN: TextPlace = { line: '', fence: null };

/** Matches a line that opens or closes a block of code, also in a list or a quotation. */
const FENCE = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}(?![^]*`)|~{3,})([^]*)$/;

/** The number of characters of a line that are kept. No line that is longer opens or closes a block of code. */
const KEPT = 200;

/** Returns where a text ends that goes on with `further` after this place. */
export function placeAfter({ line, fence }: TextPlace, further: string): TextPlace {
  const lines = (line + further).split('\n');
  const last = lines.pop()!;
  return { line: last.slice(0, KEPT), fence: lines.reduce(fenceAfter, fence) };
}

/** Whether a mark of the model's has its meaning here: only blanks precede it in its line, and it is no code. */
export function mayBeginMark({ line, fence }: TextPlace): boolean {
  return fence === null && line.trim() === '';
}

function fenceAfter(fence: string | null, line: string): string | null {
  const [, marks, rest] = FENCE.exec(line) ?? [];
  if (marks === undefined) return fence;
  if (fence === null) return marks;
  return marks.startsWith(fence) && rest!.trim() === '' ? null : fence;
}
