import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// oxlint-disable-next-line no-restricted-imports -- of what a site runs, only src/engine-worker/webllm/ knows WebLLM; this is run by hand
import { prebuiltAppConfig, type ModelRecord } from '@mlc-ai/web-llm';
import { estimatePackageSize } from './estimate-package-size.ts';
import { parseOptions } from '../../src/command-line/parse-options.ts';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { readPackageSize } from './read-package-size.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { errorMessage } from '../../src/shared/error-message.ts';

const USAGE = `Usage: npm run catalogue-sizes [-- --offline]

Writes down how large each model of WebLLM's catalogue is to download. Its server is asked; where that cannot
be reached, the size that was read from it earlier stays, or else an estimate is made from the model's name.

  --offline   ask no server`;

const FILE = join(PROJECT_FOLDER, 'src/engine-worker/models/catalogue-sizes.json');

/** Timeout for one file in milliseconds. */
const FILE_TIMEOUT = 20_000;
const PARALLEL_PACKAGES = 8;

interface CatalogueSizes {
  /** Date of the update, as YYYY-MM-DD. */
  readonly date: string;
  /** Bytes by model id, read from the package's server. */
  readonly measured: Record<string, number>;
  /** Bytes by model id. */
  readonly estimated: Record<string, number>;
}

await runCommand(async () => {
  const { values } = parseOptions(USAGE, { offline: { type: 'boolean', default: false } });
  const before = JSON.parse(readFileSync(FILE, 'utf8')) as CatalogueSizes;
  const sizes: CatalogueSizes = { date: new Date().toISOString().slice(0, 10), measured: {}, estimated: {} };
  const asked = values.offline ? new Map<string, number>() : await askServers(prebuiltAppConfig.model_list);
  for (const { model_id: id } of prebuiltAppConfig.model_list) {
    const measured = asked.get(id) ?? before.measured[id];
    const estimated = estimatePackageSize(id);
    if (measured !== undefined) sizes.measured[id] = measured;
    else if (estimated !== null) sizes.estimated[id] = estimated;
    else
      throw new CommandFailure(
        `The size of ${id} can be neither read nor estimated: add it to estimate-package-size.ts.`,
      );
  }
  writeFileSync(FILE, `${JSON.stringify(sizes, null, 2)}\n`);
  const kept = Object.keys(sizes.measured).length - asked.size;
  console.log(
    `${asked.size} sizes read from servers, ${kept} kept from before, ${Object.keys(sizes.estimated).length} estimated: ${FILE}`,
  );
});

/**
 * Reads the sizes of packages from their servers.
 * @returns the sizes in bytes by model id, without the models whose servers failed.
 */
async function askServers(records: readonly ModelRecord[]): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  const rest = records.values();
  const lanes = Array.from({ length: PARALLEL_PACKAGES }, async () => {
    for (const { model, model_id: id, model_lib: library } of rest) {
      try {
        sizes.set(id, await readPackageSize({ folder: `${model}/resolve/main/`, library }, fetchWithTimeout));
      } catch (thrown) {
        console.error(`${id}: ${errorMessage(thrown)}`);
      }
    }
  });
  await Promise.all(lanes);
  return sizes;
}

const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(FILE_TIMEOUT) });
