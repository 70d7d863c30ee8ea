import type { BenchContext } from './measurement.ts';
import { engineWorkerPath } from './engine-worker-path.ts';
import { receiveReport } from './receive-report.ts';

const ROUNDS_PER_BROWSER = 3;

/**
 * Runs a page that compares the endpoint with WebLLM. No debugger is attached: it would observe every piece that the
 * endpoint streams, but none of WebLLM's.
 * Every few rounds start a new browser. For an unknown reason one side can be faster throughout a browser's life: the
 * endpoint's first token took 0.82 times as long in all twelve rounds of one browser, 0.98 in the next. More rounds in
 * one browser add no information.
 * @param page Name of the page. It takes the parameters `rounds` and `browser`.
 * @returns one report per browser.
 */
export async function reportsOfBrowsers<Report extends object>(
  { browser, serve, dist, rounds }: BenchContext,
  page: string,
): Promise<Report[]> {
  const reports: Report[] = [];
  for (let done = 0; done < rounds; done += ROUNDS_PER_BROWSER) {
    const parameters = new URLSearchParams({
      engine: engineWorkerPath(dist),
      browser: String(reports.length),
      rounds: String(Math.min(ROUNDS_PER_BROWSER, rounds - done)),
    });
    const path = `test-clients/${page}.html?${parameters}`;
    reports.push(await receiveReport<Report>({ serve: (reports) => serve([reports]), path, browser }));
  }
  return reports;
}
