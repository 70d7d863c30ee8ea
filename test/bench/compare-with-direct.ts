import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unwatchedReport } from '../support/unwatched-browser.ts';
import type { ComparisonReport } from './bench-request.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';
import type { PieceTimes } from './time-pieces.ts';

/**
 * Single answers differ by a tenth on a shared machine, the two sides by a few hundredths: it takes more than a
 * hundred pairs to tell.
 */
export const PAIRS_PER_ROUND = 15;

/**
 * The endpoint beside WebLLM by itself in a worker: same page, same model, same prompt, in turns. Without a
 * debugger, which would be told of every piece that the endpoint streams and of none of WebLLM's.
 */
export async function compareWithDirect({ browser, serve, dist, rounds }: BenchContext): Promise<Measurement[]> {
  const engine = readdirSync(join(dist, 'assets')).find((name) => name.startsWith('engine-worker-'));
  const path = `test-clients/comparison.html?pairs=${rounds * PAIRS_PER_ROUND}&engine=/assets/${engine}`;
  const report = (await unwatchedReport({
    serve: (reports) => serve([reports]),
    path,
    browser,
  })) as ComparisonReport;
  if ('error' in report) throw new Error(report.error);

  const { tokens, pairs } = report;
  /** Tokens a second once decoding runs. The last piece may hold several tokens on either side alike. */
  const speed = ({ first, last }: PieceTimes) => ((tokens - 1) / (last - first)) * 1000;
  return [
    measurement(
      'decoding, WebLLM direct',
      'tokens/s',
      pairs.map(([direct]) => speed(direct)),
    ),
    measurement(
      'decoding, endpoint',
      'tokens/s',
      pairs.map(([, endpoint]) => speed(endpoint)),
    ),
    measurement(
      'decoding, endpoint : direct',
      '×',
      pairs.map(([direct, endpoint]) => speed(endpoint) / speed(direct)),
      { atLeast: 0.98 },
    ),
    measurement(
      'first token, WebLLM direct',
      'ms',
      pairs.map(([direct]) => direct.first),
    ),
    measurement(
      'first token, endpoint',
      'ms',
      pairs.map(([, endpoint]) => endpoint.first),
    ),
    measurement(
      'first token, endpoint − direct',
      'ms',
      pairs.map(([direct, endpoint]) => endpoint.first - direct.first),
      { atMost: 10 },
    ),
  ];
}
