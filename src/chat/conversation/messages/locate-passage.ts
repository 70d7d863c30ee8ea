/** A passage in the text of its file. */
export interface LocatedPassage {
  /** What stands above the passage in its section: headings, or the header of a table. Empty if there is none. */
  readonly heading: string;
  readonly before: string;
  readonly passage: string;
  readonly after: string;
  /** Whether the text begins or ends outside `before` and `after`. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
  /** Number of the page on which `before` begins, from 1, if form feeds separate the pages of the text; else null. */
  readonly firstPage: number | null;
}

/** The most lines before a passage that are not from its place in the file: its headings, and the header of its table. */
const MAX_LINES_ABOVE = 2;
/** Characters that are shown before and after a passage. */
const AROUND = 6000;

/**
 * Finds a passage in the text of its file.
 * @returns null if the text does not contain it, as after the file was replaced.
 */
export function locatePassage(text: string, found: string): LocatedPassage | null {
  const lines = found.split('\n');
  for (let above = 0; above <= MAX_LINES_ABOVE && above < lines.length; above += 1) {
    const passage = lines.slice(above).join('\n').trim();
    // Sections may have the same text: the one below these headings is meant.
    const start = passage === '' ? -1 : Math.max(text.indexOf(passage, below(text, lines[0]!)), text.indexOf(passage));
    if (start < 0) continue;
    const end = start + passage.length;
    const from = startOfLine(text, start - AROUND);
    const to = endOfLine(text, end + AROUND);
    return {
      heading: lines.slice(0, above).join('\n'),
      before: text.slice(from, start),
      passage,
      after: text.slice(end, to),
      isCutBefore: from > 0,
      isCutAfter: to < text.length,
      firstPage: text.includes('\f') ? text.slice(0, from).split('\f').length : null,
    };
  }
  return null;
}

/** Returns where the innermost of some headings is, each below the one before it; as far as the text has them. */
function below(text: string, headings: string): number {
  return headings.split(' > ').reduce((at, heading) => Math.max(at, text.indexOf(heading, at)), 0);
}

/** The line or word that begins at a place or soon after it. */
function startOfLine(text: string, at: number): number {
  if (at <= 0) return 0;
  const space = text.slice(at, at + AROUND / 2).search(/\s/);
  return space < 0 ? at : at + space + 1;
}

function endOfLine(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.slice(at - AROUND / 2, at).search(/\s\S*$/);
  return space < 0 ? at : at - AROUND / 2 + space;
}
