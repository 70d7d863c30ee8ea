import { expect, test } from 'vitest';
import { formatTimes } from '../../../scripts/testing/time-table.ts';

const FILES = [
  { file: 'a.spec.ts (Core)', seconds: 1.24, tests: 3, retries: 0 },
  { file: 'b.spec.ts (Core)', seconds: 61, tests: 12, retries: 2 },
];

test('the slowest file comes first, and all are summed', () => {
  expect(formatTimes(FILES)).toEqual([
    ' seconds   tests  retries  file',
    '    61.0      12       2   b.spec.ts (Core)',
    '     1.2       3           a.spec.ts (Core)',
    '    62.2      15       2   all files',
  ]);
});

test('of many files the slowest are shown', () => {
  expect(formatTimes(FILES, 1)).toHaveLength(3);
  expect(formatTimes([])).toEqual([]);
});
