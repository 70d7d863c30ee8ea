import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findOrInstallFirefox } from '../browser/find-firefox.ts';
import { findOrInstallWebKit } from '../browser/find-webkit.ts';
import { findOrInstallBrowser } from '../browser/install-browser.ts';
import { mayInstallPackages } from '../browser/install-packages.ts';
import { DIST_FOLDER } from '../project-folders.ts';
import { CommandFailure, runCommand } from '../run-command.ts';
import { runSteps, type Stage, type Step, type StepResult } from './run-steps.ts';
import { runTool, type ToolOutput } from '../run-tool.ts';
import { formatCounts, NO_TESTS, readPlaywrightReport, readVitestReport, type TestReport } from './test-report.ts';

const reports = mkdtempSync(join(tmpdir(), 'tabserve-test-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

type BrowserFinder = () => { readonly path: string; readonly version?: string | number };

// What side by side has to fit into two cores: Firefox waits for almost half of its time, and so do random faults. Unit tests
// and Chromium's, which keep both cores busy, have them to themselves.
const STAGES: readonly Stage[] = [
  [
    [
      { name: 'Type check', run: check('tsc -b') },
      { name: 'Format', run: check('oxfmt --check .') },
      { name: 'Lint', run: check('oxlint -c oxlint.config.mjs --type-aware --deny-warnings') },
      { name: 'Unused code', run: check('knip --no-progress') },
      { name: 'Changesets', run: changesets },
    ],
    [
      { name: 'Build', run: check('npm run --silent build') },
      { name: 'Documentation', run: check('npm run --silent docs') },
    ],
  ],
  [
    [
      {
        name: 'Unit tests',
        run: (output) => {
          const report = join(reports, 'unit.json');
          return tests(
            `vitest run --root . --config vite.config.ts --reporter=default --reporter=json --outputFile.json="${report}"`,
            { report, readReport: readVitestReport, output },
          );
        },
      },
      { name: 'Browser', run: async () => findingBrowser(findOrInstallBrowser, { required: true }) },
      { name: 'Browser tests', needs: ['Build', 'Browser'], run: playwrightTests('test/playwright.config.ts') },
    ],
  ],
  [
    otherBrowser('Firefox', findOrInstallFirefox),
    [
      // On a packed package in a folder of its own, so of the other steps it needs nothing but the browser.
      { name: 'Examples', needs: ['Browser'], run: playwrightTests('test/examples.config.ts') },
      { name: 'Prompt cache', needs: ['Build', 'Browser'], run: asOneTest('npm run --silent prompt-cache -- --short') },
    ],
  ],
  [
    [{ name: 'Random faults', needs: ['Build', 'Browser'], run: asOneTest('npm run --silent chaos -- --short') }],
    otherBrowser('WebKit', findOrInstallWebKit),
  ],
];

await runCommand(async (signal) => {
  const { lines, remarks, total } = await runSteps(STAGES, signal);
  if (signal.aborted) return 1;
  // Last, as the end of the log is what is looked at first.
  console.log(`\n${[...lines, '', ...remarks, formatCounts(total)].join('\n')}`);
  return total.failed ? 1 : 0;
});

/** Not every machine can have it. One that runs this for others, and may install packages, has no excuse. */
function otherBrowser(name: string, find: BrowserFinder): readonly Step[] {
  return [
    {
      name,
      run: async () => findingBrowser(find, { required: Boolean(process.env['CI']) && mayInstallPackages() }),
    },
    {
      name: `${name} tests`,
      needs: ['Build', 'Browser', name],
      run: playwrightTests(`test/${name.toLowerCase()}.config.ts`),
    },
  ];
}

/** That a branch which changes the package says so to its users. Where there is no `main`, nobody knows what has changed. */
async function changesets(output: ToolOutput): Promise<StepResult> {
  const isKnown = (await runTool('git rev-parse --verify --quiet main', { output: 'ignore' })) === 0;
  if (isKnown) return check('changeset status')(output);
  return { succeeded: false, counts: NO_TESTS, impossible: 'this clone has no branch main to compare with' };
}

function check(commandLine: string): Step['run'] {
  return async (output) => ({ succeeded: (await runTool(commandLine, { output })) === 0, counts: NO_TESTS });
}

interface TestRun {
  readonly report: string;
  readonly readReport: (path: string) => TestReport;
  readonly output: ToolOutput;
  readonly environment?: Readonly<Record<string, string>>;
}

async function tests(commandLine: string, run: TestRun): Promise<StepResult> {
  const { report, readReport, output, environment = {} } = run;
  const status = await runTool(commandLine, { environment, output });
  return { succeeded: status === 0, ...(existsSync(report) ? readReport(report) : { counts: NO_TESTS }) };
}

/** What judges the built site as a whole. To these it would look stale, since models have been written again for the package. */
function asOneTest(commandLine: string): Step['run'] {
  const environment = { TABSERVE_TEST_DIST: DIST_FOLDER };
  return async (output) => {
    const succeeded = (await runTool(commandLine, { environment, output })) === 0;
    return { succeeded, counts: { ...NO_TESTS, [succeeded ? 'passed' : 'failed']: 1 } };
  };
}

function playwrightTests(configuration: string): Step['run'] {
  return (output) => {
    const report = join(reports, `${basename(configuration)}.json`);
    return tests(`playwright test -c ${configuration} --reporter=list,json`, {
      report,
      readReport: readPlaywrightReport,
      output,
      environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    });
  };
}

/** @param required Whether this machine must have the browser: without one the step has failed, else it was not run. */
function findingBrowser(find: BrowserFinder, { required }: { readonly required: boolean }): StepResult {
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
