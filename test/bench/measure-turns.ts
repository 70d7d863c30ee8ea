import type { TurnsRound } from './bench-request.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';
import { reportsOfBrowsers } from './reports-of-browsers.ts';

function at(turns: readonly number[], turn: number): number {
  return turns[turn - 1]!;
}

/**
 * How long the first token of a turn takes as a conversation grows, beside WebLLM by itself with its own reuse of the last
 * conversation; after two conversations took turns; and after a third one came between.
 */
export async function measureTurns(context: BenchContext): Promise<Measurement[]> {
  const rounds = await reportsOfBrowsers<TurnsRound>(context, 'turns');
  const of = (value: (round: TurnsRound) => number) => rounds.map(value);
  const turns = [1, 5, 10].flatMap((turn) => [
    measurement(
      `first token of turn ${turn}, WebLLM direct`,
      'ms',
      of(({ direct }) => at(direct, turn)),
    ),
    measurement(
      `first token of turn ${turn}, endpoint`,
      'ms',
      of(({ endpoint }) => at(endpoint, turn)),
    ),
    measurement(
      `first token of turn ${turn}, endpoint : direct`,
      '×',
      of(({ direct, endpoint }) => at(endpoint, turn) / at(direct, turn)),
      { atMost: 1 },
    ),
  ]);
  // One turn of one round tells little on a machine whose times scatter by half.
  const pairs = rounds.flatMap(({ direct, endpoint }) => endpoint.map((time, turn) => time / direct[turn]!));
  const anyTurn = measurement('first token of any turn, endpoint : direct', '×', pairs, { atMost: 1 });
  const ratios: [name: string, value: (round: TurnsRound) => number, atMost: number][] = [
    ['turn 10', ({ endpoint }) => at(endpoint, 10), 1.3],
    ['turn 10 of two conversations that take turns', ({ alternating }) => alternating, 1.3],
    ['turn 11, after a third conversation', ({ afterThird }) => afterThird, 1.5],
  ];
  return [
    ...turns,
    anyTurn,
    ...ratios.map(([name, value, atMost]) =>
      measurement(
        `first token, endpoint, ${name} : turn 1`,
        '×',
        of((round) => value(round) / at(round.endpoint, 1)),
        { atMost },
      ),
    ),
  ];
}
