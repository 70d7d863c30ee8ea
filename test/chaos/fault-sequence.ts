import { sleep, withTimeout } from '../../src/shared/timeout.ts';
import type { ChaosOptions } from './chaos-options.ts';
import type { FaultRecord } from './chaos-result.ts';
import type { ChaosContext, Fault } from './fault.ts';
import { FAULTS } from './faults.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Share of the faults that come alone, and the most that come in a row before the tabs may recover. */
const VOLLEY = { alone: 0.35, most: 8 };

/** Milliseconds from one fault to the next in a row. */
const PAUSE = { shortest: 0, longest: 1000 };

/** Milliseconds for the browser to apply a fault. */
const APPLYING_TIME = 20_000;

type Choice = Pick<ChaosOptions, 'only' | 'without'>;

interface Reporting {
  /** Returns the milliseconds since the run began. */
  readonly now: () => number;
  /** Called with a sentence for each fault, and the time at which it began. */
  readonly tell: (sentence: string, time: number) => void;
}

export class BrowserEnded extends Error {
  override readonly message = 'The browser has ended by itself.';
}

/** Whether the options of a run let a fault happen. */
export function isChosen(name: string, { only, without }: Choice): boolean {
  return (only.length === 0 || only.includes(name)) && !without.includes(name);
}

/** The faults of a run, which its seed chooses. */
export class FaultSequence {
  readonly #options: Choice & Pick<ChaosOptions, 'model' | 'sharedWorker' | 'signal'>;
  readonly #random: SeededRandom;
  readonly #reporting: Reporting;
  readonly #records: FaultRecord[] = [];

  constructor(
    options: Choice & Pick<ChaosOptions, 'model' | 'sharedWorker' | 'signal'>,
    random: SeededRandom,
    reporting: Reporting,
  ) {
    this.#options = options;
    this.#random = random;
    this.#reporting = reporting;
  }

  get records(): readonly FaultRecord[] {
    return this.#records;
  }

  /** Records a fault of the whole browser. */
  note(name: string): void {
    this.#records.push({ name, time: this.#reporting.now(), tab: 0 });
  }

  /**
   * Applies one fault or several in a row.
   * @param end Number of records after which the row ends.
   * @returns the names of the faults.
   * @throws BrowserEnded if the browser has ended.
   */
  async applyVolley(context: ChaosContext, end: number): Promise<readonly string[]> {
    const first = this.#records.length;
    const random = this.#random.fork(`volley ${first}`);
    const last = random.chance(VOLLEY.alone) ? first + 1 : first + random.integer(2, VOLLEY.most);
    while (this.#records.length < Math.min(last, end) && !this.#options.signal.aborted) await this.#next(context);
    return this.#records.slice(first).map(({ name }) => name);
  }

  async #next(context: ChaosContext): Promise<void> {
    if (context.browser.ended) throw new BrowserEnded();
    const random = this.#random.fork(`fault ${this.#records.length}`);
    await sleep(random.integer(PAUSE.shortest, PAUSE.longest));
    const tab = context.tabs.pick(random);
    // If every tab was closed, crashed or stopped, some need help to recover.
    if (!tab) return context.tabs.openAll();
    const fault = random.pick(this.#possible(context.tabs.open.length), ({ weight }) => weight);
    const time = this.#reporting.now();
    const index = this.#records.push({ name: fault.name, time, tab: tab.number }) - 1;
    const strike = { start: performance.now(), end: Number.POSITIVE_INFINITY };
    if (!fault.isHarmless) context.harms.strikes.push(strike);
    const applied = Promise.resolve(fault.apply(context, tab, random)).then(
      () => null,
      (thrown: unknown) => String(thrown),
    );
    const problem = await withTimeout(APPLYING_TIME, applied, 'no answer');
    strike.end = performance.now();
    this.#reporting.tell(`${fault.name}, tab ${tab.number} ${problem ?? ''}`, time);
    if (problem !== null) this.#records[index] = { name: fault.name, time, tab: tab.number, problem };
  }

  #possible(openTabs: number): readonly Fault[] {
    const names = this.#records.map(({ name }) => name);
    const { sharedWorker, model } = this.#options;
    return FAULTS.filter(
      ({ name, spacing = 0, openTabs: needed = 1, onlyWithoutSharedWorker = false, onlyLlamaCpp = false }) => {
        if (!isChosen(name, this.#options) || (onlyWithoutSharedWorker && sharedWorker)) return false;
        if (onlyLlamaCpp && model.gguf === undefined) return false;
        const last = names.lastIndexOf(name);
        const due = spacing === 0 || last < 0 || names.length - last > spacing;
        return due && openTabs >= needed;
      },
    );
  }
}
