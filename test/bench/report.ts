import type { PartSize } from '../../scripts/build/measure-site.ts';
import type { Machine } from './machine.ts';
import type { Measurement } from './measurement.ts';

export interface Report {
  readonly machine: Machine;
  readonly rounds: number;
  readonly measurements: readonly Measurement[];
  readonly sizes: readonly PartSize[];
}

export function formatReport({ machine, rounds, measurements, sizes }: Report): string {
  return [
    `${Object.entries(machine)
      .map(([name, value]) => `${name}: ${value}`)
      .join('; ')}; ${rounds} rounds.`,
    table(
      ['measured', 'median', 'middle half', 'target'],
      measurements.map(({ name, unit, median, lowerQuartile, upperQuartile, count, target }) => [
        name,
        `${format(median)} ${unit}`,
        count > 1 ? `${format(lowerQuartile)} … ${format(upperQuartile)}` : '',
        target ? describeTarget(target, median) : '',
      ]),
    ),
    table(
      ['part of the site', 'kB', 'kB gzip'],
      sizes.map(({ name, raw, gzip }) => [name, (raw / 1000).toFixed(1), (gzip / 1000).toFixed(1)]),
    ),
  ].join('\n\n');
}

function describeTarget(target: NonNullable<Measurement['target']>, median: number): string {
  const [sign, bound] = 'atLeast' in target ? ['≥', target.atLeast] : ['≤', target.atMost];
  const met = sign === '≥' ? median >= bound : median <= bound;
  return `${sign} ${format(bound)}${met ? '' : ' (missed)'}`;
}

/** Three significant digits. */
function format(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

/** A Markdown table whose columns are as wide as their longest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}
