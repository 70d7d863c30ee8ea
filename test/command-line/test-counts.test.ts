import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { formatCounts, readPlaywrightCounts, readVitestCounts } from '../../src/command-line/test-counts.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabserve-counts-'));
afterAll(() => rmSync(folder, { recursive: true }));

function report(content: object): string {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test("Vitest's report is counted, tests that are still to be written as skipped", () => {
  const path = report({ numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 3, numTotalTests: 11 });
  expect(readVitestCounts(path)).toEqual({ passed: 5, failed: 2, skipped: 4 });
});

test("Playwright's report is counted, tests that passed when repeated as passed", () => {
  const path = report({ stats: { expected: 7, unexpected: 1, flaky: 2, skipped: 3 } });
  expect(readPlaywrightCounts(path)).toEqual({ passed: 9, failed: 1, skipped: 3 });
});

test.for([
  [{ passed: 12, failed: 0, skipped: 0 }, '12 passed, 0 failed'],
  [{ passed: 12, failed: 1, skipped: 2 }, '12 passed, 1 failed, 2 skipped'],
] as const)('%o reads as %s', ([counts, line]) => {
  expect(formatCounts(counts)).toBe(line);
});
