import { COMPARED_TOKENS, type ComparisonReport } from './bench-request.ts';
import { decodingSpeed } from '../../src/bench/decoding-speed.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';
import { reportsOfBrowsers } from './reports-of-browsers.ts';
import type { PieceTimes } from '../../src/shared/measuring/time-chunks.ts';

function comparedSpeed(times: PieceTimes): number {
  return decodingSpeed(times, COMPARED_TOKENS);
}

/** Compares the endpoint with WebLLM in a worker, alternately: same page, model and prompt. */
export async function compareWithDirect(context: BenchContext): Promise<Measurement[]> {
  const reports = await reportsOfBrowsers<ComparisonReport>(context, 'comparison');
  const pairs = reports.flatMap((report) => report.pairs);
  return [
    measurement(
      'decoding, WebLLM direct',
      'tokens/s',
      pairs.map(([direct]) => comparedSpeed(direct)),
    ),
    measurement(
      'decoding, endpoint',
      'tokens/s',
      pairs.map(([, endpoint]) => comparedSpeed(endpoint)),
    ),
    measurement(
      'decoding, endpoint : direct',
      '×',
      pairs.map(([direct, endpoint]) => comparedSpeed(endpoint) / comparedSpeed(direct)),
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
