import { sleep, withTimeout } from '../../src/shared/timeout.ts';
import { ChaosBrowser } from './chaos-browser.ts';
import { ChaosSite } from './chaos-site.ts';
import type { ChaosModel } from './chaos-model.ts';
import { engineMemory } from './engine-memory.ts';
import type { ChaosContext, Fault } from './fault.ts';
import { FAULTS } from './faults.ts';
import { HarmLog } from './judge/harm-log.ts';
import { questionsTo } from './judge/questions.ts';
import { findLeaks, type Remainder } from './leaks.ts';
import type { RightAnswers } from './judge/right-answers.ts';
import { awaitQuiet } from './recovery/await-quiet.ts';
import { awaitRecovery, type Recovery } from './recovery/await-recovery.ts';
import { ProcessorClock } from './recovery/processor-clock.ts';
import { SeededRandom } from './seeded-random.ts';
import { findDeadBrowser, settle, type Wedge } from './settle.ts';
import { StandingFaults } from './standing-faults.ts';
import { Tabs } from './tabs/tabs.ts';
import { Traffic, type RequestRecord } from './tabs/traffic.ts';

export interface ChaosOptions {
  /** Repeats the faults and questions of an earlier run, as far as the browser allows. */
  readonly seed: number;
  /** Number of faults. */
  readonly faults: number;
  /** Names of faults to leave out. */
  readonly without: readonly string[];
  /** Whether pages have SharedWorker. Without it, the engine runs in the dedicated worker of one tab. */
  readonly sharedWorker: boolean;
  readonly model: ChaosModel;
  /** Number of tabs that send requests. */
  readonly tabs: number;
  /** The expected answers. */
  readonly answers: RightAnswers;
  /** Whether every fault is printed. */
  readonly verbose: boolean;
  /** Folder of the built site. */
  readonly dist: string;
  /** Ends the run early. */
  readonly signal: AbortSignal;
  /** Called with a sentence for each event. */
  readonly report: (sentence: string) => void;
}

interface FaultRecord {
  readonly name: string;
  /** Milliseconds since the run began. */
  readonly time: number;
  /** Number of the tab that the fault acted on. */
  readonly tab: number;
  /** Why the browser refused the fault. */
  readonly problem?: string;
}

/** With milliseconds since the run began. */
type TimedWedge = Wedge & { readonly time: number };

export interface ChaosResult {
  readonly seed: number;
  /** Id of the model that was asked. */
  readonly model: string;
  /** Whether pages had SharedWorker. */
  readonly sharedWorker: boolean;
  /** Number of planned faults. */
  readonly planned: number;
  readonly faults: readonly FaultRecord[];
  readonly requests: readonly RequestRecord[];
  readonly recoveries: readonly Recovery[];
  /** The cores that a browser still used long after its last request, with milliseconds since the run began. */
  readonly unquiet: readonly { readonly time: number; readonly cores: number }[];
  readonly wedges: readonly TimedWedge[];
  /**
   * Stuck tabs of a browser that could not start an empty page or its workers either, which is a defect of the browser.
   */
  readonly deadBrowsers: readonly TimedWedge[];
  /** The output of each browser that ended unexpectedly, which is a defect of the browser. */
  readonly browserEnds: readonly { readonly time: number; readonly report: string }[];
  /** Milliseconds since the run began at which a page was loaded again because its load had not begun. */
  readonly stalls: readonly number[];
  /** The workers, locks and memory that remained at the end; null if the run ended early. */
  readonly remainder: Remainder | null;
  /** Bytes of the idle engine worker before the first and after the last fault, in the last browser. */
  readonly engineMemory: { readonly start: number | null; readonly end: number | null };
  /** Milliseconds. */
  readonly duration: number;
}

/** Number of faults between two checks that every tab recovers. */
const FAULTS_PER_ROUND = 25;

/** Maximum number of browsers that end or get stuck before the run stops. */
const MAX_LOST_BROWSERS = 5;

/** Share of the faults that come alone, and the most that come in a row before the tabs may recover. */
const VOLLEY = { alone: 0.5, most: 5 };

/** Milliseconds from one fault to the next in a row. */
const PAUSE = { shortest: 0, longest: 1700 };

/** Applies one fault after the other while all tabs send requests, and records the outcome of each request. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const site = await ChaosSite.start(options.dist, options.model.gguf && [options.model.gguf]);
  const run = new ChaosRun(options, site);
  try {
    while (run.wantsBrowser) await run.useBrowser();
    return run.result;
  } finally {
    await site.close();
  }
}

class BrowserEnded extends Error {
  override readonly message = 'The browser has ended by itself.';
}

class ChaosRun {
  readonly #options: ChaosOptions;
  readonly #site: ChaosSite;
  readonly #random: SeededRandom;
  readonly #began = performance.now();
  readonly #faults: FaultRecord[] = [];
  readonly #requests: RequestRecord[] = [];
  readonly #recoveries: Recovery[] = [];
  readonly #unquiet: { time: number; cores: number }[] = [];
  readonly #wedges: TimedWedge[] = [];
  readonly #deadBrowsers: TimedWedge[] = [];
  readonly #browserEnds: { time: number; report: string }[] = [];
  readonly #stalls: number[] = [];
  #remainder: Remainder | null = null;
  #memory: { start: number | null; end: number | null } = { start: null, end: null };

  constructor(options: ChaosOptions, site: ChaosSite) {
    this.#options = options;
    this.#site = site;
    this.#random = new SeededRandom(options.seed);
  }

  /** True if another browser must be started for the remaining faults, because the last one ended or got stuck. */
  get wantsBrowser(): boolean {
    const { faults, signal } = this.#options;
    const lost = this.#wedges.length + this.#deadBrowsers.length + this.#browserEnds.length;
    return this.#faults.length < faults && lost < MAX_LOST_BROWSERS && !signal.aborted;
  }

  get result(): ChaosResult {
    return {
      seed: this.#options.seed,
      model: this.#options.model.id,
      sharedWorker: this.#options.sharedWorker,
      planned: this.#options.faults,
      faults: this.#faults,
      requests: this.#requests,
      recoveries: this.#recoveries,
      unquiet: this.#unquiet,
      wedges: this.#wedges,
      deadBrowsers: this.#deadBrowsers,
      browserEnds: this.#browserEnds,
      stalls: this.#stalls,
      remainder: this.#remainder,
      engineMemory: this.#memory,
      duration: this.#now,
    };
  }

  get #now(): number {
    return performance.now() - this.#began;
  }

  async useBrowser(): Promise<void> {
    const { model, sharedWorker, signal, report } = this.#options;
    const browser = await ChaosBrowser.start(
      sharedWorker ? '' : withoutSharedWorker(this.#site.url),
      model.gguf === undefined,
    );
    // Makes everything that the run waits for fail immediately.
    const interrupt = () => void browser.close();
    signal.addEventListener('abort', interrupt);
    let context: ChaosContext | null = null;
    const clock = new ProcessorClock(browser.pid);
    try {
      context = await this.#setUp(browser);
      this.#memory.start = await engineMemory(browser, context.tabs);
      while (this.wantsBrowser) {
        const wedge = await this.#round(context, clock);
        if (!wedge) continue;
        const isDead = wedge.unstartable.length > 0;
        report(`${isDead ? 'dead browser' : wedge.type}: ${wedge.outcomes.join(', ')}; remedy: ${wedge.remedy}`);
        (isDead ? this.#deadBrowsers : this.#wedges).push({ ...wedge, time: this.#now });
        return;
      }
      if (signal.aborted) return;
      const remainder = await findLeaks(browser, context.tabs);
      // Pages that load from unresponsive caches have no locks yet, and their engines are not released.
      const dead = remainder.leaks.length > 0 ? await findDeadBrowser(context) : null;
      if (dead) {
        report(`dead browser at the end: ${dead.unstartable.join(', ')}`);
        this.#deadBrowsers.push({ ...dead, time: this.#now });
        return;
      }
      this.#remainder = remainder;
      this.#memory.end = await engineMemory(browser, context.tabs);
    } catch (thrown) {
      if (signal.aborted) return;
      if (!browser.ended) throw thrown;
      this.#browserEnds.push({ time: this.#now, report: browser.exitReport });
      report(`The browser has ended by itself, ${browser.exitReport}`);
    } finally {
      signal.removeEventListener('abort', interrupt);
      clock.stop();
      context?.traffic.abandon();
      this.#stalls.push(...browser.stalls.map((time) => time - this.#began));
      await this.#site.goOnline();
      await browser.close();
    }
  }

  async #setUp(browser: ChaosBrowser): Promise<ChaosContext> {
    const site = this.#site;
    const tabs = new Tabs(browser, site, this.#options.tabs);
    const harms = new HarmLog();
    await tabs.openAll();
    const right = await this.#options.answers.recordOnce(tabs.open[0]!, new URL(site.url).origin);
    const traffic = new Traffic({
      browser,
      site,
      tabs,
      questions: questionsTo(this.#options.model),
      right,
      harms,
      began: this.#began,
      record: (record) => {
        this.#requests.push(record);
        if (record.failed) this.#options.report(`${record.outcome}: ${record.asked}`);
      },
      lastFault: () => this.#faults.at(-1)?.name ?? 'none',
    });
    return {
      browser,
      site,
      model: this.#options.model,
      tabs,
      traffic,
      harms,
      standing: new StandingFaults(),
      report: this.#options.report,
    };
  }

  /** Applies a number of faults in several volleys, then checks that every tab recovers. */
  async #round(context: ChaosContext, clock: ProcessorClock): Promise<Wedge | null> {
    const { faults, signal, report } = this.#options;
    const end = Math.min(faults, this.#faults.length + FAULTS_PER_ROUND);
    context.traffic.start(this.#random.fork(`traffic ${this.#faults.length}`));
    while (this.#faults.length < end && !signal.aborted) {
      const first = this.#faults.length;
      const random = this.#random.fork(`volley ${first}`);
      const last = random.chance(VOLLEY.alone) ? first + 1 : first + random.integer(2, VOLLEY.most);
      while (this.#faults.length < Math.min(last, end) && !signal.aborted) await this.#nextFault(context);
      const names = this.#faults.slice(first).map(({ name }) => name);
      const recoveries = await awaitRecovery(context, clock, names);
      this.#recoveries.push(...recoveries);
      if (recoveries.some(({ gaveUp }) => gaveUp)) break;
    }
    const wedge = await settle(context, this.#random.fork(`calm ${this.#faults.length}`));
    // After the end of the browser, a request without an answer is not a stuck tab.
    if (context.browser.ended) throw new BrowserEnded();
    const cores = wedge ? null : await awaitQuiet(clock);
    if (cores !== null) this.#unquiet.push({ time: this.#now, cores });
    report(`${this.#faults.length} faults, ${this.#requests.length} requests, ${Math.round(this.#now / 1000)} s`);
    return wedge;
  }

  async #nextFault(context: ChaosContext): Promise<void> {
    if (context.browser.ended) throw new BrowserEnded();
    const random = this.#random.fork(`fault ${this.#faults.length}`);
    await sleep(random.integer(PAUSE.shortest, PAUSE.longest));
    await this.#doFault(context, random);
  }

  async #doFault(context: ChaosContext, random: SeededRandom): Promise<void> {
    const tab = context.tabs.pick(random);
    if (!tab) {
      // Every tab was closed, crashed or stopped, and some need help to recover.
      await context.tabs.openAll();
      return;
    }
    const fault = random.pick(this.#possibleFaults(context.tabs.open.length), ({ weight }) => weight);
    const time = this.#now;
    const index = this.#faults.push({ name: fault.name, time, tab: tab.number }) - 1;
    const strike = { start: performance.now(), end: Number.POSITIVE_INFINITY };
    if (!fault.isHarmless) context.harms.strikes.push(strike);
    const applied = Promise.resolve(fault.apply(context, tab, random)).then(
      () => null,
      (thrown: unknown) => String(thrown),
    );
    const problem = await withTimeout(20_000, applied, 'no answer');
    strike.end = performance.now();
    if (this.#options.verbose)
      this.#options.report(`${Math.round(time)} ms: ${fault.name}, tab ${tab.number} ${problem ?? ''}`);
    if (problem !== null) this.#faults[index] = { name: fault.name, time, tab: tab.number, problem };
  }

  #possibleFaults(openTabs: number): readonly Fault[] {
    const names = this.#faults.map(({ name }) => name);
    const { sharedWorker, without, model } = this.#options;
    return FAULTS.filter(
      ({ name, spacing = 0, openTabs: needed = 1, onlyWithoutSharedWorker = false, onlyLlamaCpp = false }) => {
        if (without.includes(name) || (onlyWithoutSharedWorker && sharedWorker)) return false;
        if (onlyLlamaCpp && model.gguf === undefined) return false;
        const last = names.lastIndexOf(name);
        const due = spacing === 0 || last < 0 || names.length - last > spacing;
        return due && openTabs >= needed;
      },
    );
  }
}

/** Returns a script that removes SharedWorker from the site's pages, but not from the control site's page. */
function withoutSharedWorker(url: string): string {
  return `if (location.origin === ${JSON.stringify(new URL(url).origin)}) delete globalThis.SharedWorker;`;
}
