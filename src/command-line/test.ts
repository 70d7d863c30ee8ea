import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findOrInstallFirefox } from './find-firefox.ts';
import { findOrInstallWebKit } from './find-webkit.ts';
import { findOrInstallBrowser } from './install-browser.ts';
import { mayInstallPackages } from './install-packages.ts';
import { CommandFailure, runCommand } from './run-command.ts';
import { runTool } from './run-tool.ts';
import {
  addCounts,
  formatCounts,
  NO_TESTS,
  readPlaywrightCounts,
  readVitestCounts,
  type TestCounts,
} from './test-counts.ts';

interface StepResult {
  readonly succeeded: boolean;
  readonly counts: TestCounts;
  /** Why this machine cannot do it, where that is no failure. */
  readonly impossible?: string;
}

interface Step {
  readonly name: string;
  /** Steps without whose success this one says nothing. */
  readonly needs?: readonly string[];
  run(): Promise<StepResult>;
}

const reports = mkdtempSync(join(tmpdir(), 'tabserve-test-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

const OTHER_BROWSERS = [
  { name: 'Firefox', find: findOrInstallFirefox },
  { name: 'WebKit', find: findOrInstallWebKit },
] as const;

const STEPS: readonly Step[] = [
  { name: 'Type check', run: () => check('tsc -b') },
  { name: 'Format', run: () => check('oxfmt --check .') },
  { name: 'Lint', run: () => check('oxlint --type-aware --deny-warnings') },
  { name: 'Unused code', run: () => check('knip --no-progress') },
  { name: 'Changesets', run: changesets },
  { name: 'Build', run: () => check('npm run --silent build') },
  { name: 'Documentation', run: () => check('npm run --silent docs') },
  {
    name: 'Unit tests',
    run: () => {
      const report = join(reports, 'unit.json');
      return tests(
        `vitest run --root . --config vite.config.ts --reporter=default --reporter=json --outputFile.json="${report}"`,
        report,
        readVitestCounts,
      );
    },
  },
  { name: 'Browser', run: async () => findingBrowser(findOrInstallBrowser, { required: true }) },
  {
    name: 'Browser tests',
    needs: ['Build', 'Browser'],
    run: () => playwrightTests('test/playwright.config.ts'),
  },
  {
    // On a packed package in a folder of its own, so of the other steps it needs nothing but the browser.
    name: 'Examples',
    needs: ['Browser'],
    run: () => playwrightTests('test/examples.config.ts'),
  },
  {
    name: 'Random faults',
    needs: ['Build', 'Browser'],
    run: () => asOneTest('npm run --silent chaos -- --short'),
  },
  {
    name: 'Prompt cache',
    needs: ['Build', 'Browser'],
    run: () => asOneTest('npm run --silent prompt-cache -- --short'),
  },
  // Not every machine can have these. One that runs this for others, and may install packages, has no excuse.
  ...OTHER_BROWSERS.flatMap(({ name, find }): Step[] => [
    {
      name,
      run: async () => findingBrowser(find, { required: Boolean(process.env['CI']) && mayInstallPackages() }),
    },
    {
      name: `${name} tests`,
      needs: ['Build', 'Browser', name],
      run: () => playwrightTests(`test/${name.toLowerCase()}.config.ts`),
    },
  ]),
];

await runCommand(async (signal) => {
  const results = new Map<string, StepResult>();
  const lines: string[] = [];
  for (const { name, needs = [], run } of STEPS) {
    if (signal.aborted) return 1;
    const missing = needs.find((need) => !results.get(need)?.succeeded);
    if (missing) {
      lines.push(`not run  ${name}, for want of: ${missing}`);
      continue;
    }
    console.log(`\n── ${name}`);
    const start = performance.now();
    const result = await run();
    if (result.impossible !== undefined) {
      lines.push(`not run  ${name}: ${result.impossible}`);
      continue;
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`── ${name}: ${result.succeeded ? 'ok' : 'failed'} in ${seconds} s`);
    results.set(name, result);
    lines.push(`${result.succeeded ? 'ok     ' : 'FAILED '}  ${name}, ${seconds} s`);
  }

  // A step that failed outside any test (types, lint, build, a test file that does not load) counts as one failure.
  const total = [...results.values()]
    .map(({ succeeded, counts }) =>
      succeeded || counts.failed ? counts : addCounts(counts, { ...NO_TESTS, failed: 1 }),
    )
    .reduce(addCounts, NO_TESTS);
  console.log(`\n${lines.join('\n')}\n\n${formatCounts(total)}`);
  return total.failed ? 1 : 0;
});

/** That a branch which changes the package says so to its users. Where there is no `main`, nobody knows what has changed. */
async function changesets(): Promise<StepResult> {
  const isKnown = (await runTool('git rev-parse --verify --quiet main', { output: 'ignore' })) === 0;
  if (isKnown) return check('changeset status');
  return { succeeded: false, counts: NO_TESTS, impossible: 'this clone has no branch main to compare with' };
}

async function check(commandLine: string): Promise<StepResult> {
  return { succeeded: (await runTool(commandLine)) === 0, counts: NO_TESTS };
}

async function tests(
  commandLine: string,
  report: string,
  readCounts: (path: string) => TestCounts,
  environment: Record<string, string> = {},
): Promise<StepResult> {
  const status = await runTool(commandLine, { environment });
  return { succeeded: status === 0, counts: existsSync(report) ? readCounts(report) : NO_TESTS };
}

async function asOneTest(commandLine: string): Promise<StepResult> {
  const succeeded = (await runTool(commandLine)) === 0;
  return { succeeded, counts: { ...NO_TESTS, [succeeded ? 'passed' : 'failed']: 1 } };
}

function playwrightTests(configuration: string): Promise<StepResult> {
  const report = join(reports, `${basename(configuration)}.json`);
  return tests(`playwright test -c ${configuration} --reporter=list,json`, report, readPlaywrightCounts, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
}

/** @param required Whether this machine must have the browser: without one the step has failed, else it was not run. */
function findingBrowser(
  find: () => { readonly path: string; readonly version?: string | number },
  { required }: { readonly required: boolean },
): StepResult {
  try {
    const browser = find();
    console.log(browser.version === undefined ? browser.path : `${browser.path}, version ${browser.version}`);
    return { succeeded: true, counts: NO_TESTS };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    console.error(error.message);
    return { succeeded: false, counts: NO_TESTS, ...(required ? {} : { impossible: error.message }) };
  }
}
