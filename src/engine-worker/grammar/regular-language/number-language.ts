import {
  and,
  concat,
  EMPTY_TEXT,
  literal,
  multiples,
  NONE,
  one,
  or,
  repeated,
  type Language,
} from './regular-language.ts';

export interface NumberRange {
  /** Whether numbers with a fraction are excluded. */
  readonly whole: boolean;
  readonly min: number;
  readonly max: number;
  readonly minExcluded: boolean;
  readonly maxExcluded: boolean;
  readonly multiplesOf: readonly number[];
}

/** A double distinguishes all numerals with this many digits, so that none is rounded onto a bound. */
const EXACT_DIGITS = 15;

/** Limit of the digits of an unbounded integer: those of a 64-bit integer. */
const INTEGER_DIGITS = 19;

/** A decimal numeral without a sign. */
interface Decimal {
  readonly whole: string;
  readonly fraction: string;
}

const DIGIT = digits(0, 9);

/** The numerals of numbers that are not integers, with so few digits that none is rounded to an integer. */
export const FRACTIONS: Language = concat(
  optional(literal('-')),
  wholePart(9),
  literal('.'),
  repeated(DIGIT, 0, 5),
  digits(1, 9),
);

/** Splits a number into digits and decimal places: 0.25 is 25 × 10^-2. */
export function decimalPlaces(value: number): { step: number; digits: number } {
  const { whole, fraction } = decimal(value);
  return { step: Number(whole + fraction), digits: fraction.length };
}

/**
 * Returns the language of the JSON numerals of the numbers in a range. If there are bounds, the numerals have no
 * exponent, because a regular language could not compare them with the bounds.
 */
export function numberLanguage(range: NumberRange): Language {
  const { whole, min, max } = range;
  // Steps such as 1, 0.5 and 0.01 are dropped for integers, because every integer is a multiple of them.
  const steps = range.multiplesOf.filter((step) => !whole || !Number.isInteger(1 / step)).map(decimalPlaces);
  const bounded = min !== -Infinity || max !== Infinity || steps.length > 0;
  if (!bounded) return whole ? unboundedInteger() : unboundedNumber();
  const limit = 10 ** EXACT_DIGITS;
  const low = whole ? wholeMin(range) : min;
  const high = whole ? wholeMax(range) : max;
  const inclusiveLow = whole || !range.minExcluded;
  const inclusiveHigh = whole || !range.maxExcluded;
  const longest = Math.max(
    ...[low, high].filter((bound) => Math.abs(bound) < limit).map((bound) => decimal(Math.abs(bound)).whole.length),
    1,
  );
  const places = steps.length > 0 ? Math.min(...steps.map((step) => step.digits)) : EXACT_DIGITS - longest;
  // Multiples have nine digits at most: validators that divide in binary accept those as multiples.
  const size = {
    places: whole ? 0 : Math.max(0, places),
    digits: steps.length > 0 ? Math.max(1, 9 - places) : EXACT_DIGITS,
  };

  const positive = magnitudes(
    low > 0 || (low === 0 && inclusiveLow) ? { value: low, included: inclusiveLow } : { value: 0, included: low < 0 },
    high === Infinity ? null : { value: high, included: inclusiveHigh },
    size,
  );
  const negative = magnitudes(
    high < 0 ? { value: -high, included: inclusiveHigh } : { value: 0, included: false },
    low === -Infinity ? null : { value: -low, included: inclusiveLow },
    size,
  );
  const numerals = or(positive, concat(literal('-'), negative));
  return and(
    numerals,
    ...steps.filter(({ step }) => step !== 1).map(({ step, digits: after }) => multiples(step, after)),
  );
}

function wholeMin({ min, minExcluded }: NumberRange): number {
  return minExcluded ? Math.floor(min) + 1 : Math.ceil(min) + 0;
}

function wholeMax({ max, maxExcluded }: NumberRange): number {
  return maxExcluded ? Math.ceil(max) - 1 : Math.floor(max) + 0;
}

function unboundedInteger(): Language {
  return concat(optional(literal('-')), wholePart(INTEGER_DIGITS));
}

/** Any number that does not overflow a double. */
function unboundedNumber(): Language {
  const exponent = or(
    repeated(DIGIT, 1, 2),
    concat(literal('1'), repeated(DIGIT, 2, 2)),
    concat(literal('2'), digits(0, 7), DIGIT),
  );
  return concat(
    optional(literal('-')),
    wholePart(INTEGER_DIGITS),
    optional(concat(literal('.'), repeated(DIGIT, 1, 2 * EXACT_DIGITS))),
    optional(concat(or(literal('e'), literal('E')), optional(or(literal('+'), literal('-'))), exponent)),
  );
}

function wholePart(most: number): Language {
  return or(literal('0'), concat(digits(1, 9), repeated(DIGIT, 0, most - 1)));
}

interface Bound {
  readonly value: number;
  readonly included: boolean;
}

interface Size {
  /** Limit of the digits after the decimal point. */
  readonly places: number;
  /** Limit of the digits before the decimal point. */
  readonly digits: number;
}

/** Returns the numerals without a sign from `low` to `high`; null means no upper bound. */
function magnitudes(low: Bound, high: Bound | null, size: Size): Language {
  if (low.value < 0 || (high !== null && (high.value < low.value || high.value < 0))) return NONE;
  if (low.value >= 10 ** size.digits) return NONE;
  const from = decimal(low.value);
  const open = high === null || high.value >= 10 ** size.digits;
  const to = open ? null : decimal(high.value);
  const last = to === null ? size.digits : to.whole.length;
  const options: Language[] = [];
  for (let length = from.whole.length; length <= last; length++) {
    const lower = length === from.whole.length ? { ...from, included: low.included } : null;
    const upper = to !== null && length === to.whole.length ? { ...to, included: high!.included } : null;
    options.push(wholeDigits(length, 0, lower, upper, size.places));
  }
  return or(...options);
}

type Limit = (Decimal & { readonly included: boolean }) | null;

/**
 * Returns the integer digits from position `place` on, with what follows them. A limit is null if an earlier digit
 * differs from it: then all further digits are within the limit.
 */
function wholeDigits(length: number, place: number, low: Limit, high: Limit, places: number): Language {
  if (place === length) return afterWhole(low, high, places);
  const least = place === 0 && length > 1 ? 1 : 0;
  if (low === null && high === null && place > 0) {
    return concat(repeated(DIGIT, length - place, length - place), afterWhole(null, null, places));
  }
  return byDigit(
    Math.max(least, low === null ? 0 : Number(low.whole[place])),
    high === null ? 9 : Number(high.whole[place]),
    low,
    high,
    (lower, upper) => wholeDigits(length, place + 1, lower, upper, places),
  );
}

function afterWhole(low: Limit, high: Limit, places: number): Language {
  const fraction = concat(literal('.'), fractionDigits(0, low, high, places, true));
  return places === 0
    ? or(mayStop(0, low, high) ? EMPTY_TEXT : NONE)
    : or(mayStop(0, low, high) ? EMPTY_TEXT : NONE, fraction);
}

function fractionDigits(place: number, low: Limit, high: Limit, places: number, first = false): Language {
  const stop = !first && mayStop(place, low, high) ? EMPTY_TEXT : NONE;
  if (place === places) return stop;
  // If a lower limit is included and its digits are used up, any further digits are allowed.
  const lower = low !== null && low.included && low.fraction.length <= place ? null : low;
  if (lower === null && high === null) return repeated(DIGIT, first ? 1 : 0, places - place);
  const onlyZeros = high !== null && high.included && high.fraction.length <= place;
  if (lower === null && onlyZeros) return repeated(digits(0, 0), first ? 1 : 0, places - place);
  const next = byDigit(
    lower === null ? 0 : Number(lower.fraction[place] ?? 0),
    high === null ? 9 : Number(high.fraction[place] ?? 0),
    lower,
    high,
    (below, above) => fractionDigits(place + 1, below, above, places),
  );
  return or(stop, next);
}

/**
 * Whether a numeral may end after this many fraction digits, which so far equal those of every limit that is not null.
 */
function mayStop(place: number, low: Limit, high: Limit): boolean {
  const aboveLow = low === null || (low.included && low.fraction.length <= place);
  const belowHigh = high === null || high.included || high.fraction.length > place;
  return aboveLow && belowHigh;
}

/**
 * Returns one digit between `least` and `most`, and what follows it. A digit equal to that of a limit keeps the limit
 * for the rest.
 */
function byDigit(
  least: number,
  most: number,
  low: Limit,
  high: Limit,
  rest: (low: Limit, high: Limit) => Language,
): Language {
  if (least > most) return NONE;
  const from = low === null ? least : least + 1;
  const to = high === null ? most : most - 1;
  const options: Language[] = [];
  if (low !== null)
    options.push(concat(digits(least, least), rest(low, high !== null && least === most ? high : null)));
  if (high !== null && (low === null || least !== most)) options.push(concat(digits(most, most), rest(null, high)));
  if (from <= to) options.push(concat(digits(from, to), rest(null, null)));
  return or(...options);
}

function digits(from: number, to: number): Language {
  return one([[0x30 + from, 0x30 + to]]);
}

function optional(language: Language): Language {
  return or(EMPTY_TEXT, language);
}

/** Converts a number that is not negative to decimal digits without an exponent. */
function decimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  const all = whole + fraction;
  const point = whole.length + shift;
  const padded = point < 0 ? '0'.repeat(-point) + all : all.padEnd(point, '0');
  const start = Math.max(0, point);
  return {
    whole: padded.slice(0, start).replace(/^0+(?=\d)/, '') || '0',
    fraction: padded.slice(start).replace(/0+$/, ''),
  };
}
