import { ANY_CHARACTER, charactersOf, includes, setName, type CharacterSet } from './character-set.ts';
import { countSteps } from './step-limit.ts';

/**
 * A regular language: a set of texts. Unlike a regular expression, it can be intersected and complemented. Create one
 * with the functions in this file. Equal keys mean equal languages, but equal languages may have different keys.
 */
export type Language = {
  readonly key: string;
  /** Whether it contains the empty text. */
  readonly nullable: boolean;
} & (
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence' | 'or' | 'and'; readonly parts: readonly Language[] }
  | { readonly kind: 'not'; readonly inner: Language }
  | { readonly kind: 'repeat'; readonly inner: Language; readonly min: number; readonly max: number }
  | { readonly kind: 'multiple'; readonly multiple: Multiple }
);

/** The rest of a decimal numeral whose value is a multiple of `step` × 10^-`digits`, after some of its characters. */
interface Multiple {
  readonly step: number;
  readonly digits: number;
  /** The digits so far as a number, modulo `step`. */
  readonly rest: number;
  /** Number of fraction digits so far; null before the decimal point. */
  readonly fraction: number | null;
}

/** The empty language, which contains no text. */
export const NONE: Language = { kind: 'or', parts: [], key: '∅', nullable: false };

/** The language that contains only the empty text. */
export const EMPTY_TEXT: Language = { kind: 'sequence', parts: [], key: 'ε', nullable: true };

/** The language of the texts with one character, taken from a set. */
export function one(set: CharacterSet): Language {
  return set.length === 0 ? NONE : { kind: 'set', set, key: `[${setName(set)}]`, nullable: false };
}

export function literal(text: string): Language {
  return concat(...Array.from(text, (character) => one(charactersOf(character))));
}

const ANY: Language = one(ANY_CHARACTER);

/** The language of all texts. */
export const ALL: Language = {
  kind: 'repeat',
  inner: ANY,
  min: 0,
  max: Infinity,
  key: 'all',
  nullable: true,
};

export function concat(...given: readonly Language[]): Language {
  const parts = given.flatMap((part) => (part.kind === 'sequence' ? part.parts : [part]));
  if (parts.includes(NONE)) return NONE;
  if (parts.length === 0) return EMPTY_TEXT;
  if (parts.length === 1) return parts[0]!;
  return compound(
    'sequence',
    parts,
    parts.every(({ nullable }) => nullable),
  );
}

export function or(...given: readonly Language[]): Language {
  const parts = distinct('or', given).filter((part) => part !== NONE);
  if (parts.includes(ALL)) return ALL;
  if (parts.length <= 1) return parts[0] ?? NONE;
  return compound(
    'or',
    parts,
    parts.some(({ nullable }) => nullable),
  );
}

export function and(...given: readonly Language[]): Language {
  const parts = distinct('and', given).filter((part) => part !== ALL);
  if (parts.includes(NONE)) return NONE;
  if (parts.includes(EMPTY_TEXT)) return parts.every(({ nullable }) => nullable) ? EMPTY_TEXT : NONE;
  if (parts.length <= 1) return parts[0] ?? ALL;
  return compound(
    'and',
    parts,
    parts.every(({ nullable }) => nullable),
  );
}

export function not(inner: Language): Language {
  if (inner === NONE) return ALL;
  if (inner === ALL) return NONE;
  if (inner.kind === 'not') return inner.inner;
  countSteps(inner.key.length);
  return { kind: 'not', inner, key: `!(${inner.key})`, nullable: !inner.nullable };
}

/** The language of the texts that contain none of some marks. */
export function without(marks: readonly string[]): Language {
  return not(or(...marks.map((mark) => concat(ALL, literal(mark), ALL))));
}

export function repeated(inner: Language, min: number, max: number): Language {
  if (max === 0 || inner === EMPTY_TEXT) return EMPTY_TEXT;
  if (inner === NONE) return min === 0 ? EMPTY_TEXT : NONE;
  if (min === 1 && max === 1) return inner;
  if (inner.key === ANY.key && min === 0 && max === Infinity) return ALL;
  countSteps(inner.key.length);
  const key = `(${inner.key}){${min},${max}}`;
  return { kind: 'repeat', inner, min, max, key, nullable: min === 0 || inner.nullable };
}

/** The language of the decimal numerals without exponent whose values are multiples of `step` × 10^-`digits`. */
export function multiples(step: number, digits: number): Language {
  return multiple({ step, digits, rest: 0, fraction: null });
}

function multiple(state: Multiple): Language {
  const { step, digits, rest, fraction } = state;
  const missing = digits - (fraction ?? 0);
  const nullable = (rest * 10 ** missing) % step === 0;
  return { kind: 'multiple', multiple: state, key: `%${step},${digits},${rest},${fraction}`, nullable };
}

function distinct(kind: 'or' | 'and', given: readonly Language[]): Language[] {
  const flat = given.flatMap((part) => (part.kind === kind && part !== NONE ? part.parts : [part]));
  // To compare and sort one takes as long as to copy dozens of characters of a key.
  countSteps(flat.length * 100);
  const sorted = new Map(flat.map((part) => [part.key, part]));
  return [...sorted].toSorted(([first], [second]) => (first < second ? -1 : 1)).map(([, part]) => part);
}

function compound(kind: 'sequence' | 'or' | 'and', parts: readonly Language[], nullable: boolean): Language {
  const key = `${kind[0]!}(${parts.map((part) => part.key).join(' ')})`;
  countSteps(key.length);
  return { kind, parts, key, nullable };
}

/** Returns the derivative: the texts that may follow a character, `{rest | character + rest ∈ language}`. */
export function derivative(language: Language, character: number): Language {
  switch (language.kind) {
    case 'set':
      return includes(language.set, character) ? EMPTY_TEXT : NONE;
    case 'sequence': {
      const [first, ...others] = language.parts;
      if (first === undefined) return NONE;
      const begun = derivative(first, character);
      // For most characters the derivative of the first part is NONE. Then `concat`, the slowest step, is not needed.
      const after = begun === NONE ? NONE : concat(begun, ...others);
      return first.nullable ? or(after, derivative(concat(...others), character)) : after;
    }
    case 'or':
      return or(...language.parts.map((part) => derivative(part, character)));
    case 'and':
      return and(...language.parts.map((part) => derivative(part, character)));
    case 'not':
      return not(derivative(language.inner, character));
    case 'repeat': {
      const { inner, min, max } = language;
      return concat(derivative(inner, character), repeated(inner, Math.max(0, min - 1), max - 1));
    }
    case 'multiple':
      return afterDigit(language.multiple, String.fromCodePoint(character));
  }
}

function afterDigit(state: Multiple, character: string): Language {
  const { step, digits, rest, fraction } = state;
  if (character === '-') return multiple(state);
  if (character === '.') return fraction === null ? multiple({ ...state, fraction: 0 }) : NONE;
  if (!/^\d$/.test(character)) return NONE;
  const read = (rest * 10 + Number(character)) % step;
  if (fraction === null) return multiple({ ...state, rest: read });
  // All fraction digits are used up, so only zeros may follow.
  if (fraction === digits) return character === '0' ? multiple(state) : NONE;
  return multiple({ ...state, rest: read, fraction: fraction + 1 });
}

export function hasText(language: Language, text: string): boolean {
  return Array.from(text).reduce((rest, character) => derivative(rest, character.codePointAt(0)!), language).nullable;
}

/**
 * Returns the sets, by texts that name them, on which the derivative depends: all characters that are in the same of them
 * have the same derivative.
 */
export function leadingSets(language: Language, found = new Map<string, CharacterSet>()): Map<string, CharacterSet> {
  switch (language.kind) {
    case 'set':
      found.set(language.key, language.set);
      break;
    case 'sequence':
      for (const part of language.parts) {
        leadingSets(part, found);
        if (!part.nullable) break;
      }
      break;
    case 'or':
    case 'and':
      for (const part of language.parts) leadingSets(part, found);
      break;
    case 'not':
    case 'repeat':
      leadingSets(language.inner, found);
      break;
    case 'multiple':
      for (const character of '-.0123456789') found.set(character, charactersOf(character));
  }
  return found;
}
