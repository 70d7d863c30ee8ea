import type { BenchReport } from '../../src/bench/bench-report.ts';
import { benchStrings as strings } from '../../src/chat/strings/bench-strings.ts';
import { ROW_NAMES, type RowName } from '../../src/chat/types/bench-rows.ts';
import type { Machine } from './machine.ts';
import { table } from './report.ts';

/**
 * Formats the figures of the page `/bench/` as a Markdown table of rows and sides: medians, with the quartiles in
 * brackets.
 */
export function formatBenchReport(report: BenchReport, machine: Machine): string {
  const { model, rounds, results, sides, leftOut, missing, place } = report;
  const rows = ROW_NAMES.filter((row) => results.some((result) => result.row === row));
  return [
    `${Object.entries({ model: `${model.id} on ${place}`, ...machine })
      .map(([name, value]) => `${name}: ${value}`)
      .join('; ')}; ${rounds} rounds.`,
    table(
      ['measured', ...sides.map((side) => strings.sides[side])],
      rows.map((row) => [strings.rows[row], ...sides.map((side) => figure(report, row, side))]),
    ),
    ...leftOut.map(({ side, reason }) => `${strings.sides[side]}: ${reason}`),
    ...missing.map(({ row, side, reason }) => `${strings.rows[row]}, ${strings.sides[side]}: ${reason}`),
    `Reading the model's files from the browser's storage alone: ${strings.figures.ms(model.readTime)}.`,
  ].join('\n\n');
}

function figure({ results }: BenchReport, row: RowName, side: BenchReport['sides'][number]): string {
  const result = results.find((result) => result.row === row && result.side === side);
  if (!result) return '';
  const { median, lowerQuartile, upperQuartile, count, unit, endpointBeside } = result;
  const format = strings.figures[unit];
  return [
    format(median),
    count > 1 ? ` (${strings.middleHalf(format(lowerQuartile), format(upperQuartile))})` : '',
    endpointBeside ? `; ${strings.beside(strings.ratio(endpointBeside.median))}` : '',
  ].join('');
}
