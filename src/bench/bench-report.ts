import { ROW_NAMES, type RowName, ROWS, type SideName, type Unit } from '../chat/types/bench-rows.ts';
import type { ModelFiles } from '../shared/models/model-management.ts';
import type { Conditions, Machine } from './describe-machine.ts';
import { summarise, type Summary } from './statistics.ts';

/** One measured value of one side, that is, of one way to run the model. The endpoint has values in every pair. */
export interface Sample {
  readonly row: RowName;
  readonly side: SideName;
  /** The other side of the pair; null if the endpoint is measured alone. */
  readonly pair: SideName | null;
  readonly round: number;
  readonly value: number;
}

/** Why a side has no value for a row of the table (a measurement), as a sentence. */
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

/** The results of one side for one row. */
export interface Result extends Summary {
  readonly row: RowName;
  readonly side: SideName;
  readonly unit: Unit;
  /** The endpoint's value divided by this side's, for each pair; null for the endpoint itself. */
  readonly endpointBeside: Summary | null;
  readonly values: readonly number[];
}

/** All results of a run, as the page shows and copies them, and as `npm run bench` reads them. */
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
    /** Milliseconds to read the files from the browser's storage, without processing them. */
    readonly readTime: number;
  };
  readonly machine: Machine;
  readonly conditions: Conditions;
  readonly rounds: number;
  /** Whether all rounds have been run. */
  readonly complete: boolean;
  /** The engine and the device of the endpoint, as `Engine.place`. */
  readonly place: string;
  /** Milliseconds to the first token of each side's first answer, which is not part of the results. */
  readonly warmUp: Readonly<Partial<Record<SideName, number>>>;
  /** The sides that took part. */
  readonly sides: readonly SideName[];
  /** The requested sides that this browser cannot run, each with the reason as a sentence. */
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
