import { currentLanguage } from './page-language.ts';

// Symbols of units are the same in every language. Formatters of numbers and dates are created on first use, once the
// language is known.
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns the browser's regional variant of the page's language, such as `en-GB`; without one, the language. */
function locale(): string {
  const language = currentLanguage();
  const variants = globalThis.navigator?.languages ?? [];
  return variants.find((tag) => isValid(tag) && tag.toLowerCase().split('-')[0] === language) ?? language;
}

/** Chromium that was started without a locale offers the tag `en-US@posix`, which formatters refuse. */
function isValid(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/**
 * Formats a number in the current language.
 * @param least Minimum digits after the decimal sign.
 * @param most Maximum digits after the decimal sign.
 */
function number(value: number, least: number, most: number): string {
  const key = `${locale()} ${least} ${most}`;
  let format = numberFormats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale(), { minimumFractionDigits: least, maximumFractionDigits: most });
    numberFormats.set(key, format);
  }
  return format.format(value);
}

/** A number such as `1,234`, by default rounded to an integer. */
export function formatNumber(value: number, mostDigits = 0): string {
  return number(value, 0, mostDigits);
}

/** Bytes in decimal units: `1.2 GB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return '∞';
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  // A no-break space.
  return `${number(value, digits, digits)}\u00a0${UNITS[unit]}`;
}

export function formatSpeed(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** A duration given in seconds: `1 h 5 min`, `2 min`, `12 s`. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '∞';
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))}\u00a0s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}\u00a0min`;
  return `${formatNumber(Math.floor(minutes / 60))}\u00a0h ${minutes % 60}\u00a0min`;
}

/** A measured time: `350 ms`, `1.3 s`. */
export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${formatNumber(milliseconds)} ms` : `${number(milliseconds / 1000, 1, 1)} s`;
}

/** A duration for a sentence: `1 second`, `12 seconds`. */
export function formatSeconds(milliseconds: number): string {
  const unit = { style: 'unit', unit: 'second', unitDisplay: 'long', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(locale(), unit).format(milliseconds / 1000);
}

/** A large number in words: `1.5 billion`, `360 million`. */
export function formatCount(count: number): string {
  const digits = count >= 1e9 ? 1 : 0;
  return new Intl.NumberFormat(locale(), {
    notation: 'compact',
    compactDisplay: 'long',
    maximumFractionDigits: digits,
  }).format(count);
}

/**
 * Formats the date in the current language.
 * @param time Milliseconds since 1970.
 */
export function formatDate(time: number): string {
  return new Date(time).toLocaleDateString(locale());
}

/**
 * Formats the time of day in the current language.
 * @param time Milliseconds since 1970.
 */
export function formatTime(time: number): string {
  return new Date(time).toLocaleTimeString(locale());
}

/**
 * Formats the date and time of day in the current language.
 * @param time Milliseconds since 1970.
 */
export function formatDateTime(time: number): string {
  return new Date(time).toLocaleString(locale());
}
