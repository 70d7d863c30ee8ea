import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface FileTimes {
  /** Path relative to `test`. */
  readonly file: string;
  /** Seconds of all tests and retries. */
  readonly seconds: number;
  readonly tests: number;
  /** Number of retries after failures. */
  readonly retries: number;
}

export interface TestReport {
  readonly counts: TestCounts;
  /** One line for each failed or flaky test, with its place and reason. */
  readonly remarks: readonly string[];
  readonly files: readonly FileTimes[];
}

export const NO_TESTS: TestCounts = { passed: 0, failed: 0, skipped: 0 };

export function addCounts(a: TestCounts, b: TestCounts): TestCounts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** Formats counts, such as `12 passed, 0 failed, 1 skipped`. Omits skipped tests if there are none. */
export function formatCounts({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
}

interface VitestFile {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  /** Milliseconds since 1970. */
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages?: readonly string[] | null;
  }[];
}

export function readVitestReport(path: string): TestReport {
  const report = JSON.parse(readFileSync(path, 'utf8')) as Record<
    'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests',
    number
  > & { readonly testResults: readonly VitestFile[] };
  return {
    counts: {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    remarks: report.testResults.flatMap(({ name: path, status, message, assertionResults }) => {
      const name = belowTest(path);
      const failed = assertionResults.filter((test) => test.status === 'failed');
      // A file that does not load contains no tests.
      if (!failed.length) return status === 'failed' ? [remark('failed', name, message)] : [];
      return failed.map((test) => remark('failed', `${name}: ${test.fullName.trim()}`, test.failureMessages?.[0]));
    }),
    files: report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      file: belowTest(name),
      seconds: (endTime - startTime) / 1000,
      tests: assertionResults.length,
      retries: 0,
    })),
  };
}

const belowTest = (path: string): string => path.replace(/^.*[/\\]test[/\\]/, '');

interface PlaywrightError {
  readonly message?: string;
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly results: readonly { readonly duration: number; readonly error?: PlaywrightError }[];
    }[];
  }[];
}

/** Reads a report of Playwright's `json` reporter. A test that passes on a retry counts as passed. */
export function readPlaywrightReport(path: string): TestReport {
  const { stats, suites, errors } = JSON.parse(readFileSync(path, 'utf8')) as PlaywrightSuite & {
    readonly stats: Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>;
    readonly errors: readonly PlaywrightError[];
    readonly suites: readonly PlaywrightSuite[];
  };
  return {
    counts: { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped },
    remarks: [
      ...errors.map(({ message }) => remark('failed', 'outside of the tests', message)),
      ...playwrightRemarks(suites),
    ],
    files: playwrightFiles(suites),
  };
}

/** Merges the runs of one file in several projects. */
function playwrightFiles(suites: readonly PlaywrightSuite[]): readonly FileTimes[] {
  const files = new Map<string, FileTimes>();
  for (const { file, tests } of suites.flatMap(allSpecs)) {
    const runs = tests.flatMap(({ results }) => results);
    const before = files.get(file) ?? { file, seconds: 0, tests: 0, retries: 0 };
    files.set(file, {
      file,
      seconds: before.seconds + runs.reduce((sum, { duration }) => sum + duration / 1000, 0),
      tests: before.tests + tests.length,
      retries: before.retries + tests.reduce((sum, { results }) => sum + Math.max(0, results.length - 1), 0),
    });
  }
  return [...files.values()];
}

const allSpecs = ({ suites = [], specs = [] }: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> => [
  ...specs,
  ...suites.flatMap(allSpecs),
];

function playwrightRemarks(suites: readonly PlaywrightSuite[]): readonly string[] {
  return suites.flatMap(allSpecs).flatMap(({ title, file, line, tests }) =>
    tests.flatMap(({ status, results }) => {
      if (status !== 'unexpected' && status !== 'flaky') return [];
      const reason = results.find(({ error }) => error)?.error?.message;
      return [remark(status === 'flaky' ? 'retried' : 'failed', `${file}:${line} ${title}`, reason)];
    }),
  );
}

/** Formats an outcome and its reason in one line, so that the end of a log shows many. */
function remark(outcome: 'failed' | 'retried', test: string, reason = 'no reason given'): string {
  const words = stripVTControlCharacters(reason).replace(/\s+/g, ' ').trim();
  return `${outcome} ${test}: ${words.length > 300 ? `${words.slice(0, 300)}…` : words}`;
}
