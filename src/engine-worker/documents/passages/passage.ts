/** A part of a document that is found and given to a model as a whole. */
export interface Passage {
  /** Offset of its first character in the document's text, in UTF-16 code units. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
  /** Headings above the passage, the outermost first. Headings within the passage itself are not repeated here. */
  readonly headings: readonly string[];
  /** Header of the table in which the passage starts, if the passage does not contain it; else empty. */
  readonly tableHeader: string;
  /** Number of its page, from 1, if form feeds separate the pages of the document; else null. */
  readonly page: number | null;
}

/** Limits of a passage. Their unit is the estimate of `estimateTokens`. */
export interface PassageLimits {
  /** Largest number of tokens of a passage, with the part that overlaps and with the repeated header of a table. */
  readonly maxTokens: number;
  /** How many tokens at the end of a passage the next one repeats. Default: 0. At most half of `maxTokens`. */
  readonly overlapTokens?: number;
}

/** Limits for questions in everyday words and small models: about 200 English words, which fit any embedding model. */
export const DEFAULT_LIMITS: PassageLimits = { maxTokens: 320 };

/** Returns what is embedded and shown to a model: the headings above the passage, the header of its table, its text. */
export function passageText(document: string, { start, end, headings, tableHeader }: Passage): string {
  const text = document.slice(start, end);
  return [headings.join(' > '), tableHeader, text].filter((part) => part !== '').join('\n');
}
