import { sleep, withTimeout } from '../../src/shared/timeout.ts';
import { checkCalm } from './calm-checks.ts';
import { ChaosBrowser } from './chaos-browser.ts';
import { ChaosSite } from './chaos-site.ts';
import type { ChaosModel } from './chaos-model.ts';
import type { ChaosResult, FaultRecord, TimedWedge } from './chaos-result.ts';
import type { ChaosContext, Fault } from './fault.ts';
import { FAULTS } from './faults.ts';
import { HarmLog } from './judge/harm-log.ts';
import { questionsTo } from './judge/questions.ts';
import { findLeaks, type Remainder } from './leaks.ts';
import type { RightAnswers } from './judge/right-answers.ts';
import { Person } from './person/person.ts';
import { TextLedger } from './person/text-ledger.ts';
import { awaitRecovery, type Recovery } from './recovery/await-recovery.ts';
import { ProcessorClock } from './recovery/processor-clock.ts';
import { SeededRandom } from './seeded-random.ts';
import { findDeadBrowser, settle, type Wedge } from './settle.ts';
import { measureMemory, type UsedMemory } from './used-memory.ts';
import { StandingFaults } from './standing-faults.ts';
import { Tabs } from './tabs/tabs.ts';
import { Traffic, type RequestRecord } from './tabs/traffic.ts';

export interface ChaosOptions {
  /** Repeats the faults and questions of an earlier run, as far as the browser allows. */
  readonly seed: number;
  /** Number of faults. */
  readonly faults: number;
  /** Names of the faults to choose from; empty for all. */
  readonly only: readonly string[];
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
  /** Folder of another build, which the site publishes in turns with the first. Default: none. */
  readonly otherBuild?: string | undefined;
  /** Ends the run early. */
  readonly signal: AbortSignal;
  /** Called with a sentence for each event. */
  readonly report: (sentence: string) => void;
}

/** Number of faults between two checks that every tab recovers. */
const FAULTS_PER_ROUND = 25;

/** Name of the fault that no {@link Fault} does. */
export const BROWSER_KILLED = 'browser killed';

/** Number of faults after which the browser is killed, and started again with what it had stored. */
const FAULTS_PER_BROWSER = 2 * FAULTS_PER_ROUND;

/** Milliseconds of questions before the browser is killed. */
const TIME_BEFORE_KILL = { shortest: 1000, longest: 6000 };

/** Maximum number of browsers that end or get stuck before the run stops. */
const MAX_LOST_BROWSERS = 5;

/** Share of the faults that come alone, and the most that come in a row before the tabs may recover. */
const VOLLEY = { alone: 0.5, most: 5 };

/** Milliseconds from one fault to the next in a row. */
const PAUSE = { shortest: 0, longest: 1700 };

/** Applies one fault after the other while all tabs send requests, and records the outcome of each request. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const site = await ChaosSite.start(options.dist, options.model.gguf && [options.model.gguf], options.otherBuild);
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
  readonly #uncalm: { time: number; sentence: string }[] = [];
  readonly #harms = new HarmLog();
  #texts = 0;
  #ledger = new TextLedger();
  /** The profile of a browser that was killed; null if the next one begins anew. */
  #profile: string | null = null;
  #killed = 0;
  readonly #wedges: TimedWedge[] = [];
  readonly #deadBrowsers: TimedWedge[] = [];
  readonly #browserEnds: { time: number; report: string }[] = [];
  readonly #stalls: number[] = [];
  #remainder: Remainder | null = null;
  #memory: { start: UsedMemory | null; end: UsedMemory | null } = { start: null, end: null };

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
      uncalm: this.#uncalm,
      texts: this.#texts,
      wedges: this.#wedges,
      deadBrowsers: this.#deadBrowsers,
      browserEnds: this.#browserEnds,
      stalls: this.#stalls,
      remainder: this.#remainder,
      memory: this.#memory,
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
      this.#profile ?? undefined,
    );
    if (this.#profile === null) this.#ledger = new TextLedger();
    const isRestart = this.#profile !== null;
    this.#profile = null;
    // Makes everything that the run waits for fail immediately.
    const interrupt = () => void browser.close();
    signal.addEventListener('abort', interrupt);
    let context: ChaosContext | null = null;
    const clock = new ProcessorClock(browser.pid);
    try {
      const started = performance.now();
      context = await this.#setUp(browser);
      if (isRestart) {
        const [time, available] = [performance.now() - started, clock.now];
        const tab = context.tabs.open[0]?.number ?? 0;
        this.#recoveries.push({ faults: [BROWSER_KILLED], tab, time, available, defect: null, gaveUp: false });
        await this.#checkCalm(context, clock);
      }
      this.#memory.start = await measureMemory(browser, context.tabs);
      while (this.wantsBrowser) {
        const wedge = await this.#round(context, clock);
        if (!wedge && this.#killsNow()) return void (this.#profile = await this.#kill(context, browser));
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
      this.#memory.end = await measureMemory(browser, context.tabs);
    } catch (thrown) {
      if (signal.aborted) return;
      if (!browser.ended) throw thrown;
      this.#browserEnds.push({ time: this.#now, report: browser.exitReport });
      report(`The browser has ended by itself, ${browser.exitReport}`);
    } finally {
      signal.removeEventListener('abort', interrupt);
      clock.stop();
      context?.traffic.abandon();
      context?.person.stop();
      if (this.#profile === null) this.#texts += context?.ledger.size ?? 0;
      this.#stalls.push(...browser.stalls.map((time) => time - this.#began));
      await this.#site.goOnline();
      if (this.#profile === null) await browser.close();
    }
  }

  async #setUp(browser: ChaosBrowser): Promise<ChaosContext> {
    const site = this.#site;
    const tabs = new Tabs(browser, site, this.#options.tabs);
    const harms = this.#harms;
    const ledger = this.#ledger;
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
      ledger,
      person: new Person({ tabs, ledger, harms }, this.#options.model.persons ?? tabs.count, (sentence) =>
        this.#tell(sentence),
      ),
      standing: new StandingFaults(),
      report: this.#options.report,
    };
  }

  /** Applies a number of faults in several volleys, then checks that every tab recovers. */
  async #round(context: ChaosContext, clock: ProcessorClock): Promise<Wedge | null> {
    const { faults, signal, report } = this.#options;
    const end = Math.min(faults, this.#faults.length + FAULTS_PER_ROUND);
    context.traffic.start(this.#random.fork(`traffic ${this.#faults.length}`));
    context.person.start(this.#random.fork(`person ${this.#faults.length}`));
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
    if (!wedge) await this.#checkCalm(context, clock);
    report(`${this.#faults.length} faults, ${this.#requests.length} requests, ${Math.round(this.#now / 1000)} s`);
    return wedge;
  }

  async #checkCalm(context: ChaosContext, clock: ProcessorClock): Promise<void> {
    for (const sentence of await checkCalm(context, clock)) {
      this.#uncalm.push({ time: this.#now, sentence });
      this.#options.report(sentence);
    }
  }

  #tell(sentence: string, time: number = this.#now): void {
    if (this.#options.verbose) this.#options.report(`${Math.round(time)} ms: ${sentence}`);
  }

  #killsNow(): boolean {
    const due = Math.floor(this.#faults.length / FAULTS_PER_BROWSER);
    return due > this.#killed && this.wantsBrowser && !this.#options.without.includes(BROWSER_KILLED);
  }

  /** Kills the browser in the midst of questions. @returns its profile. */
  async #kill(context: ChaosContext, browser: ChaosBrowser): Promise<string> {
    const random = this.#random.fork(`kill ${this.#killed++}`);
    context.traffic.start(random.fork('traffic'));
    context.person.start(random.fork('person'));
    await sleep(random.integer(TIME_BEFORE_KILL.shortest, TIME_BEFORE_KILL.longest));
    context.traffic.abandon();
    context.person.stop();
    this.#faults.push({ name: BROWSER_KILLED, time: this.#now, tab: 0 });
    for (const tab of context.tabs.all) tab.noteKilled();
    return browser.kill();
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
    this.#tell(`${fault.name}, tab ${tab.number} ${problem ?? ''}`, time);
    if (problem !== null) this.#faults[index] = { name: fault.name, time, tab: tab.number, problem };
  }

  #possibleFaults(openTabs: number): readonly Fault[] {
    const names = this.#faults.map(({ name }) => name);
    const { sharedWorker, only, without, model } = this.#options;
    return FAULTS.filter(
      ({ name, spacing = 0, openTabs: needed = 1, onlyWithoutSharedWorker = false, onlyLlamaCpp = false }) => {
        if (only.length > 0 && !only.includes(name)) return false;
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
