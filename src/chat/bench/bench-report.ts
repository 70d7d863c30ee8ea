import { ROW_NAMES, type RowName, ROWS, type SideName, type Unit } from '../types/bench-rows.ts';
import type { ModelFiles } from '../../shared/models/model-management.ts';
import type { Conditions, Machine } from './conditions.ts';
import { summarise, type Summary } from './statistics.ts';

/** One figure of one side. A figure of the endpoint belongs to the pair in which it was taken. */
export interface Sample {
  readonly row: RowName;
  readonly side: SideName;
  /** The other side of the pair; null if the endpoint is measured alone. */
  readonly pair: SideName | null;
  readonly round: number;
  readonly value: number;
}

/** Why a side has no figure for a row, as a sentence. */
export interface Missing {
  readonly row: RowName;
  readonly side: SideName;
  readonly reason: string;
}

/** A side that this browser cannot run. */
interface LeftOut {
  readonly side: SideName;
  readonly reason: string;
}

/** The figures of one side for one row. */
export interface Result extends Summary {
  readonly row: RowName;
  readonly side: SideName;
  readonly unit: Unit;
  /** The endpoint's figure divided by this side's, for each pair; null for the endpoint itself. */
  readonly endpointBeside: Summary | null;
  readonly values: readonly number[];
}

/** Everything about a run: what the page shows, copies and gives to `npm run bench`. */
export interface BenchReport {
  /** ISO 8601. */
  readonly date: string;
  /** Of Tabserve. */
  readonly version: string;
  readonly model: {
    readonly id: string;
    readonly format: ModelFiles['format'];
    /** Bytes of the model's files. */
    readonly bytes: number;
    readonly contextWindow: number;
    /** Milliseconds to read the files from the browser's storage and do nothing with them. */
    readonly readTime: number;
  };
  readonly machine: Machine;
  readonly conditions: Conditions;
  readonly rounds: number;
  /** Whether all rounds have been run. */
  readonly complete: boolean;
  /** What the engine of the endpoint says it computes on. */
  readonly place: string;
  /** Milliseconds to the first token of the first answer of each side, which is not part of the figures. */
  readonly warmUp: Readonly<Partial<Record<SideName, number>>>;
  /** The sides that took part. */
  readonly sides: readonly SideName[];
  /** The sides that were wanted, but that this browser cannot run, each with the reason as a sentence. */
  readonly leftOut: readonly LeftOut[];
  readonly results: readonly Result[];
  readonly missing: readonly Missing[];
}

/** Summarises samples, in the order of the rows and sides. */
export function summariseSamples(samples: readonly Sample[], sides: readonly SideName[]): Result[] {
  return ROW_NAMES.flatMap((row) =>
    sides.flatMap((side) => {
      const own = samples.filter((sample) => sample.row === row && sample.side === side);
      if (own.length === 0) return [];
      const values = own.map(({ value }) => value);
      const endpointBeside = side === 'endpoint' ? null : besideEndpoint(own, samples);
      return [{ row, side, unit: ROWS[row].unit, ...summarise(values), endpointBeside, values }];
    }),
  );
}

function besideEndpoint(own: readonly Sample[], samples: readonly Sample[]): Summary | null {
  const ratios = own.flatMap(({ row, side, round, value }) =>
    samples
      .filter((other) => other.side === 'endpoint' && other.row === row && other.pair === side && other.round === round)
      .map((endpoint) => endpoint.value / value),
  );
  return ratios.length === 0 ? null : summarise(ratios);
}
