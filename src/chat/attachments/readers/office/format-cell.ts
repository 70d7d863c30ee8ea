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
};

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Splits a format into quoted words, escaped characters, brackets, tokens of dates, and single characters. */
const TOKENS = /"[^"]*"|\\.|\[[^\]]*\]|AM\/PM|A\/P|General|y+|m+|d+|h+|s+(?:\.0+)?|_.|\*.|./gi;

/** Returns the pattern of a format's number; `General` if it is not known. */
export function builtInFormat(id: number): string {
  return BUILT_IN[id] ?? 'General';
}

/**
 * Writes a number of a spreadsheet as the cell shows it. Rare formats, such as fractions, are written as plain numbers.
 * @param pattern The cell's number format, such as `0.00%` or `dd.mm.yyyy`.
 * @param isFrom1904 Whether dates count from 1904, not from 1900.
 */
export function formatCell(value: number, pattern: string, isFrom1904 = false): string {
  const sections = sectionsOf(pattern);
  const section =
    value < 0 && sections.length > 1 ? sections[1]! : value === 0 && sections.length > 2 ? sections[2]! : sections[0]!;
  const shown = value < 0 && sections.length > 1 ? -value : value;
  const tokens = section.match(TOKENS) ?? [];
  if (tokens.some((token) => /^(?:y+|d+|h+|s+(?:\.0+)?|m+|\[[hms]+\])$/i.test(token))) {
    return formatDate(shown, tokens, isFrom1904);
  }
  return formatNumber(shown, tokens);
}

/** Splits a format at its semicolons outside of quotes. */
function sectionsOf(pattern: string): string[] {
  return (pattern.match(/(?:"[^"]*"|\\.|[^;"\\])+/g) ?? ['General']).slice(0, 4);
}

function formatNumber(value: number, tokens: readonly string[]): string {
  const first = tokens.findIndex((token) => /^[0#?]$/.test(token) || /^general$/i.test(token));
  if (first < 0) return tokens.map(literal).join('') || general(value);
  let last = first;
  while (last + 1 < tokens.length && isPlaceholder(tokens[last + 1]!)) last += 1;
  const digits = tokens.slice(first, last + 1).join('');
  const percents = tokens.filter((token) => token === '%').length;
  const number = Math.abs(value) * 100 ** percents;
  const before = tokens.slice(0, first).map(literal).join('');
  const after = tokens
    .slice(last + 1)
    .map(literal)
    .join('');
  return `${value < 0 ? '-' : ''}${before}${digitsOf(number, digits)}${after}`;
}

function digitsOf(value: number, pattern: string): string {
  if (/^general$/i.test(pattern)) return general(value);
  const [mantissa = '', exponent] = pattern.split(/E[+-]?/i);
  const [whole = '', decimals = ''] = mantissa.replace(/,+$/, '').split('.');
  const scaled = value / 1000 ** (/,+$/.exec(mantissa)?.[0].length ?? 0);
  const places = Math.min(decimals.replace(/[^0#?]/g, '').length, 20);
  if (exponent !== undefined)
    return scaled
      .toExponential(places)
      .replace('e', 'E')
      .replace(/([+-])(\d)$/, '$10$2');
  const least = Math.min((whole.match(/0/g) ?? []).length, 20);
  const most = Math.max(places, 0);
  const fixed = (decimals.match(/0/g) ?? []).length;
  return new Intl.NumberFormat('en', {
    useGrouping: whole.includes(','),
    minimumIntegerDigits: Math.max(least, 1),
    minimumFractionDigits: Math.min(fixed, most),
    maximumFractionDigits: most,
  }).format(scaled);
}

/** Writes a number with as many digits as a cell of the format `General` shows. */
function general(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(11))) : String(value);
}

/** Returns what a token adds beside the digits. */
function literal(token: string): string {
  if (token.startsWith('"')) return token.slice(1, -1);
  if (token.startsWith('\\')) return token.slice(1);
  // `[$€-407]` is a currency, other brackets are colours and conditions.
  if (token.startsWith('[')) return /^\[\$([^-\]]*)/.exec(token)?.[1] ?? '';
  if (/^[_*]/.test(token)) return '';
  return /^[#?]$/.test(token) ? '' : token;
}

function formatDate(value: number, tokens: readonly string[], isFrom1904: boolean): string {
  // The day 60 of 1900 is 29 February, which did not exist. Days before it count from one day later.
  const days = isFrom1904 ? value + 1462 : value < 60 ? value + 1 : value;
  const date = new Date(Math.round((days - 25_569) * 86_400_000));
  if (Number.isNaN(date.getTime())) return general(value);
  const isHalf = tokens.some((token) => /^(?:AM\/PM|A\/P)$/i.test(token));
  const hour = date.getUTCHours();
  let afterHour = false;
  return tokens
    .map((token, index) => {
      const lower = token.toLowerCase();
      const { length } = token;
      if (/^\[h+\]$/.test(lower)) {
        afterHour = true;
        return String(Math.floor(value * 24));
      }
      if (/^\[m+\]$/.test(lower)) return String(Math.floor(value * 1440));
      if (/^y+$/.test(lower)) return length > 2 ? String(date.getUTCFullYear()) : pad(date.getUTCFullYear() % 100, 2);
      if (/^d+$/.test(lower)) {
        const day = DAYS[date.getUTCDay()]!;
        return length > 3 ? day : length === 3 ? day.slice(0, 3) : pad(date.getUTCDate(), length);
      }
      if (/^h+$/.test(lower)) {
        afterHour = true;
        return pad(isHalf ? hour % 12 || 12 : hour, length);
      }
      if (lower.startsWith('s')) {
        const places = (lower.split('.')[1] ?? '').length;
        const seconds = date.getUTCSeconds() + (places > 0 ? date.getUTCMilliseconds() / 1000 : 0);
        return seconds.toFixed(places).padStart(places > 0 ? 3 + places : Math.min(length, 2), '0');
      }
      if (/^m+$/.test(lower)) {
        const next = tokens.slice(index + 1).find((other) => /^[ymdhs]+/i.test(other)) ?? '';
        const isMinute = afterHour || /^s/i.test(next);
        afterHour = false;
        if (isMinute) return pad(date.getUTCMinutes(), length);
        const month = MONTHS[date.getUTCMonth()]!;
        return length > 3 ? month : length === 3 ? month.slice(0, 3) : pad(date.getUTCMonth() + 1, length);
      }
      if (/^(?:am\/pm|a\/p)$/.test(lower)) return hour < 12 ? 'AM' : 'PM';
      return literal(token);
    })
    .join('');
}

/** Whether a token is part of a number's digits. */
function isPlaceholder(token: string): boolean {
  return /^[0#?.,Ee+-]$/.test(token);
}

function pad(number: number, length: number): string {
  return String(number).padStart(Math.min(length, 2), '0');
}
