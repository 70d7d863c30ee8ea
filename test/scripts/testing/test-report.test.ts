import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { formatCounts, readPlaywrightReport, readVitestReport } from '../../../scripts/testing/test-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabserve-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

function report(content: object): string {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const VITEST = { numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 3, testResults: [] };
const NO_TIME = { startTime: 0, endTime: 0 };
const PLAYWRIGHT = { stats: { expected: 7, unexpected: 1, flaky: 2, skipped: 3 }, suites: [], errors: [] };

/** A test in Playwright's report. Each run has one of `errors`; an empty string is a run that passed. */
function spec(title: string, status: string, errors: readonly string[]) {
  const results = errors.map((message) => ({ duration: 1500, ...(message ? { error: { message } } : {}) }));
  return { title, file: 'chat.spec.ts', line: 12, tests: [{ status, results }] };
}

test("Vitest's report is counted, and todo tests count as skipped", () => {
  const { counts, remarks } = readVitestReport(report(VITEST));
  expect(counts).toEqual({ passed: 5, failed: 2, skipped: 4 });
  expect(remarks).toEqual([]);
});

test("a failure in Vitest's report becomes one line, and so does a file that it could not read", () => {
  const testResults = [
    {
      name: '/project/test/sum.test.ts',
      status: 'failed',
      message: '',
      startTime: 1000,
      endTime: 3500,
      assertionResults: [
        { status: 'passed', fullName: 'adds', failureMessages: [] },
        { status: 'failed', fullName: ' takes away', failureMessages: ['AssertionError: expected 1\n    to be 2'] },
      ],
    },
    {
      name: '/project/test/no.test.ts',
      status: 'failed',
      message: 'cannot find module x',
      assertionResults: [],
      ...NO_TIME,
    },
    { name: '/project/test/good.test.ts', status: 'passed', message: '', assertionResults: [], ...NO_TIME },
  ];
  const { remarks, files } = readVitestReport(report({ ...VITEST, testResults }));
  expect(remarks).toEqual([
    'failed sum.test.ts: takes away: AssertionError: expected 1 to be 2',
    'failed no.test.ts: cannot find module x',
  ]);
  expect(files[0]).toEqual({ file: 'sum.test.ts', seconds: 2.5, tests: 2, retries: 0 });
});

test("Playwright's report is counted, and tests that passed when retried count as passed", () => {
  const { counts, remarks } = readPlaywrightReport(report(PLAYWRIGHT));
  expect(counts).toEqual({ passed: 9, failed: 1, skipped: 3 });
  expect(remarks).toEqual([]);
});

test("a failure in Playwright's report becomes one line without colours, and so does a retried test", () => {
  const suites = [
    {
      specs: [spec('is good', 'expected', [''])],
      suites: [
        {
          specs: [
            spec('is bad', 'unexpected', ['\u001b[31mTimeout\u001b[39m\nof 1 s']),
            spec('is shaky', 'flaky', ['lost', '']),
          ],
        },
      ],
    },
  ];
  const errors = [{ message: 'no such folder' }];
  const { remarks, files } = readPlaywrightReport(report({ ...PLAYWRIGHT, suites, errors }));
  expect(remarks).toEqual([
    'failed outside of the tests: no such folder',
    'failed chat.spec.ts:12 is bad: Timeout of 1 s',
    'retried chat.spec.ts:12 is shaky: lost',
  ]);
  expect(files).toEqual([{ file: 'chat.spec.ts', seconds: 6, tests: 3, retries: 1 }]);
});

test.for([
  [{ passed: 12, failed: 0, skipped: 0 }, '12 passed, 0 failed'],
  [{ passed: 12, failed: 1, skipped: 2 }, '12 passed, 1 failed, 2 skipped'],
] as const)('%o is printed as %s', ([counts, line]) => {
  expect(formatCounts(counts)).toBe(line);
});
