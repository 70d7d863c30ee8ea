import { TURNS, type BothTurns, type TurnsRound } from './bench-request.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';
import { reportsOfBrowsers } from './reports-of-browsers.ts';

function at(turns: readonly number[], turn: number): number {
  return turns[turn - 1]!;
}

/**
 * Measures the time to the first token of a turn: in a growing conversation, compared with WebLLM alone, which reuses
 * the KV cache of its last conversation; in two alternating conversations; and after a third conversation.
 */
export async function measureTurns(context: BenchContext): Promise<Measurement[]> {
  const rounds = await reportsOfBrowsers<TurnsRound>(context, 'turns');
  const of = (value: (round: TurnsRound) => number) => rounds.map(value);
  /** The second side of a turn is faster by some hundredths; the geometric mean of both conversations cancels that. */
  const ofBoth = (value: (pair: BothTurns) => number) =>
    of(({ pairs: [one, other] }) => Math.sqrt(value(one) * value(other)));
  const endpointBesideDirect = (turn: number) =>
    ofBoth(({ direct, endpoint }) => at(endpoint, turn) / at(direct, turn));
  const turns = [1, 5, 10].flatMap((turn) => [
    measurement(
      `first token of turn ${turn}, WebLLM direct`,
      'ms',
      ofBoth(({ direct }) => at(direct, turn)),
    ),
    measurement(
      `first token of turn ${turn}, endpoint`,
      'ms',
      ofBoth(({ endpoint }) => at(endpoint, turn)),
    ),
    measurement(`first token of turn ${turn}, endpoint : direct`, '×', endpointBesideDirect(turn), { atMost: 1 }),
  ]);
  // Takes all turns together, because the time of a single turn can vary by half.
  const anyTurn = measurement(
    'first token of any turn, endpoint : direct',
    '×',
    Array.from({ length: TURNS }, (_, index) => endpointBesideDirect(index + 1)).flat(),
    { atMost: 1 },
  );
  const first = ofBoth(({ endpoint }) => at(endpoint, 1));
  const ratios: [name: string, values: readonly number[], atMost: number][] = [
    ['turn 10', ofBoth(({ endpoint }) => at(endpoint, 10)), 1.3],
    ['turn 10 of two alternating conversations', of(({ alternating }) => alternating), 1.3],
    ['turn 11, after a third conversation', of(({ afterThird }) => afterThird), 1.5],
  ];
  return [
    ...turns,
    anyTurn,
    ...ratios.map(([name, values, atMost]) =>
      measurement(
        `first token, endpoint, ${name} : turn 1`,
        '×',
        values.map((value, index) => value / first[index]!),
        { atMost },
      ),
    ),
  ];
}
