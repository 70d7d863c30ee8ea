/** One level of a numbered or bulleted list. */
export interface ListLevel {
  /** `decimal`, `lowerLetter`, `upperLetter`, `lowerRoman`, `upperRoman`, `bullet` or `none`. */
  readonly format: string;
  /** The label, with `%1` for the number of the first level, and so on. */
  readonly pattern: string;
  readonly start: number;
}

/** Counts the items of lists and writes the labels that a person sees in front of them. */
export class ListLabels {
  readonly #counts = new Map<string, number[]>();

  /**
   * Counts an item and returns its label.
   * @param list Identifies the list.
   * @param level The item's level from 0.
   * @param levels The list's levels.
   */
  next(list: string, level: number, levels: readonly (ListLevel | undefined)[]): string {
    const own = levels[level];
    if (own === undefined || own.format === 'none') return '';
    if (own.format === 'bullet') return '-';
    const counts = this.#counts.get(list) ?? [];
    this.#counts.set(list, counts);
    counts.length = Math.min(counts.length, level + 1);
    counts[level] = counts[level] === undefined ? own.start : counts[level] + 1;
    return own.pattern.replace(/%(\d)/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      const count = counts[index] ?? levels[index]?.start ?? 1;
      return numeral(count, levels[index]?.format ?? 'decimal');
    });
  }
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** Writes a number in a format of {@link ListLevel}. */
export function numeral(count: number, format: string): string {
  if (/roman/i.test(format)) {
    let rest = Math.min(Math.max(count, 0), 5000);
    let text = '';
    for (const [value, digits] of ROMAN) for (; rest >= value; rest -= value) text += digits;
    return format.startsWith('upper') ? text.toUpperCase() : text;
  }
  if (/letter/i.test(format)) {
    // After z comes aa, then bb.
    const letter = String.fromCharCode(97 + ((Math.max(count, 1) - 1) % 26));
    const text = letter.repeat(Math.min(1 + Math.floor((Math.max(count, 1) - 1) / 26), 10));
    return format.startsWith('upper') ? text.toUpperCase() : text;
  }
  return format === 'decimalZero' && count < 10 ? `0${count}` : String(count);
}
