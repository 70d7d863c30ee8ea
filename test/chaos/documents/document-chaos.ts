import { buildWhenStale } from '../../../scripts/build/build-when-stale.ts';
import { parseCount, parseOptions } from '../../../src/command-line/parse-options.ts';
import { CommandFailure, runCommand } from '../../../src/command-line/run-command.ts';
import { buildWordSite } from '../../support/sites/build-word-site.ts';
import { FAULT_NAMES } from '../faults.ts';
import { runDocumentChaos } from './run-document-chaos.ts';

const USAGE = `Does random faults to a browser whose tabs use files and vector stores, and looks for what is lost or half.

  npm run document-chaos -- [options]

  --seed NUMBER    the faults and requests to repeat (default: another one each time)
  --faults NUMBER  how many faults (default 100)
  --tabs NUMBER    tabs, each with files of its own (default 3)
  --only NAME      a fault to choose from, in place of all; may be repeated
  --no-shared-worker  takes SharedWorker away from the pages, so that the engine runs in the dedicated worker of one tab

The engine's vectors cost nothing; all else is real. After each row of faults every file that was uploaded must be whole, every file of
a vector store indexed or failed with a reason, what is indexed be found, and what was deleted have left no byte in any storage of the
site. The exit status is 1 if anything is not so.`;

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    seed: { type: 'string' },
    faults: { type: 'string', default: '100' },
    tabs: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true, default: [] },
    'no-shared-worker': { type: 'boolean', default: false },
  });
  const unknown = values.only.find((name) => !FAULT_NAMES.includes(name));
  if (unknown !== undefined) throw new CommandFailure(`There is no fault "${unknown}".`);
  const seed = values.seed === undefined ? 1 + Math.floor(Math.random() * 999_999) : parseCount('--seed', values.seed);
  console.error(`Seed ${seed}`);
  const dist = process.env['TABSERVE_TEST_DIST'] ?? (await buildWhenStale());
  const result = await runDocumentChaos({
    seed,
    faults: parseCount('--faults', values.faults),
    tabs: parseCount('--tabs', values.tabs),
    sharedWorker: !values['no-shared-worker'],
    only: values.only,
    folder: await buildWordSite({ dist }),
    signal,
    report: (sentence) => console.error(sentence),
  });
  console.log(JSON.stringify(result, null, 1));
  return result.defects.length === 0 ? 0 : 1;
});
