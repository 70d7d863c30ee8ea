import { ROW_NAMES, type RowName, SIDE_NAMES, type SideName } from '../chat/types/bench-rows.ts';

/** Number of rounds, by the length of a run. */
export const ROUNDS = { short: 2, whole: 7 } as const;
export type RunLength = keyof typeof ROUNDS;

/** The options of a run. */
export interface BenchRequest {
  /** Default: the first model on this device other than the built-in one; without one, the built-in model. */
  readonly model: string | null;
  readonly rounds: number;
  readonly rows: readonly RowName[];
  /** The sides other than the endpoint. Sides that cannot run the model in this browser are left out. */
  readonly sides: readonly SideName[];
}

/**
 * Parses a hash that starts a run automatically, such as
 * `#run=short&model=smollm2&rows=load,first-50&sides=wllama-all&rounds=3`. All parameters except `run` are optional.
 * @returns null if the hash starts no run.
 */
export function readBenchRequest(hash: string): BenchRequest | null {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const length = parameters.get('run');
  if (length !== 'short' && length !== 'whole') return null;
  const rounds = Number(parameters.get('rounds') ?? ROUNDS[length]);
  return {
    model: parameters.get('model'),
    rounds: Number.isInteger(rounds) && rounds > 0 ? rounds : ROUNDS[length],
    rows: named(parameters.get('rows'), ROW_NAMES),
    sides: named(parameters.get('sides'), SIDE_NAMES),
  };
}

/** Returns those of `names` that are in a comma-separated list; all of them if there is no list. */
function named<Name extends string>(list: string | null, names: readonly Name[]): readonly Name[] {
  if (list === null) return names;
  const wanted = list.split(',');
  return names.filter((name) => wanted.includes(name));
}
