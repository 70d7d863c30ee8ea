import { general, literal } from './cell-tokens.ts';
import { dayName, eraName, languageOf, localYear, monthName } from './date-language.ts';

/** Places of the seconds after the point that are written. */
const MAX_PLACES = 9;

/**
 * Writes a number of a spreadsheet as the date or time for which it stands.
 * @param tokens Those of the cell's number format.
 */
export function formatDate(value: number, tokens: readonly string[], isFrom1904: boolean): string {
  // The day 60 of 1900 is 29 February, which did not exist. Days before it count from one day later.
  const days = isFrom1904 ? value + 1462 : value < 60 ? value + 1 : value;
  const isElapsed = tokens.some((token) => /^\[[hms]+\]/i.test(token));
  // Seconds are rounded to the last place that is shown, which may complete a minute. Minutes and hours are not rounded.
  const places = Math.max(...tokens.map(placesOf));
  const unit = places < 0 ? 1 : 10 ** Math.max(3 - places, 0);
  const rounded = (amount: number): number => Math.round(Math.round(amount * 86_400_000) / unit) * unit;
  const elapsed = rounded(value);
  if (isElapsed && elapsed < 0) return `-${formatDate(-value, tokens, isFrom1904)}`;
  const date = new Date(rounded(days - 25_569));
  if (Number.isNaN(date.getTime())) return general(value);
  const isHalf = tokens.some((token) => /^(?:AM\/PM|A\/P|上午\/下午)$/i.test(token));
  const hour = date.getUTCHours();
  const hasDay = tokens.some((token) => /^d{1,2}$/i.test(token));
  const language = tokens.some((token) => /^g+$/i.test(token)) ? 'ja' : languageOf(tokens);
  let afterHour = false;
  return tokens
    .map((token, index) => {
      const lower = token.toLowerCase();
      const { length } = token;
      if (/^\[h+\]$/.test(lower)) {
        afterHour = true;
        return String(Math.floor(elapsed / 3_600_000)).padStart(length - 2, '0');
      }
      if (/^\[m+\]$/.test(lower)) {
        return String(Math.floor(elapsed / 60_000)).padStart(length - 2, '0');
      }
      if (lower.startsWith('[s')) return fixed(elapsed / 1000, placesOf(token), token.indexOf(']') - 1);
      if (/^e+$/.test(lower)) return localYear(date, language).padStart(length, '0');
      if (/^g+$/.test(lower)) return eraName(date, length > 2);
      if (/^b+$/.test(lower)) return String(date.getUTCFullYear() + 543).slice(length > 2 ? 0 : -2);
      if (/^a{3,4}$/.test(lower)) return dayName(date, language, length > 3);
      if (/^y+$/.test(lower)) return length > 2 ? String(date.getUTCFullYear()) : pad(date.getUTCFullYear() % 100, 2);
      if (/^d+$/.test(lower)) return length > 2 ? dayName(date, language, length > 3) : pad(date.getUTCDate(), length);
      if (/^h+$/.test(lower)) {
        afterHour = true;
        return pad(isHalf ? hour % 12 || 12 : hour, length);
      }
      if (lower.startsWith('s')) {
        const shown = placesOf(token);
        const seconds = date.getUTCSeconds() + (shown > 0 ? date.getUTCMilliseconds() / 1000 : 0);
        return fixed(seconds, shown, shown > 0 ? 2 : Math.min(length, 2));
      }
      if (/^m+$/.test(lower)) {
        const next = tokens.slice(index + 1).find((other) => /^[ymdhs]+/i.test(other)) ?? '';
        const isMinute = afterHour || /^s/i.test(next);
        afterHour = false;
        if (isMinute) return pad(date.getUTCMinutes(), length);
        return length > 2 ? monthName(date, language, length > 3, hasDay) : pad(date.getUTCMonth() + 1, length);
      }
      if (/^(?:am\/pm|a\/p)$/.test(lower)) return hour < 12 ? 'AM' : 'PM';
      if (token === '上午/下午') return hour < 12 ? '上午' : '下午';
      return literal(token);
    })
    .join('');
}

/** Returns how many places of the seconds a token shows; -1 if it shows no seconds. */
function placesOf(token: string): number {
  const seconds = /^(?:s+|\[s+\])(?:\.(0+))?$/i.exec(token);
  return seconds === null ? -1 : Math.min(seconds[1]?.length ?? 0, MAX_PLACES);
}

/** Writes seconds with this many digits before the point, or more. */
function fixed(seconds: number, places: number, digits: number): string {
  return seconds.toFixed(places).padStart(digits + (places > 0 ? 1 + places : 0), '0');
}

function pad(number: number, length: number): string {
  return String(number).padStart(Math.min(length, 2), '0');
}
