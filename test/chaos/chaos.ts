import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhenStale } from '../../scripts/build/build-when-stale.ts';
import { parseShard } from '../../scripts/testing/shard.ts';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { localModels } from '../../src/command-line/local-models.ts';
import { POCKET, smolLm2, type ChaosModel } from './chaos-model.ts';
import type { ChaosResult } from './chaos-result.ts';
import { provokeBrowserDefects } from './empty-site/empty-site.ts';
import { provokeCacheStandstill } from './empty-site/empty-site-caches.ts';
import { FAULT_NAMES } from './faults.ts';
import { HUB_FAULTS } from './hub/hub-faults.ts';
import { runHubChaos } from './hub/run-hub-chaos.ts';
import { findFailures, formatReport } from './judge/report.ts';
import { questionsTo } from './judge/questions.ts';
import { RightAnswers } from './judge/right-answers.ts';
import { runChaos } from './run-chaos.ts';

/** Runs of a few minutes that detect most regressions; each mode gets half of the faults. */
const SHORT_RUNS = [
  { seed: 2784, faults: 13, only: [], without: [], sharedWorker: true },
  { seed: 1856, faults: 12, only: [], without: [], sharedWorker: false },
];

const USAGE = `Causes random faults in a browser whose tabs ask all the time, and judges every answer.

  npm run chaos -- [options]

  --seed NUMBER    the faults and questions to repeat (default: another one each time)
  --faults NUMBER  how many faults, one each second or two (default 300)
  --shard PART     a part such as 2/4 of the faults, with a seed of its own, so that a long run can be split
  --tabs NUMBER    tabs that ask (default 3)
  --model NAME     pocket (default), or smollm2: on the processor, in a browser without WebGPU
  --parallel NUMBER  requests that SmolLM2 answers at once (default 1)
  --only NAME      a fault to choose from, in place of all; may be repeated
  --without NAME   a fault to leave out; may be repeated
  --other-build FOLDER  another build of the site, such as that of an earlier commit, to be published in turns
  --no-shared-worker  takes SharedWorker away from the pages, so that the engine runs in the dedicated worker of one tab
  --hub            instead: causes faults of a hub, and of three sites that use its engine
  --short          a short run in each mode with a fixed seed
  --empty-site NUMBER  instead: stops the worker of an empty site so many times while its page is loaded, and counts what
                   the browser makes of it; what happens there is no fault of this site's
  --empty-caches NUMBER  instead: clears the data of an empty site so many times while its caches are being filled, and tells
                   whether they still answer
  --verbose        tells of every fault when it is done

Faults: ${FAULT_NAMES.join(', ')}.

Faults with a hub: ${HUB_FAULTS.map(({ name }) => name).join(', ')}.

Writes chaos-results/*.json. The exit status is 1 when anything was not as promised.`;

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    seed: { type: 'string' },
    faults: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
    tabs: { type: 'string', default: '3' },
    parallel: { type: 'string', default: '1' },
    model: { type: 'string', default: POCKET.id },
    only: { type: 'string', multiple: true, default: [] },
    without: { type: 'string', multiple: true, default: [] },
    'no-shared-worker': { type: 'boolean', default: false },
    'other-build': { type: 'string' },
    hub: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    'empty-site': { type: 'string' },
    'empty-caches': { type: 'string' },
  });
  if (values['empty-site'] !== undefined) {
    console.log(await provokeBrowserDefects(parseCount('--empty-site', values['empty-site'])));
    return 0;
  }
  if (values['empty-caches'] !== undefined) {
    console.log(await provokeCacheStandstill(parseCount('--empty-caches', values['empty-caches'])));
    return 0;
  }
  const names = values.hub ? HUB_FAULTS.map(({ name }) => name) : FAULT_NAMES;
  const unknown = [...values.only, ...values.without].find((name) => !names.includes(name));
  if (unknown !== undefined) throw new CommandFailure(`There is no fault "${unknown}"; --help lists them.`);
  const shard = parseShard(values.shard);
  const first = values.seed === undefined ? randomSeed() : parseCount('--seed', values.seed);
  const seed = first + shard.number - 1;
  const faults = Math.ceil((values.faults === undefined ? 300 : parseCount('--faults', values.faults)) / shard.count);
  const { only, without } = values;
  const chosen = { seed, faults, only, without, sharedWorker: !values['no-shared-worker'] };

  if (values.hub) {
    // Also makes the built-in models, which the sites serve.
    if (process.env['TABSERVE_TEST_DIST'] === undefined) await buildWhenStale();
    const { verbose } = values;
    const result = await runHubChaos({ seed, faults, only, without, verbose, signal, report: tell });
    console.log(formatReport(result));
    const failures = findFailures(result);
    console.log(`\nAlso in ${writeResult({ browser: findBrowser().version, failures, ...result })}`);
    return failures.length > 0 ? 1 : 0;
  }
  const dist = process.env['TABSERVE_TEST_DIST'] ?? (await buildWhenStale());
  const browser = findBrowser();
  const model = findModel(values.model, parseCount('--parallel', values.parallel));
  const answers = new RightAnswers(questionsTo(model));
  const failed: string[] = [];
  for (const run of values.short ? SHORT_RUNS : [chosen]) {
    console.error(
      `Seed ${run.seed}, ${model.id}, ${run.sharedWorker ? '' : 'no '}SharedWorker, Chromium ${browser.version}`,
    );
    const result = await runChaos({
      ...run,
      model,
      tabs: parseCount('--tabs', values.tabs),
      answers,
      verbose: values.verbose,
      dist,
      otherBuild: values['other-build'],
      signal,
      report: tell,
    });
    console.log(formatReport(result));
    const failures = findFailures(result);
    console.log(`\nAlso in ${writeResult({ browser: browser.version, failures, ...result })}`);
    failed.push(...failures.map((failure) => `Seed ${run.seed}: ${failure}`));
  }
  // Once more at the end, the only part of the output that some runners keep.
  if (failed.length > 0) console.log(`\nFailures of all runs:\n${failed.join('\n')}`);
  return failed.length > 0 ? 1 : 0;
});

function tell(sentence: string): void {
  console.error(sentence);
}

function findModel(id: string, parallel: number): ChaosModel {
  if (id === POCKET.id) return POCKET;
  const gguf = localModels().find((model) => model.id === id);
  if (id === 'smollm2' && gguf !== undefined) return smolLm2({ ...gguf, parallel });
  throw new CommandFailure(`There is no model "${id}" here. \`npm run model -- smollm2\` fetches SmolLM2.`);
}

/** @returns the path of the file. */
function writeResult(result: ChaosResult & { readonly browser: number; readonly failures: readonly string[] }): string {
  const folder = join(PROJECT_FOLDER, 'chaos-results');
  const mode = `${result.model}-${result.sharedWorker ? '' : 'no-shared-worker-'}`;
  const file = join(folder, `seed-${result.seed}-${mode}${new Date().toISOString().replaceAll(':', '-')}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`);
  return file;
}

function randomSeed(): number {
  return 1 + Math.floor(Math.random() * 999_999);
}
