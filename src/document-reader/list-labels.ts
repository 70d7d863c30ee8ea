import { numeral } from './list-numerals.ts';

/** One level of a numbered or bulleted list. */
export interface ListLevel {
  /** `decimal`, `lowerLetter`, `upperLetter`, `lowerRoman`, `upperRoman`, `bullet`, `none`, or another one of DOCX. */
  readonly format: string;
  /** The label, with `%1` for the number of the first level, and so on. */
  readonly pattern: string;
  readonly start: number;
  /** Whether the count goes on below the next item of an outer level. Default: it begins anew. */
  readonly goesOn?: boolean;
  /** Whether the numbers of all levels are written in digits. */
  readonly isInDigits?: boolean;
}

/** Counts the items of lists and writes the labels that a person sees in front of them. */
export class ListLabels {
  readonly #counts = new Map<string, (number | undefined)[]>();

  /**
   * Counts an item and returns its label.
   * @param list Identifies the list.
   * @param level The item's level from 0.
   * @param levels The list's levels.
   * @param start The number of the item if it is not the next one.
   */
  next(list: string, level: number, levels: readonly (ListLevel | undefined)[], start?: number): string {
    const own = levels[level];
    if (own === undefined || own.format === 'none') return '';
    if (own.format === 'bullet') return '-';
    const counts = this.#counts.get(list) ?? [];
    this.#counts.set(list, counts);
    for (let inner = level + 1; inner < counts.length; inner += 1)
      if (levels[inner]?.goesOn !== true) counts[inner] = undefined;
    counts[level] = start ?? (counts[level] === undefined ? own.start : counts[level] + 1);
    return own.pattern.replace(/%(\d)/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      const count = counts[index] ?? levels[index]?.start ?? 1;
      const format = levels[index]?.format ?? 'decimal';
      return numeral(count, own.isInDigits === true && format !== 'decimalZero' ? 'decimal' : format);
    });
  }
}
