import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhenStale } from '../../src/command-line/build/build-when-stale.ts';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { provokeBrowserDefects } from './empty-site/empty-site.ts';
import { provokeCacheStandstill } from './empty-site/empty-site-caches.ts';
import { FAULTS } from './faults.ts';
import { findFailures, formatReport } from './judge/report.ts';
import { runChaos } from './run-chaos.ts';

/** A run of a minute or so, to see at once whether a change broke something. */
const SHORT_RUN = { seed: 1, faults: 25, without: [] };

const USAGE = `Does random faults to a browser whose tabs ask all the time, and judges every answer.

  npm run chaos -- [options]

  --seed NUMBER    the faults and questions to repeat (default: another one each time)
  --faults NUMBER  how many faults, one each second or two (default 300)
  --tabs NUMBER    tabs that ask (default 3)
  --without NAME   a fault to leave out; may be repeated
  --short          one short run with a fixed seed
  --empty-site NUMBER  instead: stops the worker of an empty site so many times while its page is loaded, and counts what
                   the browser makes of it; what happens there is no fault of this site's
  --empty-caches NUMBER  instead: clears the data of an empty site so many times while its caches are being filled, and tells
                   whether they still answer
  --verbose        tells of every fault when it is done

Faults: ${FAULTS.map(({ name }) => name).join(', ')}.

Writes chaos-results/*.json. The exit status is 1 when anything was not as promised.`;

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    seed: { type: 'string' },
    faults: { type: 'string' },
    tabs: { type: 'string', default: '3' },
    without: { type: 'string', multiple: true, default: [] },
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
  const unknown = values.without.find((name) => !FAULTS.some((fault) => fault.name === name));
  if (unknown !== undefined) throw new CommandFailure(`There is no fault "${unknown}"; --help lists them.`);
  const seed = values.seed === undefined ? randomSeed() : parseCount('--seed', values.seed);
  const faults = values.faults === undefined ? 300 : parseCount('--faults', values.faults);
  const chosen = values.short ? SHORT_RUN : { seed, faults, without: values.without };

  const dist = process.env['TABSERVE_TEST_DIST'] ?? (await buildWhenStale());
  const browser = findBrowser();
  console.error(`Seed ${chosen.seed}, Chromium ${browser.version}`);
  const result = await runChaos({
    ...chosen,
    tabs: parseCount('--tabs', values.tabs),
    verbose: values.verbose,
    dist,
    signal,
    report: (sentence) => console.error(sentence),
  });
  console.log(formatReport(result));
  const results = join(PROJECT_FOLDER, 'chaos-results');
  const file = join(results, `seed-${chosen.seed}-${new Date().toISOString().replaceAll(':', '-')}.json`);
  mkdirSync(results, { recursive: true });
  const failures = findFailures(result);
  writeFileSync(file, `${JSON.stringify({ browser: browser.version, failures, ...result }, null, 1)}\n`);
  console.log(`\nAlso in ${file}`);
  return failures.length === 0 ? 0 : 1;
});

function randomSeed(): number {
  return 1 + Math.floor(Math.random() * 999_999);
}
