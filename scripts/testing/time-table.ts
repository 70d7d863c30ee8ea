import type { FileTimes } from './test-report.ts';

/**
 * Formats each test file's time and retries, slowest first, with a total. Empty without files.
 * @param most Number of files shown. Default: all.
 */
export function formatTimes(files: readonly FileTimes[], most = Infinity): readonly string[] {
  if (files.length === 0) return [];
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, most);
  const total = files.reduce((sum, { seconds, tests, retries }) => ({
    file: 'all files',
    seconds: sum.seconds + seconds,
    tests: sum.tests + tests,
    retries: sum.retries + retries,
  }));
  return [' seconds   tests  retries  file', ...[...slowest, total].map(formatLine)];
}

function formatLine({ file, seconds, tests, retries }: FileTimes): string {
  const columns = [seconds.toFixed(1), String(tests), String(retries || '')];
  return `${columns.map((column) => column.padStart(8)).join('')}   ${file}`;
}
