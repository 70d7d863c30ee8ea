import type { CorpusFile, Language } from './corpus.ts';
import english from './questions/english.json' with { type: 'json' };
import french from './questions/french.json' with { type: 'json' };
import german from './questions/german.json' with { type: 'json' };
import finalForeign from './questions/without-answer-final.json' with { type: 'json' };
import tuningForeign from './questions/without-answer.json' with { type: 'json' };

/** A place in the documents, with two questions that it answers. */
export interface Place {
  readonly language: Language;
  /** Name of the file. */
  readonly file: string;
  /** Words of the passage. White space and the form of apostrophes do not matter. */
  readonly phrase: string;
  /** A question that names its subject as the documents do. */
  readonly question: string;
  /** A question of somebody who does not know the documents' words. */
  readonly inOtherWords: string;
}

const all: readonly Place[] = [
  ...english.map((entry) => ({ ...entry, language: 'English' as const })),
  ...german.map((entry) => ({ ...entry, language: 'German' as const })),
  ...french.map((entry) => ({ ...entry, language: 'French' as const })),
];

/** Half of the places. Passages and ranking were chosen by their questions. */
export const TUNING_PLACES = all.filter((_, index) => index % 2 === 0);

/** The other half, whose results are published. */
export const FINAL_PLACES = all.filter((_, index) => index % 2 === 1);

/** A question that the documents do not answer. */
export interface ForeignQuestion {
  readonly language: Language;
  readonly question: string;
}

/** The questions without an answer by which the ranking and the lowest score of a passage were chosen. */
export const TUNING_FOREIGN = tuningForeign as readonly ForeignQuestion[];

/** Questions without an answer that were written later, whose results are published. */
export const FINAL_FOREIGN = finalForeign as readonly ForeignQuestion[];

/** Returns whether a text has the phrase of a place. */
export function hasPhrase(text: string, { phrase }: Place): boolean {
  return plain(text).includes(plain(phrase));
}

/** Returns whether a file has a place. */
export function isFileOf({ name, language, text }: CorpusFile, place: Place): boolean {
  return name === place.file && language === place.language && hasPhrase(text, place);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('’', "'");
}
