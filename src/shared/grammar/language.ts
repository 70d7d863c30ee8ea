import { ANY_CHARACTER, charactersOf, includes, type CharacterSet } from './character-set.ts';

/**
 * A regular language: a set of texts. It can be intersected and complemented, which a regular expression cannot. Build one
 * with the functions of this file; equal keys mean equal languages, but not the reverse.
 */
export type Language = {
  readonly key: string;
  /** Whether it contains the empty text. */
  readonly nullable: boolean;
  /** Whether it is free of intersections, complements and multiples, so that a grammar can state it part by part. */
  readonly plain: boolean;
} & (
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence' | 'or' | 'and'; readonly parts: readonly Language[] }
  | { readonly kind: 'not'; readonly inner: Language }
  | { readonly kind: 'repeat'; readonly inner: Language; readonly min: number; readonly max: number }
  | { readonly kind: 'multiple'; readonly multiple: Multiple }
);

/** Decimal numerals whose value is a multiple of `step` × 10^-`digits`, after some of their characters were read. */
interface Multiple {
  readonly step: number;
  readonly digits: number;
  /** The digits read, as a number, modulo `step`. */
  readonly rest: number;
  /** Fraction digits read; null before the decimal point. */
  readonly fraction: number | null;
}

/** No text at all. */
export const NONE: Language = { kind: 'or', parts: [], key: '∅', nullable: false, plain: true };

/** Only the empty text. */
export const EMPTY_TEXT: Language = { kind: 'sequence', parts: [], key: 'ε', nullable: true, plain: true };

/** One character of a set. */
export function one(set: CharacterSet): Language {
  return set.length === 0 ? NONE : { kind: 'set', set, key: `[${set.join(';')}]`, nullable: false, plain: true };
}

/** One text. */
export function literal(text: string): Language {
  return concat(...Array.from(text, (character) => one(charactersOf(character))));
}

const ANY: Language = one(ANY_CHARACTER);

/** Every text. */
export const ALL: Language = {
  kind: 'repeat',
  inner: ANY,
  min: 0,
  max: Infinity,
  key: 'all',
  nullable: true,
  plain: true,
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
  return { kind: 'not', inner, key: `!(${inner.key})`, nullable: !inner.nullable, plain: false };
}

export function repeated(inner: Language, min: number, max: number): Language {
  if (max === 0 || inner === EMPTY_TEXT) return EMPTY_TEXT;
  if (inner === NONE) return min === 0 ? EMPTY_TEXT : NONE;
  if (min === 1 && max === 1) return inner;
  if (inner.key === ANY.key && min === 0 && max === Infinity) return ALL;
  const key = `(${inner.key}){${min},${max}}`;
  return { kind: 'repeat', inner, min, max, key, nullable: min === 0 || inner.nullable, plain: inner.plain };
}

/** Decimal numerals, without an exponent, of the multiples of `step` × 10^-`digits`. */
export function multiples(step: number, digits: number): Language {
  return multiple({ step, digits, rest: 0, fraction: null });
}

function multiple(state: Multiple): Language {
  const { step, digits, rest, fraction } = state;
  const missing = digits - (fraction ?? 0);
  const nullable = (rest * 10 ** missing) % step === 0;
  return { kind: 'multiple', multiple: state, key: `%${step},${digits},${rest},${fraction}`, nullable, plain: false };
}

function distinct(kind: 'or' | 'and', given: readonly Language[]): Language[] {
  const flat = given.flatMap((part) => (part.kind === kind && part !== NONE ? part.parts : [part]));
  const sorted = new Map(flat.map((part) => [part.key, part]));
  return [...sorted].toSorted(([first], [second]) => (first < second ? -1 : 1)).map(([, part]) => part);
}

function compound(kind: 'sequence' | 'or' | 'and', parts: readonly Language[], nullable: boolean): Language {
  const key = `${kind[0]!}(${parts.map((part) => part.key).join(' ')})`;
  return { kind, parts, key, nullable, plain: kind !== 'and' && parts.every(({ plain }) => plain) };
}

/** The texts that may follow a character: `{rest | character + rest ∈ language}`. */
export function derivative(language: Language, character: number): Language {
  switch (language.kind) {
    case 'set':
      return includes(language.set, character) ? EMPTY_TEXT : NONE;
    case 'sequence': {
      const [first, ...others] = language.parts;
      if (first === undefined) return NONE;
      const begun = derivative(first, character);
      // Most characters lead nowhere, and joining parts takes longest.
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
  // Further digits can only be zeros, which change nothing.
  if (fraction === digits) return character === '0' ? multiple(state) : NONE;
  return multiple({ ...state, rest: read, fraction: fraction + 1 });
}

export function hasText(language: Language, text: string): boolean {
  return Array.from(text).reduce((rest, character) => derivative(rest, character.codePointAt(0)!), language).nullable;
}

/** Code points at which the derivative may change: each is the first of a range within which it stays the same. */
export function boundaries(language: Language, found = new Set<number>()): Set<number> {
  switch (language.kind) {
    case 'set':
      for (const [from, to] of language.set) found.add(from).add(to + 1);
      break;
    case 'sequence':
      for (const part of language.parts) {
        boundaries(part, found);
        if (!part.nullable) break;
      }
      break;
    case 'or':
    case 'and':
      for (const part of language.parts) boundaries(part, found);
      break;
    case 'not':
    case 'repeat':
      boundaries(language.inner, found);
      break;
    case 'multiple':
      for (const character of '-./0123456789:') found.add(character.codePointAt(0)!);
  }
  return found;
}
