import { general, literal } from './cell-tokens.ts';
import { formatDate } from './format-date.ts';

/** The formats that XLSX files name by number only. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0;-#,##0',
  38: '#,##0;-#,##0',
  39: '#,##0.00;-#,##0.00',
  40: '#,##0.00;-#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '0.0E+0',
  // Dates and times of East Asia. Their form depends on the language of the program, which the file does not name.
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'yyyy-mm-dd'])),
  ...Object.fromEntries([34, 35, 55, 56].map((id) => [id, '[<1]h:mm:ss;yyyy-mm-dd'])),
  32: 'h:mm',
  33: 'h:mm:ss',
};

/** Splits a format into quoted words, escaped characters, brackets, tokens of dates, and single characters. */
const TOKENS =
  /"[^"]*"|\\.|\[s+\](?:\.0+)?|\[[^\]]*\]|AM\/PM|A\/P|上午\/下午|General|y+|m+|d+|h+|a{3,4}|b{2,4}|e+|g+|s+(?:\.0+)?|_.|\*.|./gi;

/** Returns the pattern of a format's number; `General` if it is not known. */
export function builtInFormat(id: number): string {
  return BUILT_IN[id] ?? 'General';
}

/**
 * Writes a number of a spreadsheet as the cell shows it. Fractions are written as plain numbers, and spaces that only
 * align are left out.
 * @param pattern The cell's number format, such as `0.00%` or `dd.mm.yyyy`.
 * @param isFrom1904 Whether dates count from 1904, not from 1900.
 */
export function formatCell(value: number, pattern: string, isFrom1904 = false): string {
  const { section, hasOwnSign } = sectionFor(value, pattern);
  const shown = value < 0 && hasOwnSign ? -value : value;
  const tokens = section.match(TOKENS) ?? [];
  if (tokens.some((token) => /^(?:y+|d+|h+|a{3,4}|g{3}|s+(?:\.0+)?|m+|\[[hm]+\]|\[s+\](?:\.0+)?)$/i.test(token))) {
    return formatDate(shown, tokens, isFrom1904);
  }
  return formatNumber(shown, tokens);
}

/** Returns the part of a format that is for a value, and whether that part writes the sign of a negative value. */
function sectionFor(value: number, pattern: string): { readonly section: string; readonly hasOwnSign: boolean } {
  const all: string[] = [''];
  for (const [token] of pattern.matchAll(/"[^"]*"|\\.|\[[^\]]*\]|[^]/g)) {
    if (token === ';') all.push('');
    else all[all.length - 1] += token;
  }
  // The fourth section is for texts, and so is a last one with `@`.
  const sections = all.length < 4 && isForTexts(all.at(-1)!) ? all.slice(0, -1) : all.slice(0, 3);
  if (pattern === '' || sections.length === 0) return { section: 'General', hasOwnSign: false };
  const conditions = sections.map((section) => /\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]/.exec(section));
  if (conditions.some((condition) => condition !== null)) {
    const met = conditions.findIndex((condition) => condition === null || isMet(value, condition[1]!, condition[2]!));
    const condition = conditions[met];
    const hasOwnSign = condition?.[1]?.startsWith('<') === true && Number(condition[2]) <= 0;
    return { section: sections[met] ?? 'General', hasOwnSign };
  }
  const index = value < 0 && sections.length > 1 ? 1 : value === 0 && sections.length > 2 ? 2 : 0;
  return { section: sections[index]!, hasOwnSign: index === 1 };
}

function isForTexts(section: string): boolean {
  return section.replace(/"[^"]*"|\\./g, '').includes('@');
}

function isMet(value: number, operator: string, limit: string): boolean {
  const difference = value - Number(limit);
  if (operator === '<>') return difference !== 0;
  return (
    (difference === 0 && operator.includes('=')) ||
    (difference < 0 && operator.includes('<')) ||
    (difference > 0 && operator.includes('>'))
  );
}

function formatNumber(value: number, tokens: readonly string[]): string {
  let first = tokens.findIndex(isPart);
  if (first < 0) {
    const isEmpty = tokens.length > 0 && tokens.every((token) => token.startsWith('[') && literal(token) === '');
    return isEmpty ? general(value) : tokens.map(literal).join('');
  }
  if (tokens[first - 1] === '.') first -= 1;
  // The parts of a fraction may be numbers.
  const isFraction = /[0-9#?] *\/ *[0-9#?]/.test(tokens.map((token) => (token.length > 1 ? ' ' : token)).join(''));
  let last = tokens.findLastIndex((token) => isPart(token) || (isFraction && /^\d$/.test(token)));
  while (/^[.,]$/.test(tokens[last + 1] ?? '')) last += 1;
  const percents = tokens.filter((token) => token === '%').length;
  const scaled = Math.abs(value) * 100 ** percents;
  // Spreadsheets calculate with 15 digits: 0.285 × 100 is 28.499999999999996, and shown as 29 %.
  const number = Number.isInteger(scaled) ? scaled : Number(scaled.toPrecision(15));
  const digits = tokens.slice(first, last + 1);
  const isPlain = isFraction || (digits.length === 1 && digits[0]!.length > 1);
  const before = tokens.slice(0, first).map(literal).join('');
  const after = tokens
    .slice(last + 1)
    .map(literal)
    .join('');
  return `${value < 0 ? '-' : ''}${before}${isPlain ? general(number) : digitsOf(number, digits)}${after}`;
}

/** Whether a token is a placeholder of a digit. */
function isDigit(token: string): boolean {
  return /^[0#?]$/.test(token);
}

/** Whether a token stands for the number or a part of it. */
function isPart(token: string): boolean {
  return isDigit(token) || /^general$/i.test(token);
}

/** Writes a positive number with the placeholders of a format, between which literals may stand. */
function digitsOf(value: number, tokens: readonly string[]): string {
  const point = tokens.includes('.') ? tokens.indexOf('.') : tokens.length;
  const exponent = tokens.findIndex((token, index) => /^e$/i.test(token) && /^[+-]$/.test(tokens[index + 1] ?? ''));
  const places = Math.min(tokens.slice(point, exponent < 0 ? undefined : exponent).filter(isDigit).length, 20);
  if (exponent >= 0) {
    const written = value.toExponential(places).replace('e', 'E');
    return written.replace(/([+-])(\d)$/, '$10$2');
  }
  const lastDigit = tokens.slice(0, point).findLastIndex(isDigit);
  // Commas after the last placeholder, before or after the point, stand for thousands that are not shown.
  const end = tokens.findLastIndex(isDigit);
  const isScale = (token: string, index: number) =>
    token === ',' && ((index > lastDigit && index < point) || index > end);
  const isGrouped = tokens.slice(0, Math.max(lastDigit, 0)).includes(',');
  const [whole = '', decimals = ''] = new Intl.NumberFormat('en', {
    useGrouping: false,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  })
    .format(value / 1000 ** tokens.filter(isScale).length)
    .split('.');
  let written = '';
  let rest = whole === '0' ? '' : whole;
  let count = 0;
  let open = tokens.slice(0, point).filter(isDigit).length;
  for (const token of tokens.slice(0, point).toReversed()) {
    if (!isDigit(token)) {
      written = (token === ',' ? '' : literal(token)) + written;
      continue;
    }
    open -= 1;
    // The first placeholder takes all digits that are left.
    const taken = Math.max(1, open === 0 ? rest.length : 1);
    for (let step = 0; step < taken; step += 1) {
      const digit = rest.at(-1) ?? (token === '0' ? '0' : '');
      if (digit !== '' && isGrouped && count > 0 && count % 3 === 0) written = `,${written}`;
      written = digit + written;
      rest = rest.slice(0, -1);
      count += 1;
    }
  }
  let at = 0;
  const significant = decimals.replace(/0+$/, '').length;
  const afterPoint = tokens.slice(point + 1);
  const needed = Math.max(significant, afterPoint.filter(isDigit).lastIndexOf('0') + 1);
  const fraction = afterPoint
    .map((token) =>
      isDigit(token) ? (at < needed ? decimals.slice(at, (at += 1)) : '') : token === ',' ? '' : literal(token),
    )
    .join('');
  return written + (fraction === '' ? '' : '.') + fraction;
}
