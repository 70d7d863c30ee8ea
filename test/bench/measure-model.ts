import type { BenchReport } from '../../src/bench/bench-report.ts';
import { localModels } from '../../src/command-line/local-models.ts';
import { serveBuiltSite } from '../../src/command-line/http-server/serve-built-site.ts';
import { CommandFailure } from '../../src/command-line/run-command.ts';
import type { BrowserWithoutDebugger } from '../support/browsers/browser-without-debugger.ts';
import { addBenchPage, type PageRun } from './bench-page.ts';
import { receiveReport } from './receive-report.ts';

/** The model is one that `npm run model` has fetched. */
export interface ModelRun extends PageRun {
  readonly browser: BrowserWithoutDebugger;
  /** The built site with the bench's modules in `/test-clients/`. */
  readonly folder: string;
}

/**
 * Measures a real model on the page `/bench/`, in a browser without a debugger: the endpoint in turns with each library
 * used directly.
 * @throws {CommandFailure} if the model has not been fetched.
 */
export async function measureModel({ browser, folder, ...run }: ModelRun): Promise<BenchReport> {
  const models = localModels();
  if (!models.some(({ id }) => id === run.model))
    throw new CommandFailure(`There is no model "${run.model}" here: \`npm run model -- ${run.model}\` fetches it.`);
  return receiveReport<BenchReport>({
    serve: (reports) => serveBuiltSite({ folder, modelHosts: [reports], gguf: models }),
    path: addBenchPage(folder, run),
    browser,
  });
}
