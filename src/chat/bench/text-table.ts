import { benchStrings as strings } from '../strings/bench.ts';
import type { BenchReport, Result } from './bench-report.ts';
import { ROW_NAMES } from '../types/bench-rows.ts';
import type { Summary } from './statistics.ts';

/**
 * The figures that the page shows, as a table of texts: measured, side, median, middle half, and the endpoint's figure divided by
 * this side's. Where there is no figure, the reason is in its place.
 */
export function textTable({ results, missing, sides }: BenchReport): string[][] {
  return ROW_NAMES.flatMap((row) =>
    sides.flatMap((side) => {
      const names = [strings.rows[row], strings.sides[side]];
      const result = results.find((result) => result.row === row && result.side === side);
      if (result !== undefined) return [[...names, ...cellsOf(result)]];
      const reason = missing.find((entry) => entry.row === row && entry.side === side)?.reason;
      return reason === undefined ? [] : [[...names, reason, '', '']];
    }),
  );
}

function cellsOf({ unit, median, endpointBeside, ...quartiles }: Result): string[] {
  const format = strings.figures[unit];
  const ratio =
    endpointBeside === null
      ? ''
      : `${strings.ratio(endpointBeside.median)} (${middleHalf(endpointBeside, strings.ratio)})`;
  return [format(median), middleHalf({ median, ...quartiles }, format), ratio];
}

/** The quartiles of a summary, in the form of its figures. */
export function middleHalf({ lowerQuartile, upperQuartile }: Summary, format: (value: number) => string): string {
  return strings.middleHalf(format(lowerQuartile), format(upperQuartile));
}
