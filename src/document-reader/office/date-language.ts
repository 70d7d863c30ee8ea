/**
 * Languages by the last ten bits of the number by which Windows, and so a number format, names them. Names of months and
 * days are English in others.
 */
const LANGUAGES: Readonly<Record<number, string>> = {
  0x01: 'ar',
  0x02: 'bg',
  0x04: 'zh',
  0x05: 'cs',
  0x06: 'da',
  0x07: 'de',
  0x08: 'el',
  0x0a: 'es',
  0x0b: 'fi',
  0x0c: 'fr',
  0x0d: 'he',
  0x0e: 'hu',
  0x10: 'it',
  0x11: 'ja',
  0x12: 'ko',
  0x13: 'nl',
  0x14: 'nb',
  0x15: 'pl',
  0x16: 'pt',
  0x18: 'ro',
  0x19: 'ru',
  0x1b: 'sk',
  0x1d: 'sv',
  0x1e: 'th',
  0x1f: 'tr',
  0x21: 'id',
  0x22: 'uk',
  0x24: 'sl',
  0x2a: 'vi',
  0x39: 'hi',
};

/** The number of Chinese as it is written on Taiwan, where years count from 1912. */
const TAIWAN = 0x0404;

/** Returns the language that a number format names, as in `[$-407]` or `[$-de-DE]`; English if it names none. */
export function languageOf(tokens: readonly string[]): string {
  for (const token of tokens) {
    const [, name = ''] = /^\[\$[^-\]]*-([\w-]+)/.exec(token) ?? [];
    if (/^[a-z]{2}-[a-z]{2}$/i.test(name)) return name;
    const number = Number.parseInt(/^[\da-f]{3,8}$/i.exec(name)?.[0] ?? '', 16) & 0xffff;
    const language = number === TAIWAN ? 'zh-TW' : LANGUAGES[number & 0x3ff];
    if (language !== undefined) return language;
  }
  return 'en';
}

/** Returns the name of a month, in the form that follows a number if there is one, as in Russian. */
export function monthName(date: Date, language: string, isLong: boolean, isAfterDay: boolean): string {
  const options: Intl.DateTimeFormatOptions = { month: isLong ? 'long' : 'short' };
  if (isLong && isAfterDay) options.day = 'numeric';
  return partOf(date, `${language}-u-ca-gregory`, options, 'month');
}

export function dayName(date: Date, language: string, isLong: boolean): string {
  return partOf(date, language, { weekday: isLong ? 'long' : 'short' }, 'weekday');
}

/** Returns the year as Japan or Taiwan counts it, or that of the common era elsewhere. */
export function localYear(date: Date, language: string): string {
  if (/^zh-TW/i.test(language)) return String(date.getUTCFullYear() - 1911);
  if (!language.startsWith('ja')) return String(date.getUTCFullYear());
  return partOf(date, JAPANESE, { era: 'long', year: 'numeric' }, 'year');
}

/** Returns the name of the Japanese era, such as 令和. */
export function eraName(date: Date, isLong: boolean): string {
  return partOf(date, JAPANESE, { era: isLong ? 'long' : 'narrow', year: 'numeric' }, 'era');
}

const JAPANESE = 'ja-u-ca-japanese';

/** Making one takes longer than all else that is done with a cell. A file could name thousands of languages. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATTERS = 50;

function formatterOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  const known = formatters.get(key);
  if (known !== undefined) return known;
  if (formatters.size >= MOST_FORMATTERS) formatters.clear();
  // A language that is not known would be that of the browser.
  const made = new Intl.DateTimeFormat([language, 'en'], { ...options, timeZone: 'UTC' });
  formatters.set(key, made);
  return made;
}

function partOf(
  date: Date,
  language: string,
  options: Intl.DateTimeFormatOptions,
  type: Intl.DateTimeFormatPartTypes,
): string {
  const parts = formatterOf(language, options).formatToParts(date);
  // Some languages write a point after a short name. The format has its own if the cell shows one.
  return (parts.find((part) => part.type === type)?.value ?? '').replace(/\.$/, '');
}
