import { characterSet, charactersOf, complement, includes, union, type CharacterSet } from './character-set.ts';
import { ALL, and, concat, EMPTY_TEXT, NONE, not, one, or, repeated, type Language } from './regular-language.ts';
import { patternExpression, unicodePattern } from '../../../shared/json-schema/unicode-pattern.ts';
import { propertySet } from './property-set.ts';
import { BudgetedCache } from './step-budget.ts';

/** A pattern that is not supported. The message is the rest of a sentence whose subject is the pattern. */
export class PatternProblem extends Error {}

/** A part of a pattern. Assertions match a position between two characters. */
type Part =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence' | 'or'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'ahead'; readonly part: Part; readonly negated: boolean };

const DIGITS: CharacterSet = [[0x30, 0x39]];
const WORD = characterSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
const SPACE = charactersOf(
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);
const LINE_ENDS = charactersOf('\n\r\u2028\u2029');

const CLASSES: Readonly<Record<string, CharacterSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 };

/** A quantifier, lazy or not: `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`. */
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy;

/** Limit of the steps of {@link patternLanguage}: some tenths of a second. */
const MAX_STEPS = 50_000_000;

const LANGUAGES = new BudgetedCache<Language | PatternProblem>('pattern', (made) =>
  'key' in made ? made.key.length : 0,
);

/**
 * Converts a pattern (ECMA-262, flag `u`) to the language of the texts that it matches.
 * @param whole Whether the pattern must match the whole text. Default: false, as in JSON Schema.
 * @throws PatternProblem for a pattern that is not supported.
 */
export function patternLanguage(pattern: string, whole = false): Language {
  const language = LANGUAGES.get(`${whole} ${pattern}`, MAX_STEPS, () => languageOrProblem(pattern, whole));
  if (language === null) return refuse('is too complex');
  if (language instanceof PatternProblem) throw language;
  return language;
}

function languageOrProblem(given: string, whole: boolean): Language | PatternProblem {
  try {
    void patternExpression(given);
  } catch {
    return new PatternProblem('is not a regular expression');
  }
  try {
    return textsWith(new PatternParser(unicodePattern(given)).parse(), whole);
  } catch (thrown) {
    if (thrown instanceof PatternProblem) return thrown;
    throw thrown;
  }
}

function textsWith(part: Part, whole: boolean): Language {
  const rest = whole ? EMPTY_TEXT : ALL;
  const atStart = languageOf(part, rest, true);
  if (whole) return atStart;
  const later = languageOf(part, rest, false);
  return atStart === later ? concat(ALL, later) : or(atStart, later === NONE ? NONE : concat(SOME, later));
}

const SOME = concat(one(complement([])), ALL);

/** Returns the texts that a part, followed by `rest`, matches from here to the end. */
function languageOf(part: Part, rest: Language, atStart: boolean): Language {
  switch (part.kind) {
    case 'set':
      return concat(one(part.set), rest);
    case 'or':
      return or(...part.parts.map((option) => languageOf(option, rest, atStart)));
    case 'sequence': {
      let start = atStart;
      const starts = part.parts.map((inner, index) => {
        const before = start;
        if (!isAssertion(inner)) {
          if (start && isOptional(inner) && part.parts.slice(index + 1).some(holdsStart))
            refuse('has `^` after a part that may be empty');
          start = false;
        }
        return before;
      });
      return part.parts.reduceRight((after, inner, index) => languageOf(inner, after, starts[index]!), rest);
    }
    case 'repeat':
      if (holdsAssertion(part.part)) return unrolled(part, rest, atStart);
      return concat(repeated(languageOf(part.part, EMPTY_TEXT, false), part.min, part.max), rest);
    case 'start':
      return atStart ? rest : NONE;
    case 'end':
      return and(rest, EMPTY_TEXT);
    case 'ahead': {
      const ahead = languageOf(part.part, ALL, atStart);
      return and(part.negated ? not(ahead) : ahead, rest);
    }
  }
}

/**
 * Limit of repetitions of a part that contains assertions. Each repetition is expanded, because an assertion depends on
 * what follows it.
 */
const MAX_UNROLLED = 10;

function unrolled({ part, min, max }: Part & { kind: 'repeat' }, rest: Language, atStart: boolean): Language {
  if (max > MAX_UNROLLED || holdsStart(part)) return refuse('repeats a part that holds `^`, `$` or looks ahead');
  let language = rest;
  for (let count = max; count > 0; count--) {
    const once = languageOf(part, language, atStart && count === 1);
    language = count > min ? or(rest, once) : once;
  }
  return language;
}

function isAssertion({ kind }: Part): boolean {
  return kind === 'start' || kind === 'end' || kind === 'ahead';
}

function holdsAssertion(part: Part): boolean {
  return isAssertion(part) || inside(part).some(holdsAssertion);
}

function holdsStart(part: Part): boolean {
  return part.kind === 'start' || inside(part).some(holdsStart);
}

function isOptional(part: Part): boolean {
  if (part.kind === 'repeat') return part.min === 0 || isOptional(part.part);
  if (part.kind === 'or') return part.parts.some(isOptional);
  return part.kind !== 'set' && inside(part).every(isOptional);
}

function inside(part: Part): readonly Part[] {
  if ('parts' in part) return part.parts;
  return 'part' in part ? [part.part] : [];
}

function refuse(text: string): never {
  throw new PatternProblem(text);
}

/** Parses a pattern that is known to be valid. */
class PatternParser {
  readonly #pattern: string;
  #place = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): Part {
    const options: Part[] = [];
    for (;;) {
      const parts: Part[] = [];
      while (this.#place < this.#pattern.length && !this.#is('|') && !this.#is(')')) parts.push(this.#quantified());
      options.push({ kind: 'sequence', parts });
      if (!this.#take('|')) return options.length === 1 ? options[0]! : { kind: 'or', parts: options };
    }
  }

  #is(text: string): boolean {
    return this.#pattern.startsWith(text, this.#place);
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#place += text.length;
    return true;
  }

  /** Returns the match of a sticky expression (flag `y`) at the current position, and moves past it. */
  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#place;
    const found = expression.exec(this.#pattern);
    if (found !== null) this.#place += found[0].length;
    return found;
  }

  #quantified(): Part {
    const part = this.#atom();
    const found = this.#match(QUANTIFIER);
    if (found === null) return part;
    const [, sign, least = '0', comma, most] = found;
    if (sign !== undefined)
      return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(least);
    return { kind: 'repeat', part, min, max: comma === undefined ? min : most === '' ? Infinity : Number(most) };
  }

  #atom(): Part {
    if (this.#take('^')) return { kind: 'start' };
    if (this.#take('$')) return { kind: 'end' };
    if (this.#take('.')) return { kind: 'set', set: complement(LINE_ENDS) };
    if (this.#take('[')) return { kind: 'set', set: this.#class() };
    if (this.#take('(')) return this.#group();
    return { kind: 'set', set: this.#character() };
  }

  #group(): Part {
    if (this.#is('?<=') || this.#is('?<!')) refuse('looks behind, which is not supported');
    const negated = this.#take('?!');
    const ahead = negated || this.#take('?=');
    if (!ahead && this.#match(/\?(?::|<[^>]*>)/uy) === null && this.#is('?'))
      refuse('uses flags of a group, which are not supported');
    const part = this.parse();
    this.#take(')');
    return ahead ? { kind: 'ahead', part, negated } : part;
  }

  #class(): CharacterSet {
    const negated = this.#take('^');
    const sets: CharacterSet[] = [];
    while (!this.#take(']')) {
      const from = this.#character();
      if (this.#is('-') && !this.#is('-]')) {
        this.#place++;
        sets.push(characterSet([[from[0]![0], this.#character()[0]![0]]]));
      } else sets.push(from);
    }
    const set = union(...sets);
    return negated ? complement(set) : set;
  }

  /** Reads a character or an escape; an escape may stand for a class of characters. */
  #character(): CharacterSet {
    const [character] = this.#match(/[^]/uy)!;
    if (character !== '\\') return charactersOf(character);
    const [escape] = this.#match(/[^]/uy)!;
    if (CLASSES[escape] !== undefined) return CLASSES[escape];
    if (CONTROLS[escape] !== undefined) return single(CONTROLS[escape]);
    if (escape === 'c') return single(this.#match(/[a-z]/iuy)![0].codePointAt(0)! % 32);
    if (escape === 'x') return single(Number.parseInt(this.#match(/[\da-f]{2}/iuy)![0], 16));
    if (escape === 'u') return this.#codePoint();
    if (escape === 'p' || escape === 'P') {
      const [, property = ''] = this.#match(/\{([^}]*)\}/uy)!;
      return propertySet(`\\${escape}{${property}}`) ?? refuse('is too complex');
    }
    if (/[bBk1-9]/.test(escape)) refuse(`uses \`\\${escape}\`, which is not supported`);
    return charactersOf(escape);
  }

  #codePoint(): CharacterSet {
    const [, braced, high, low] = this.#match(/\{([\da-f]+)\}|(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/iuy) ?? [];
    if (braced !== undefined) return single(Number.parseInt(braced, 16));
    if (high !== undefined) {
      return charactersOf(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low!, 16)));
    }
    return single(Number.parseInt(this.#match(/[\da-f]{4}/iuy)![0], 16));
  }
}

function single(codePoint: number): CharacterSet {
  if (!includes(complement([]), codePoint)) refuse('names half of a character');
  return [[codePoint, codePoint]];
}
