import { join } from 'node:path';
import type { BenchReport } from '../../../src/bench/bench-report.ts';
import { ROW_NAMES, type RowName } from '../../../src/chat/types/bench-rows.ts';
import { serveBuiltSite } from '../../../src/command-line/http-server/serve-built-site.ts';
import { CommandFailure } from '../../../src/command-line/run-command.ts';
import { errorMessage } from '../../../src/shared/error-message.ts';
import { addBenchPage, type PageRun } from '../bench-page.ts';
import type { ModelRun } from '../measure-model.ts';
import { engineWorkerPath } from '../engine-worker-path.ts';
import { receiveReport } from '../receive-report.ts';
import { LIBRARY, writeRandomPackage } from './write-random-package.ts';

export interface CardRun extends Omit<PageRun, 'model'>, Pick<ModelRun, 'browser' | 'folder'> {
  /** Folder with a model's configuration, list of weights and library; see {@link writeRandomPackage}. */
  readonly model: string;
  /** After this time the run ends, with what it has measured. */
  readonly seconds: number;
  /** Called with each incomplete report. */
  readonly onProgress: (report: BenchReport) => void;
  /** Called if the run ends early, with the reason. */
  readonly onEarlyEnd: (reason: string) => void;
}

/** The other rows need a battery, or say nothing about a graphics card. */
const OMITTED: readonly RowName[] = ['two-tabs', 'memory', 'energy'];

/** Rows of the table in docs/measured.md. */
export const CARD_ROWS = ROW_NAMES.filter((name) => !OMITTED.includes(name));

/** The package's folder on the site. */
const PACKAGE = 'random-package/';

/** Id of the model with random weights. */
const ID = 'random';

/**
 * Measures a model of random weights on the page `/bench/`, in a browser without a debugger: the endpoint in turns with
 * WebLLM alone.
 * @throws {CommandFailure} if the model's folder lacks a file, or nothing was measured in time.
 */
export async function measureCard({
  model,
  browser,
  folder,
  seconds,
  onProgress,
  onEarlyEnd,
  ...run
}: CardRun): Promise<BenchReport> {
  writeRandomPackage(model, join(folder, PACKAGE));
  let latest: BenchReport | null = null;
  const then = addBenchPage(folder, { ...run, model: ID });
  const page = new URLSearchParams({
    id: ID,
    engine: engineWorkerPath(folder),
    package: `../${PACKAGE}`,
    library: `../${PACKAGE}${LIBRARY}`,
    page: `../${then}`,
  });
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    return await receiveReport<BenchReport>({
      serve: (reports) => serveBuiltSite({ folder, modelHosts: [reports] }),
      path: `test-clients/add-package.html?${page}`,
      browser,
      signal,
      onPartial: (report) => onProgress((latest = report as BenchReport)),
    });
  } catch (thrown) {
    const reason = signal.aborted ? `The ${seconds} seconds are over.` : errorMessage(thrown);
    if (latest === null) throw new CommandFailure(`Nothing was measured. ${reason}`);
    onEarlyEnd(reason);
    return latest;
  }
}
