import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchReport } from '../../src/bench/bench-report.ts';
import type { RowName } from '../../src/chat/types/bench-rows.ts';
import { localModels } from '../../src/command-line/local-models.ts';
import { serveBuiltSite } from '../../src/command-line/http-server/serve-built-site.ts';
import { CommandFailure } from '../../src/command-line/run-command.ts';
import type { BrowserWithoutDebugger } from '../support/browsers/browser-without-debugger.ts';
import { receiveReport } from './receive-report.ts';

export interface ModelRun {
  /** Id of a model that `npm run model` has fetched. */
  readonly model: string;
  readonly rounds: number;
  readonly rows: readonly RowName[];
  readonly browser: BrowserWithoutDebugger;
  /** The built site with the bench's modules in `/test-clients/`. The page {@link PAGE} is added to it. */
  readonly folder: string;
}

/** The site's page `/bench/`, with a script that sends its figures to the bench. */
const PAGE = 'bench/report.html';

/**
 * Measures a real model on the page `/bench/`, in a browser without a debugger: the endpoint in turns with each library
 * used directly.
 * @throws {CommandFailure} if the model has not been fetched.
 */
export async function measureModel({ model, rounds, rows, browser, folder }: ModelRun): Promise<BenchReport> {
  const models = localModels();
  if (!models.some(({ id }) => id === model))
    throw new CommandFailure(`There is no model "${model}" here: \`npm run model -- ${model}\` fetches it.`);
  const page = readFileSync(join(folder, 'bench/index.html'), 'utf8');
  const script = '<script type="module" src="../test-clients/send-bench-report.js"></script>';
  writeFileSync(join(folder, PAGE), page.replace('</body>', `${script}</body>`));
  const run = new URLSearchParams({ run: 'whole', model, rounds: String(rounds), rows: rows.join() });
  return receiveReport<BenchReport>({
    serve: (reports) => serveBuiltSite({ folder, modelHosts: [reports], gguf: models }),
    path: `${PAGE}#${run}`,
    browser,
  });
}
