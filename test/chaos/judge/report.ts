import { availabilityOf, missedBars } from '../recovery/availability.ts';
import type { Recovery } from '../recovery/await-recovery.ts';
import type { UsedMemory } from '../used-memory.ts';
import type { ChaosResult } from '../chaos-result.ts';

/** Memory leaks if it has grown by more than this factor and these bytes. A browser keeps some of it for later. */
const MEMORY_GROWTH = {
  engine: { factor: 1.5, bytes: 16_000_000 },
  browser: { factor: 1.5, bytes: 500_000_000 },
};

/** Returns a sentence for each failure. */
export function findFailures({
  planned,
  faults,
  requests,
  recoveries,
  uncalm,
  wedges,
  deadBrowsers,
  remainder,
  sharedWorker,
  memory,
}: ChaosResult): string[] {
  return [
    ...wedges.map(({ type, tab, outcomes, remedy, time }) => {
      return `${seconds(time)} ${type} in tab ${tab}: ${outcomes.join(', ')}; what helped: ${remedy}.`;
    }),
    ...requests
      .filter(({ failed }) => failed)
      .map(({ end, tab, asked, outcome, fault, detail = '' }) => {
        return `${seconds(end)} ${outcome} in tab ${tab} after "${fault}": ${asked}; ${detail}`;
      }),
    ...missedBars(availabilityOf(requests, recoveries, deadBrowsers), sharedWorker),
    ...uncalm.map(({ time, sentence }) => `${seconds(time)} ${sentence}`),
    ...(remainder?.leaks ?? []).map((leak) => `Left behind: ${leak}`),
    ...(faults.length < planned ? [`The run ended after ${faults.length} of ${planned} faults.`] : []),
    ...describeGrowth('engine', memory),
    ...describeGrowth('browser', memory),
  ];
}

function describeGrowth(what: keyof UsedMemory, { start, end }: ChaosResult['memory']): string[] {
  const { factor, bytes } = MEMORY_GROWTH[what];
  const [before, after] = [start?.[what] ?? null, end?.[what] ?? null];
  const grown = before !== null && after !== null && after > before * factor + bytes;
  return grown ? [`The memory of the ${what} grew from ${megabytes(before)} to ${megabytes(after)}.`] : [];
}

/** Formats the result: a table of outcomes by the fault before them, and the failures. */
export function formatReport(result: ChaosResult): string {
  const {
    seed,
    model,
    sharedWorker,
    faults,
    requests,
    texts,
    wedges,
    deadBrowsers,
    browserEnds,
    remainder,
    memory: { start, end },
    duration,
  } = result;
  const outcomes = [...new Set(requests.map(({ outcome }) => outcome))].toSorted();
  const names = [...new Set(['none', ...faults.map(({ name }) => name)])];
  const count = (fault: string | null, outcome: string) =>
    requests.filter((request) => (fault === null || request.fault === fault) && request.outcome === outcome).length;
  const rows = [
    ...names.map((name) => [
      name,
      faults.filter((fault) => fault.name === name).length,
      ...outcomes.map((outcome) => count(name, outcome)),
    ]),
    ['all', faults.length, ...outcomes.map((outcome) => count(null, outcome))],
  ];
  const failures = findFailures(result);
  return [
    table(['last fault', 'times', ...outcomes], rows),
    `Seed ${seed}, ${model}, engine in a ${sharedWorker ? 'SharedWorker' : 'dedicated worker'}: ${faults.length} faults, ${requests.length} requests, ${texts} texts written, ${wedges.length} wedges, ${browserEnds.length} browsers that ended by themselves, ` +
      `${deadBrowsers.length} that started nothing any more, ${remainder?.leaks.length ?? 'unknown'} leaks, engine ${megabytes(start?.engine)} at first, ${megabytes(end?.engine)} at last, browser ${megabytes(start?.browser)} and ${megabytes(end?.browser)}, ${seconds(duration)}`,
    formatAvailability(result),
    ...browserDefects(result),
    failures.length === 0 ? 'No failures.' : `${failures.length} failures:\n${failures.join('\n')}`,
  ].join('\n\n');
}

function formatAvailability({ requests, recoveries, deadBrowsers }: ChaosResult): string {
  const { right, soon, median, p95, worst, worstWithDefect, ...counts } = availabilityOf(
    requests,
    recoveries,
    deadBrowsers,
  );
  const slowest = recoveries.filter(({ available }) => available > 10_000).map(formatRecovery);
  return [
    `${right} of ${counts.requests} requests that no fault struck were answered right (${percent(right / Math.max(1, counts.requests))}). ` +
      `${counts.recoveries} recoveries, ${percent(soon)} of them within 10 s: median ${seconds(median)}, p95 ${seconds(p95)}, worst ${seconds(worst)}` +
      `${worstWithDefect > 0 ? `, with a defect of the browser ${seconds(worstWithDefect)}` : ''}.`,
    ...slowest,
  ].join('\n');
}

function formatRecovery({ faults, tab, time, available, defect, gaveUp }: Recovery): string {
  const end = gaveUp ? 'had not recovered after' : 'needed';
  return `Tab ${tab} ${end} ${seconds(available)} (${seconds(time)} by the wall clock) after ${faults.join(', ')}${defect ? `; ${defect}` : ''}.`;
}

/** Reports defects of the browser. They are not failures of the site; no later request of that browser was judged. */
function browserDefects({ browserEnds, deadBrowsers, stalls }: ChaosResult): string[] {
  const defects = [
    ...browserEnds.map(({ time, report }) => `${seconds(time)} ended by itself, ${report.split('\n')[0]}.`),
    ...deadBrowsers.map(({ time, unstartable }) => {
      return `${seconds(time)} did not start for an empty site either: ${unstartable.join(', ')}.`;
    }),
    ...stalls.map((time) => `${seconds(time)} a load of a page had not begun after half a minute; the next one did.`),
  ];
  return defects.length === 0 ? [] : [`${defects.length} defects of the browser:\n${defects.join('\n')}`];
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => (cell === 0 ? '' : String(cell))));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [first, ...rest] = cells;
  return [line(first!), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(line)].join('\n');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function megabytes(bytes: number | null | undefined): string {
  return bytes == null ? 'unknown' : `${(bytes / 1e6).toFixed(0)} MB`;
}
