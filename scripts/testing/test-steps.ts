import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localModels } from '../../src/command-line/local-models.ts';
import { DIST_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure } from '../../src/command-line/run-command.ts';
import { runInProject, type OutputMode } from '../run-in-project.ts';
import { installPip, mayInstallPackages } from './install-browsers.ts';
import type { Step, StepResult } from './run-steps.ts';
import type { Shard } from './shard.ts';
import { NO_TESTS, readPlaywrightReport, readVitestReport, type TestReport } from './test-report.ts';

const reports = mkdtempSync(join(tmpdir(), 'tabserve-test-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

/** Creates a step that runs a command which succeeds or fails as a whole and counts no tests. */
export function check(name: string, commandLine: string): Step {
  return {
    name,
    run: async (output) => ({ succeeded: (await runInProject(commandLine, { output })) === 0, counts: NO_TESTS }),
  };
}

/** Checks that a branch which changes the package contains a changeset. Skipped in clones without the branch `main`. */
export const CHANGESETS: Step = {
  name: 'Changesets',
  run: async (output) => {
    if ((await runInProject('git rev-parse --verify --quiet main', { output: 'ignore' })) === 0)
      return check('Changesets', 'changeset status').run(output);
    return { succeeded: false, counts: NO_TESTS, impossible: 'this clone has no branch main to compare with' };
  },
};

export const BUILT_SITE: Step = {
  name: 'Build',
  run: async () => {
    if (existsSync(join(DIST_FOLDER, 'index.html'))) return { succeeded: true, counts: NO_TESTS };
    const remarks = ['There is no built site: run `npm test` or `npm run build` first.'];
    return { succeeded: false, counts: NO_TESTS, remarks };
  },
};

/** How many characters of a failed check's output its remark repeats. */
const REMARK_LENGTH = 6000;

/**
 * Creates a step that runs a command which checks the built site and counts as one test. If it fails, the end of its
 * output is repeated at the end of the log, the only part that some runners keep. In CI it is tried up to three times, as
 * each browser test is, and remarks tell of the failures also where a later try succeeds.
 */
export function siteTest(name: string, commandLine: string): Step {
  return {
    name,
    needs: ['Build', 'Chromium'],
    run: async () => {
      const remarks: string[] = [];
      for (const outcome of process.env['CI'] ? ['retried', 'retried', 'failed'] : ['failed']) {
        const failure = await findSiteFailure(commandLine);
        const succeeded = failure === null;
        if (succeeded) return { succeeded, counts: { ...NO_TESTS, passed: 1 }, ...(remarks.length > 0 && { remarks }) };
        remarks.push(`${outcome}, and printed last:\n${failure}`);
      }
      return { succeeded: false, counts: { ...NO_TESTS, failed: 1 }, remarks };
    },
  };
}

/** Runs a check of the built site. Returns the end of its output if it fails, else null. */
async function findSiteFailure(commandLine: string): Promise<string | null> {
  // Uses the site without rebuilding it: packing the package rewrites the built-in models, after which the site looks
  // outdated.
  const environment = { TABSERVE_TEST_DIST: DIST_FOLDER };
  let output = '';
  const onOutput = (text: string) => (output = text);
  const status = await runInProject(commandLine, { environment, output: 'at-end', onOutput });
  return status === 0 ? null : output.trim().slice(-REMARK_LENGTH);
}

/** Creates a {@link siteTest} of files that pip fetches. Without Python and pip it is skipped. */
export function pipTest(name: string, commandLine: string): Step {
  const step = siteTest(name, commandLine);
  return {
    ...step,
    run: async (output) => {
      if ((await runInProject('python3 -m pip --version', { output: 'ignore' })) === 0) return step.run(output);
      return {
        succeeded: false,
        counts: NO_TESTS,
        impossible: 'there is no Python with pip, which fetches its files.',
      };
    },
  };
}

export interface TestSelection {
  /** Extra arguments of the test runner. Default: all tests run. */
  readonly select?: string;
  /** Part of the tests to run; null means all. Default: null. */
  readonly shard?: Shard | null;
  readonly environment?: Readonly<Record<string, string>>;
}

export function unitTests(name: string, selection: TestSelection = {}): Step {
  return testStep(name, [], selection, readVitestReport, (report) => [
    'vitest run --config test/vitest.config.ts --reporter=default --reporter=json',
    `--outputFile.json="${report}"`,
    mayBeEmpty(selection) ? '--passWithNoTests' : '',
  ]);
}

/**
 * Creates a step that runs tests by Playwright.
 * @param needs Names of the steps that must succeed first.
 */
export function playwrightTests(
  name: string,
  configuration: string,
  needs: readonly string[],
  selection: TestSelection = {},
): Step {
  return testStep(name, needs, selection, readPlaywrightReport, () => [
    `playwright test -c ${configuration} --reporter=list,json`,
    mayBeEmpty(selection) ? '--pass-with-no-tests' : '',
  ]);
}

/**
 * Whether the selection may contain no test. It may if there are more shards than tests; otherwise an empty selection
 * is a mistake.
 */
function mayBeEmpty({ shard = null }: TestSelection): boolean {
  return shard !== null;
}

function testStep(
  name: string,
  needs: readonly string[],
  { select = '', shard = null, environment = {} }: TestSelection,
  readReport: (path: string) => TestReport,
  commandLine: (report: string) => readonly string[],
): Step {
  return {
    name,
    needs,
    run: async (output: OutputMode): Promise<StepResult> => {
      const report = join(reports, `${name.replaceAll(' ', '-')}.json`);
      const words = [...commandLine(report), select, shard === null ? '' : `--shard=${shard.number}/${shard.count}`];
      const status = await runInProject(words.join(' '), {
        environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...environment },
        output,
      });
      return { succeeded: status === 0, ...(existsSync(report) ? readReport(report) : { counts: NO_TESTS }) };
    },
  };
}

interface BrowserSearch {
  readonly find: () => { readonly path: string; readonly version?: string | number };
  readonly install: () => void;
  readonly mayInstall: boolean;
  /** Whether a missing browser is a failure. If not, its tests are skipped. */
  readonly required: boolean;
}

export function browserStep(name: string, { find, install, mayInstall, required }: BrowserSearch): Step {
  return {
    name,
    run: async () => {
      try {
        const browser = mayInstall ? findOrInstall(find, install) : find();
        console.log(browser.version === undefined ? browser.path : `${browser.path}, version ${browser.version}`);
        return { succeeded: true, counts: NO_TESTS };
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        const advice = mayInstall ? error.message : `${error.message} With \`-- --install\` this command does so.`;
        if (!required) return { succeeded: false, counts: NO_TESTS, impossible: advice };
        console.error(advice);
        return { succeeded: false, counts: NO_TESTS, remarks: [advice] };
      }
    },
  };
}

/**
 * Creates a step that fetches the model which some tests use, if that is allowed and the model is missing. Without the
 * model these tests are skipped, with the reason in their names.
 * @param mayFetch Whether the model may be downloaded, and on Debian as root what downloads them be installed.
 */
export function modelStep(id: string, mayFetch: boolean): Step {
  const isThere = () => localModels().some((model) => model.id === id);
  return {
    name: `Model ${id}`,
    run: async (output) => {
      const command = `npm run --silent model -- ${id}`;
      if (!isThere() && mayFetch) {
        if (canInstall(mayFetch) && (await runInProject('python3 -m pip --version', { output: 'ignore' })) !== 0)
          installPip();
        await runInProject(command, { output });
      }
      if (isThere()) return { succeeded: true, counts: NO_TESTS };
      return { succeeded: false, counts: NO_TESTS, impossible: `the model is not here. \`${command}\` fetches it.` };
    },
  };
}

/** Whether Debian's browsers can be installed on this machine, so that a missing browser is a failure. */
export const canInstall = (install: boolean): boolean => install && mayInstallPackages();

function findOrInstall<T>(find: () => T, install: () => void): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    console.error(`${error.message}\nInstalling, which can take some minutes…`);
    install();
    return find();
  }
}
