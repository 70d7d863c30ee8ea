import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unwatchedReport } from '../support/unwatched-browser.ts';
import type { BothTimes, ModesReport, ModesRound } from './bench-request.ts';
import { DECODING_MODES, type DecodingMode } from './decoding-modes.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';
import type { PieceTimes } from './time-pieces.ts';

/** Tokens on either side of a position of a long answer over which the time of a token is taken. */
const AROUND = 50;

const SIDES = [
  ['WebLLM direct', 'direct'],
  ['endpoint', 'endpoint'],
] as const;

/** How fast each way of decoding is, beside WebLLM by itself in the same way, and a token late in a long answer. */
export async function measureModes({ browser, serve, dist, rounds }: BenchContext): Promise<Measurement[]> {
  const engine = readdirSync(join(dist, 'assets')).find((name) => name.startsWith('engine-worker-'));
  const path = `test-clients/modes.html?rounds=${rounds}&engine=/assets/${engine}`;
  const report = (await unwatchedReport({
    serve: (reports) => serve([reports]),
    path,
    browser,
  })) as ModesReport;
  if ('error' in report) throw new Error(report.error);

  const speed = ({ first, last }: PieceTimes) => ((report.tokens - 1) / (last - first)) * 1000;
  const of = (value: (round: ModesRound) => number) => report.rounds.map(value);
  const modes = (Object.keys(DECODING_MODES) as DecodingMode[]).flatMap((mode) => [
    ...SIDES.map(([name, side]) =>
      measurement(
        `decoding, ${mode}, ${name}`,
        'tokens/s',
        of((round) => speed(round[mode][side])),
      ),
    ),
    measurement(
      `decoding, ${mode}, endpoint : direct`,
      '×',
      of((round) => speed(round[mode].endpoint) / speed(round[mode].direct)),
      { atLeast: mode === 'plain' ? 0.98 : 1.2 },
    ),
  ]);
  const cost = measurement(
    'decoding, logprobs : plain, endpoint',
    '×',
    of((round) => speed(round.logprobs.endpoint) / speed(round.plain.endpoint)),
    { atLeast: 0.8 },
  );
  return [...modes, cost, ...lateTokens(report.long)];
}

/** The time of a token at the positions 100 and 1,900 of long answers. */
function lateTokens(long: readonly BothTimes[]): Measurement[] {
  const perToken = (side: keyof BothTimes, token: number) =>
    long.map(({ direct, endpoint }) => {
      if (direct.text !== endpoint.text) throw new Error('The two sides do not do the same work.');
      // WebLLM alone gives a piece for each token, by which is known where in the text a token ends.
      const timeAt = (at: number) => {
        const [end] = direct.progress[at]!;
        return { direct, endpoint }[side].progress.find(([length]) => length >= end)![1];
      };
      return (timeAt(token + AROUND) - timeAt(token - AROUND)) / (2 * AROUND);
    });
  return SIDES.flatMap(([name, side]) => {
    const [early, late] = [perToken(side, 100), perToken(side, 1900)];
    return [
      measurement(`time per token at position 100, ${name}`, 'ms', early),
      measurement(`time per token at position 1,900, ${name}`, 'ms', late),
      measurement(
        `time per token, position 1,900 : 100, ${name}`,
        '×',
        late.map((time, index) => time / early[index]!),
        side === 'endpoint' ? { atMost: 1.15 } : undefined,
      ),
    ];
  });
}
