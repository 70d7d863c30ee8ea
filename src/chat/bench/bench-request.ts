import { ROW_NAMES, type RowName, SIDE_NAMES, type SideName } from '../types/bench-rows.ts';

/** Rounds of each length of a run. */
export const ROUNDS = { short: 2, whole: 7 } as const;
export type RunLength = keyof typeof ROUNDS;

/** What the page is asked to measure. */
export interface BenchRequest {
  /** Default: the first real model on this device, else the built-in one. */
  readonly model: string | null;
  readonly rounds: number;
  readonly rows: readonly RowName[];
  /** The sides beside the endpoint, as far as the model and browser can run them. */
  readonly sides: readonly SideName[];
}

/**
 * Reads a run that starts without a person, such as `#run=short&model=smollm2&rows=load,first-50&sides=wllama-all&rounds=3`.
 * Everything but `run` may be left out.
 * @returns null if the hash asks for no run.
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

/** The names of a list that are known, in their own order. Without a list, all. */
function named<Name extends string>(list: string | null, names: readonly Name[]): readonly Name[] {
  if (list === null) return names;
  const wanted = list.split(',');
  return names.filter((name) => wanted.includes(name));
}
