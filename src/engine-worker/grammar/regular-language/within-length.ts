import { and, concat, NONE, not, or, repeated, type Language } from './regular-language.ts';
import { countSteps } from './step-limit.ts';

/** Bounds of the lengths of a language's texts, in characters. A language without texts has the bounds Infinity and 0. */
type Lengths = readonly [shortest: number, longest: number];

const KNOWN = new WeakMap<Language, Lengths>();

/** Returns bounds of the lengths of a language's texts; they may be further apart than these lengths. */
export function lengthsOf(language: Language): Lengths {
  const known = KNOWN.get(language) ?? computed(language);
  KNOWN.set(language, known);
  return known;
}

function computed(language: Language): Lengths {
  switch (language.kind) {
    case 'set':
      return [1, 1];
    case 'sequence':
      return language.parts.map(lengthsOf).reduce<Lengths>((sum, one) => [sum[0] + one[0], sum[1] + one[1]], [0, 0]);
    case 'or':
    case 'and': {
      const lengths = language.parts.map(lengthsOf);
      const [shortest, longest] = [lengths.map(([least]) => least), lengths.map(([, most]) => most)];
      return language.kind === 'or'
        ? [Math.min(...shortest), Math.max(0, ...longest)]
        : [Math.max(...shortest), Math.min(...longest)];
    }
    case 'repeat': {
      const [shortest, longest] = lengthsOf(language.inner);
      return [shortest * language.min, longest === 0 ? 0 : longest * language.max];
    }
    default:
      return [0, Infinity];
  }
}

/**
 * Returns a simpler language that has the same texts of at most `most` characters: without alternatives whose texts are longer,
 * and without limits of repetitions that no text so short can exceed.
 */
export function withinLength(language: Language, most: number): Language {
  countSteps(100);
  const [shortest] = lengthsOf(language);
  if (shortest > most) return NONE;
  const inside = (part: Language) => withinLength(part, most);
  switch (language.kind) {
    case 'sequence':
      return concat(...language.parts.map((part) => withinLength(part, most - shortest + lengthsOf(part)[0])));
    case 'or':
      return or(...language.parts.map(inside));
    case 'and':
      return and(...language.parts.map(inside));
    case 'not':
      return not(inside(language.inner));
    case 'repeat': {
      const { inner, min, max } = language;
      const [least] = lengthsOf(inner);
      const part = withinLength(inner, most - least * Math.max(0, min - 1));
      // Repetitions without characters can be left out.
      return repeated(part, inner.nullable ? 0 : min, max >= Math.floor(most / Math.max(1, least)) ? Infinity : max);
    }
    default:
      return language;
  }
}
