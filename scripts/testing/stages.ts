import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { findFirefox } from '../../src/command-line/browser/find-firefox.ts';
import { findWebKit } from '../../src/command-line/browser/find-webkit.ts';
import { installChromium, installFirefox, installWebKit } from './install-browsers.ts';
import type { Stage, Step } from './run-steps.ts';
import type { Shard } from './shard.ts';
import {
  browserStep,
  BUILT_SITE,
  canInstall,
  CHANGESETS,
  check,
  modelStep,
  pipTest,
  playwrightTests,
  siteTest,
  unitTests,
} from './test-steps.ts';

// The lanes of a stage run in parallel; they are arranged for two cores. Unit tests and most Chromium tests use both
// cores, while Firefox, WebKit and random faults are idle almost half of the time.

export interface StageOptions {
  /** Whether missing browsers may be installed. */
  readonly install: boolean;
  /** Part of the tests to run; null means all. Default: null. */
  readonly shard?: Shard | null;
}

const CHECKS: readonly Step[] = [
  check('Type check', 'tsc -b'),
  check('Format', 'oxfmt --check .'),
  check('Lint', 'oxlint -c oxlint.config.mjs --type-aware --deny-warnings'),
  check('Unused code', 'knip --no-progress'),
  CHANGESETS,
];

const BUILD = check('Build', 'npm run --silent build');

const DOCUMENTATION = check('Documentation', 'npm run --silent docs');

/** Environment in which the unit tests send more random requests than in `npm test`. */
const THOROUGH = { TABSERVE_TEST_THOROUGH: '1' };

const CHROMIUM_TESTS = 'test/playwright.config.ts';
const FIREFOX_TESTS = 'test/firefox.config.ts';

/**
 * Returns the stages of `npm test`: checks parallel to the build, all unit tests, and one pass through every subsystem.
 */
export function fastStages({ install }: StageOptions): readonly Stage[] {
  return [
    [CHECKS, [BUILD]],
    [[unitTests('Unit tests')]],
    [
      [
        chromium(install),
        model(install),
        playwrightTests('Core', CHROMIUM_TESTS, ['Build', 'Chromium'], { select: '--project core' }),
        firefox(install),
        playwrightTests('Firefox smoke test', FIREFOX_TESTS, ['Build', 'Firefox'], { select: '--grep @smoke' }),
      ],
    ],
  ];
}

/** Returns the stages of `npm run test:all`: everything. Each check runs in only one shard; the build runs in all. */
export function allStages({ install, shard = null }: StageOptions): readonly Stage[] {
  return [
    [[BUILD, ...only(shard, 1, DOCUMENTATION)], CHECKS.flatMap((step) => only(shard, 0, step))],
    [[unitTests('Unit tests', { shard, environment: THOROUGH })]],
    [
      [
        chromium(install),
        model(install),
        baseModel(install),
        playwrightTests('Browser tests', CHROMIUM_TESTS, ['Build', 'Chromium'], { shard }),
      ],
    ],
    ...otherBrowserStages(
      { install, shard },
      playwrightTests('Firefox tests', FIREFOX_TESTS, ['Build', 'Firefox'], { shard }),
    ),
  ];
}

/**
 * Returns the stages of `npm run test:all -- --rest`: everything that `npm test` omits. They use the site that `npm
 * test` has built.
 */
export function restStages({ install, shard = null }: StageOptions): readonly Stage[] {
  const browserTests = { shard, select: '--project chromium --project screens --project waiting --project idle' };
  const firefoxTests = { shard, select: '--grep-invert @smoke' };
  return [
    [
      [
        BUILT_SITE,
        chromium(install),
        baseModel(install),
        ...only(shard, 0, unitTests('Thorough unit tests', { environment: THOROUGH, select: 'malformed-requests' })),
      ],
      only(shard, 1, DOCUMENTATION),
    ],
    [[playwrightTests('Browser tests', CHROMIUM_TESTS, ['Build', 'Chromium'], browserTests)]],
    ...otherBrowserStages(
      { install, shard },
      playwrightTests('Firefox tests', FIREFOX_TESTS, ['Build', 'Firefox'], firefoxTests),
    ),
  ];
}

function otherBrowserStages({ install, shard = null }: StageOptions, firefoxTests: Step): readonly Stage[] {
  return [
    [
      [firefox(install), firefoxTests],
      // These tests pack the package and build their own sites.
      [playwrightTests('Examples', 'test/examples.config.ts', ['Chromium'], { shard })],
      [
        ...only(shard, 2, pipTest('Families', 'npm run --silent families')),
        ...only(shard, 4, pipTest('Python clients', 'npm run --silent python-clients')),
        ...only(shard, 3, siteTest('First questions', 'npm run --silent first-questions')),
        ...only(shard, 2, siteTest('Prompt cache', 'npm run --silent prompt-cache -- --short')),
        ...only(shard, 4, webKit(install)),
        ...only(shard, 4, playwrightTests('WebKit tests', 'test/webkit.config.ts', ['Build', 'WebKit'])),
      ],
    ],
    // Alone: beside other browsers on two cores, pages need minutes for what users see in seconds.
    [only(shard, 3, siteTest('Random faults', 'npm run --silent chaos -- --short'))],
  ];
}

/** Fetches the GGUF model that the `@core` tests use with llama.cpp. */
const model = (install: boolean): Step => modelStep('smollm2', install);

/** Fetches a larger GGUF model without a chat template, which one file of browser tests uses. */
const baseModel = (install: boolean): Step => modelStep('gemma3-270m', install);

const chromium = (install: boolean): Step =>
  browserStep('Chromium', { find: findBrowser, install: installChromium, mayInstall: install, required: true });

const firefox = (install: boolean): Step =>
  browserStep('Firefox', {
    find: findFirefox,
    install: installFirefox,
    mayInstall: install,
    required: canInstall(install),
  });

const webKit = (install: boolean): Step =>
  browserStep('WebKit', {
    find: findWebKit,
    install: installWebKit,
    mayInstall: install,
    required: canInstall(install),
  });

/**
 * Assigns a step that cannot be divided to one shard: the step `index` belongs to shard `index + 1`; after the last
 * shard, the count starts again. Returns the step if it belongs to this shard.
 */
function only(shard: Shard | null, index: number, step: Step): readonly Step[] {
  return shard === null || index % shard.count === shard.number - 1 ? [step] : [];
}
