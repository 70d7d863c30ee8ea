import { summariseSamples, type BenchReport, type Missing, type Sample } from './bench-report.ts';
import type { RowName, SideName } from '../chat/types/bench-rows.ts';
import { isCharging, memoryInUse, watchVisibility } from './describe-machine.ts';
import { withAbort } from '../shared/timeout.ts';
import { PROBES } from './probes.ts';
import { Prompts } from './prompts.ts';
import type { Side } from './sides/side.ts';

export interface BenchOptions {
  readonly rounds: number;
  readonly rows: readonly RowName[];
}

/** The model of a run and the sides that run it. */
export interface Contestants {
  readonly model: Omit<BenchReport['model'], 'readTime'>;
  readonly machine: BenchReport['machine'];
  readonly files: readonly Blob[];
  readonly endpoint: Side;
  readonly others: readonly Side[];
  readonly leftOut: BenchReport['leftOut'];
  /** The engine and the device of the endpoint, as `Engine.place`. */
  readonly place: () => string;
  readonly version: string;
}

/** Progress of a run. */
export interface Step {
  readonly side: SideName;
  /** Null while a side is loaded and warmed up. */
  readonly row: RowName | null;
  /** From 1. */
  readonly round: number;
  /** Share of the whole run, 0…1. */
  readonly progress: number;
}

export interface BenchListener {
  onStep(step: Step): void;
  /** Called with all results so far, after each measurement of both sides and at the end. */
  onReport(report: BenchReport): void;
  onHidden(): void;
  /** Returns why a value is missing: not measurable here, a context window too small, or an answer too short. */
  reason(row: 'memory' | 'energy' | 'window' | 'short'): string;
}

/**
 * Measures the endpoint and each other side in pairs. The two sides of a pair get the same requests and take turns in
 * being first, so that disturbances of the machine affect both.
 * @throws any error of the endpoint; the signal's reason. A failure of another side is reported in its rows.
 */
export async function runBench(
  contestants: Contestants,
  options: BenchOptions,
  listener: BenchListener,
  signal: AbortSignal,
): Promise<BenchReport> {
  return new BenchRun(contestants, options, listener, signal).run();
}

class BenchRun {
  readonly #contestants: Contestants;
  readonly #options: BenchOptions;
  readonly #listener: BenchListener;
  readonly #signal: AbortSignal;
  readonly #samples: Sample[] = [];
  readonly #missing: Missing[] = [];
  readonly #warmUp: Partial<Record<SideName, number>> = {};
  readonly #date = new Date().toISOString();
  #stepsDone = 0;

  constructor(contestants: Contestants, options: BenchOptions, listener: BenchListener, signal: AbortSignal) {
    this.#contestants = contestants;
    this.#options = options;
    this.#listener = listener;
    this.#signal = signal;
  }

  async run(): Promise<BenchReport> {
    const watch = new AbortController();
    const hidden = watchVisibility(watch.signal, () => this.#listener.onHidden());
    try {
      return await this.#run(hidden);
    } finally {
      watch.abort();
      for (const side of this.#contestants.others) await side.unload();
    }
  }

  /** @param hidden Returns for how many milliseconds the page was hidden. */
  async #run(hidden: () => number): Promise<BenchReport> {
    const { endpoint, others, files } = this.#contestants;
    const signal = this.#signal;
    const charging = await isCharging();
    const readTime = await timeReading(files, signal);
    const report = async (complete: boolean) => {
      const conditions = { charging: [charging, await isCharging()], hidden: hidden() } as const;
      const made = this.#report({ conditions, readTime, complete });
      this.#listener.onReport(made);
      return made;
    };
    try {
      await this.#start(endpoint);
      const prompts = await Prompts.for(endpoint, signal);
      for (const other of others.length > 0 ? others : [null]) {
        await this.#pair(other, prompts, () => report(false));
      }
      for (const side of [endpoint, ...others]) this.#miss('energy', side.name, this.#listener.reason('energy'));
      return await report(true);
    } catch (thrown) {
      await report(false);
      throw thrown;
    }
  }

  async #pair(other: Side | null, prompts: Prompts, onPair: () => Promise<unknown>): Promise<void> {
    const { endpoint } = this.#contestants;
    const sides = other === null ? [endpoint] : [endpoint, other];
    if (other !== null && !(await this.#startOther(other))) return;
    for (let round = 0; round < this.#options.rounds; round++) {
      for (const probe of this.#probes) {
        const order = round % 2 === 0 ? sides : sides.toReversed();
        for (const side of order) {
          const pair = other?.name ?? null;
          await this.#measure(probe, side, pair, round, prompts);
        }
        await onPair();
      }
    }
    await other?.unload();
  }

  get #probes() {
    return PROBES.filter(({ rows }) => rows.some((row) => this.#options.rows.includes(row)));
  }

  /** Loads a side, runs one request on it, and measures the memory that this takes. */
  async #start(side: Side): Promise<void> {
    const wantsMemory = this.#options.rows.includes('memory');
    const onMemory = () =>
      this.#listener.onStep({ side: side.name, row: 'memory', round: 1, progress: this.#progress });
    if (wantsMemory) onMemory();
    await side.unload();
    // The browser takes its time: up to half a minute, in which the run may be stopped.
    const measured = () => withAbort(memoryInUse(), this.#signal);
    const before = wantsMemory ? await measured() : null;
    this.#listener.onStep({ side: side.name, row: null, round: 1, progress: this.#progress });
    await side.load(this.#signal);
    const messages = [{ role: 'user', content: 'Warm up: what is a lighthouse?' }] as const;
    const { first } = await side.answer({ messages, max_tokens: 16, temperature: 0 }, false, this.#signal);
    this.#warmUp[side.name] = first;
    if (!wantsMemory) return;
    onMemory();
    const after = await measured();
    if (before === null || after === null) this.#miss('memory', side.name, this.#listener.reason('memory'));
    else this.#samples.push({ row: 'memory', side: side.name, pair: null, round: 0, value: after - before });
  }

  /** @returns whether the side can be measured. */
  async #startOther(side: Side): Promise<boolean> {
    try {
      await this.#start(side);
      return true;
    } catch (thrown) {
      this.#signal.throwIfAborted();
      for (const row of this.#options.rows) this.#miss(row, side.name, messageOf(thrown));
      this.#stepsDone += this.#probes.length * this.#options.rounds * 2;
      await side.unload();
      return false;
    }
  }

  async #measure(
    probe: (typeof PROBES)[number],
    side: Side,
    pair: SideName | null,
    round: number,
    prompts: Prompts,
  ): Promise<void> {
    const { rows, listener } = { rows: this.#options.rows, listener: this.#listener };
    const wanted = probe.rows.filter((row) => rows.includes(row));
    listener.onStep({ side: side.name, row: wanted[0]!, round: round + 1, progress: this.#progress });
    this.#stepsDone++;
    if (probe.tokens > this.#contestants.model.contextWindow) {
      for (const row of wanted) this.#miss(row, side.name, listener.reason('window'));
      return;
    }
    const name = `${pair ?? 'alone'} ${round} ${probe.rows[0]}`;
    try {
      const figures = await probe.measure({ side, prompts, name, signal: this.#signal });
      for (const row of wanted) {
        const value = figures[row] ?? Number.NaN;
        if (Number.isFinite(value)) this.#samples.push({ row, side: side.name, pair, round, value });
        else this.#miss(row, side.name, listener.reason('short'));
      }
    } catch (thrown) {
      this.#signal.throwIfAborted();
      for (const row of wanted) this.#miss(row, side.name, messageOf(thrown));
    }
  }

  /** Share of the measurements that have begun. All count the same; loading a side before them does not count. */
  get #progress(): number {
    const { others } = this.#contestants;
    const measured = others.length === 0 ? 1 : 2 * others.length;
    return this.#stepsDone / (measured * this.#options.rounds * this.#probes.length);
  }

  #miss(row: RowName, side: SideName, reason: string): void {
    if (!this.#options.rows.includes(row)) return;
    if (this.#missing.some((known) => known.row === row && known.side === side)) return;
    this.#missing.push({ row, side, reason });
  }

  #report({
    conditions,
    readTime,
    complete,
  }: Pick<BenchReport, 'conditions' | 'complete'> & { readonly readTime: number }): BenchReport {
    const { model, machine, endpoint, others, leftOut, place, version } = this.#contestants;
    const sides = [endpoint, ...others].map(({ name }) => name);
    return {
      date: this.#date,
      version,
      model: { ...model, readTime },
      machine,
      conditions,
      rounds: this.#options.rounds,
      complete,
      place: place(),
      warmUp: this.#warmUp,
      sides,
      leftOut,
      results: summariseSamples(this.#samples, sides),
      missing: this.#missing,
    };
  }
}

/** Returns the milliseconds for reading files from the browser's storage in pieces. */
async function timeReading(files: readonly Blob[], signal: AbortSignal): Promise<number> {
  const start = performance.now();
  for (const file of files) {
    for await (const piece of file.stream()) if (piece.length > 0) signal.throwIfAborted();
  }
  return performance.now() - start;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
