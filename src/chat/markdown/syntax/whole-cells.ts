import { replaceFormulas } from './formula-syntax.ts';

/** Matches a span of code. */
const CODE = /(?<![`\\])(`+)(?!`).*?[^`]\1(?!`)/g;

/** Escapes the bars of a text, so that they end no cell. */
function escapeBars(text: string): string {
  return text.replace(/(\\*)\|/g, (bar: string, slashes: string) => (slashes.length % 2 === 0 ? `${slashes}\\|` : bar));
}

/** Escapes the bars in the formulas of a table's row, as in `| $|x|$ | absolute value |`. */
export function wholeFormulas(row: string): string {
  return replaceFormulas(row, escapeBars);
}

/** Escapes the bars in the code of a table's row, as in `` | `a || b` | or | ``. */
export function wholeCode(row: string): string {
  return row.replace(CODE, escapeBars);
}

/** Returns the places of the bars that end or begin cells of a row within it: not the ones around it. */
export function barsWithin(row: string): readonly number[] {
  const bars = [...row.matchAll(/(\\*)\|/g)].flatMap(({ index, 1: slashes = '' }) =>
    slashes.length % 2 === 0 ? [index + slashes.length] : [],
  );
  const [first, last] = [row.search(/\S/), row.trimEnd().length - 1];
  return bars.filter((bar) => first < bar && bar < last);
}

/** Escapes the bars of a row after its last column, so that what is written there belongs to the last cell. */
export function withoutSurplus(row: string, columns: number): string {
  const surplus = barsWithin(row)[columns - 1];
  if (surplus === undefined) return row;
  const end = /\|?\s*$/.exec(row)!.index;
  const isEmpty = !/[^|\s]/.test(row.slice(surplus, end));
  return isEmpty ? row : row.slice(0, surplus) + escapeBars(row.slice(surplus, end)) + row.slice(end);
}
