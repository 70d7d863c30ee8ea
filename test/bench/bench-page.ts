import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RowName } from '../../src/chat/types/bench-rows.ts';

/** Name of the copy of the site's page `/bench/` that sends its figures to the bench. */
const PAGE = 'bench/report.html';

/** What the page `/bench/` measures. */
export interface PageRun {
  /** The model's id on the site. */
  readonly model: string;
  readonly rounds: number;
  readonly rows: readonly RowName[];
}

/**
 * Adds a copy of the page `/bench/` to a built site, with a script that sends its figures to the bench.
 * @param folder The built site with the bench's modules in `/test-clients/`.
 * @returns the path that starts a run.
 */
export function addBenchPage(folder: string, { model, rounds, rows }: PageRun): string {
  const page = readFileSync(join(folder, 'bench/index.html'), 'utf8');
  const script = '<script type="module" src="../test-clients/send-bench-report.js"></script>';
  writeFileSync(join(folder, PAGE), page.replace('</body>', `${script}</body>`));
  return `${PAGE}#${new URLSearchParams({ run: 'whole', model, rounds: String(rounds), rows: rows.join() })}`;
}
