import type { BothTimes, ModesReport, ModesRound } from './bench-request.ts';
import { DECODING_MODES, MODE_TOKENS, type DecodingMode } from './decoding-modes.ts';
import { decodingSpeed } from '../../src/bench/decoding-speed.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';
import { reportsOfBrowsers } from './reports-of-browsers.ts';
import type { PieceTimes } from '../../src/shared/measuring/time-chunks.ts';

/** The time per token at a position is averaged over this many tokens on either side. */
const AROUND = 50;

const SIDES = [
  ['WebLLM direct', 'direct'],
  ['endpoint', 'endpoint'],
] as const;

function modeSpeed(times: PieceTimes): number {
  return decodingSpeed(times, MODE_TOKENS);
}

/** Measures each decoding mode against WebLLM, and tokens late in a long answer. */
export async function measureModes(context: BenchContext): Promise<Measurement[]> {
  const reports = await reportsOfBrowsers<ModesReport>(context, 'modes');
  const of = (value: (round: ModesRound) => number) => reports.flatMap(({ rounds }) => rounds.map(value));
  const modes = (Object.keys(DECODING_MODES) as DecodingMode[]).flatMap((mode) => [
    ...SIDES.map(([name, side]) =>
      measurement(
        `decoding, ${mode}, ${name}`,
        'tokens/s',
        of((round) => modeSpeed(round[mode][side])),
      ),
    ),
    measurement(
      `decoding, ${mode}, endpoint : direct`,
      '×',
      of((round) => modeSpeed(round[mode].endpoint) / modeSpeed(round[mode].direct)),
      { atLeast: mode === 'plain' ? 0.98 : 1.2 },
    ),
  ]);
  const cost = measurement(
    'decoding, logprobs : plain, endpoint',
    '×',
    of((round) => modeSpeed(round.logprobs.endpoint) / modeSpeed(round.plain.endpoint)),
    { atLeast: 0.8 },
  );
  return [...modes, cost, ...lateTokens(reports.map(({ long }) => long))];
}

/** The time per token at positions 100 and 1,900 of long answers. */
function lateTokens(long: readonly BothTimes[]): Measurement[] {
  const perToken = (side: keyof BothTimes, token: number) =>
    long.map(({ direct, endpoint }) => {
      if (direct.text !== endpoint.text) throw new Error('The two sides do not do the same work.');
      // WebLLM yields one piece per token, which shows where in the text each token ends.
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
