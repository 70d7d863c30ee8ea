import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unwatchedReport } from '../support/browsers/unwatched-browser.ts';
import type { BenchContext } from './measurement.ts';

/** Of how many rounds each browser has its share. */
const ROUNDS_PER_BROWSER = 3;

/**
 * Has a page compare the endpoint with WebLLM by itself, in a browser without a debugger, which would be told of every
 * piece that the endpoint streams and of none of WebLLM's.
 *
 * A few rounds each have a browser of their own: in one, for a reason that was not found, either side may be faster for as
 * long as it lives. One was seen in which the first token took 0.82 times as long through the endpoint in all of twelve
 * rounds, and 0.98 times in the next. So more rounds in one browser would say nothing more.
 *
 * @param page Name of the page, which takes `rounds` and its number, `browser`, as parameters.
 * @returns what was reported by each.
 */
export async function reportsOfBrowsers<Report extends object>(
  { browser, serve, dist, rounds }: BenchContext,
  page: string,
): Promise<Report[]> {
  const engine = readdirSync(join(dist, 'assets')).find((name) => name.startsWith('engine-worker-'));
  const reports: Report[] = [];
  for (let done = 0; done < rounds; done += ROUNDS_PER_BROWSER) {
    const parameters = new URLSearchParams({
      engine: `/assets/${engine}`,
      browser: String(reports.length),
      rounds: String(Math.min(ROUNDS_PER_BROWSER, rounds - done)),
    });
    const path = `test-clients/${page}.html?${parameters}`;
    const report = await unwatchedReport({ serve: (reports) => serve([reports]), path, browser });
    const { error } = report as { error?: string };
    if (error !== undefined) throw new Error(error);
    reports.push(report as Report);
  }
  return reports;
}
