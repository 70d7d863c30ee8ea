import { rmSync } from 'node:fs';
import { sleep } from '../../src/shared/timeout.ts';
import { checkCalm } from './calm-checks.ts';
import { ChaosBrowser } from './chaos-browser.ts';
import { ChaosSite } from './chaos-site.ts';
import type { ChaosOptions } from './chaos-options.ts';
import type { ChaosResult, FaultRecord, TimedWedge } from './chaos-result.ts';
import type { ChaosContext } from './fault.ts';
import { BrowserEnded, FaultSequence, isChosen } from './fault-sequence.ts';
import { BROWSER_KILLED } from './faults.ts';
import { HarmLog } from './judge/harm-log.ts';
import { questionsTo } from './judge/questions.ts';
import { findLeaks, type Remainder } from './leaks.ts';
import { Person } from './person/person.ts';
import { TextLedger } from './person/text-ledger.ts';
import { awaitRecovery, type Recovery } from './recovery/await-recovery.ts';
import { deadSince, explainedBy, isDead, type DeadBrowser } from './recovery/dead-browser.ts';
import { ProcessorClock } from './recovery/processor-clock.ts';
import { SeededRandom } from './seeded-random.ts';
import { findDeadBrowser, settle, type Wedge } from './settle.ts';
import { measureMemory, type UsedMemory } from './used-memory.ts';
import { shortAnswers } from './short-answers.ts';
import { StandingFaults } from './standing-faults.ts';
import { Tabs } from './tabs/tabs.ts';
import { Traffic, type RequestRecord } from './tabs/traffic.ts';

/** Number of faults between two checks that every tab recovers. */
const FAULTS_PER_ROUND = 25;

/** Number of faults after which the browser is killed, and started again with what it had stored. */
const FAULTS_PER_BROWSER = 2 * FAULTS_PER_ROUND;

/** Milliseconds of questions before the browser is killed. */
const TIME_BEFORE_KILL = { shortest: 1000, longest: 6000 };

/** Maximum number of browsers that end or get stuck before the run stops. */
const MAX_LOST_BROWSERS = 5;

/** Applies one fault after the other while all tabs send requests, and records the outcome of each request. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const site = await ChaosSite.start(options.dist, options.model.gguf && [options.model.gguf], options.otherBuild);
  const run = new ChaosRun(options, site);
  try {
    while (run.wantsBrowser) await run.useBrowser();
    return run.result;
  } finally {
    run.deleteProfile();
    await site.close();
  }
}

class ChaosRun {
  readonly #options: ChaosOptions;
  readonly #site: ChaosSite;
  readonly #random: SeededRandom;
  readonly #began = performance.now();
  readonly #sequence: FaultSequence;
  readonly #requests: RequestRecord[] = [];
  readonly #recoveries: Recovery[] = [];
  readonly #uncalm: { time: number; sentence: string }[] = [];
  readonly #harms: HarmLog;
  #texts = 0;
  #ledger = new TextLedger();
  /** The profile of a browser that was killed; null if the next one begins anew. */
  #profile: string | null = null;
  #killed = 0;
  readonly #wedges: TimedWedge[] = [];
  readonly #deadBrowsers: DeadBrowser[] = [];
  readonly #browserEnds: { time: number; report: string }[] = [];
  readonly #stalls: number[] = [];
  #remainder: Remainder | null = null;
  #memory: { start: UsedMemory | null; end: UsedMemory | null } = { start: null, end: null };

  constructor(options: ChaosOptions, site: ChaosSite) {
    this.#options = options;
    this.#site = site;
    this.#harms = new HarmLog(options.model.gguf?.parallel);
    this.#random = new SeededRandom(options.seed);
    this.#sequence = new FaultSequence(options, this.#random, {
      now: () => this.#now,
      tell: (sentence, time) => this.#tell(sentence, time),
    });
  }

  /** True if another browser must be started: for the remaining faults, or because the last one was killed. */
  get wantsBrowser(): boolean {
    const { faults, signal } = this.#options;
    const lost = this.#wedges.length + this.#deadBrowsers.length + this.#browserEnds.length;
    const isUnfinished = this.#faults.length < faults || this.#profile !== null;
    return isUnfinished && lost < MAX_LOST_BROWSERS && !signal.aborted;
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

  get #faults(): readonly FaultRecord[] {
    return this.#sequence.records;
  }

  get #now(): number {
    return performance.now() - this.#began;
  }

  /** Deletes what a killed browser has left, if no other one was started with it. */
  deleteProfile(): void {
    if (this.#profile !== null) rmSync(this.#profile, { recursive: true, force: true });
  }

  async useBrowser(): Promise<void> {
    const { model, sharedWorker, signal, report } = this.#options;
    const browser = await ChaosBrowser.start({
      pageScript: [
        sharedWorker ? '' : withoutSharedWorker(this.#site.url),
        model.mostTokens === undefined ? '' : shortAnswers(2 * model.mostTokens),
      ].join('\n'),
      gpu: model.gguf === undefined,
      profile: this.#profile ?? undefined,
    });
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
        report(`${isDead(wedge) ? 'dead browser' : wedge.type}: ${wedge.outcomes.join(', ')}; remedy: ${wedge.remedy}`);
        if (!isDead(wedge)) this.#wedges.push({ ...wedge, time: this.#now });
        return;
      }
      if (signal.aborted) return;
      const remainder = await findLeaks(browser, context.tabs);
      // Pages that load from unresponsive caches have no locks yet, and their engines are not released.
      const dead = remainder.leaks.length > 0 ? await findDeadBrowser(context) : null;
      if (dead) {
        report(`dead browser at the end: ${dead.unstartable.join(', ')}`);
        this.#deadBrowsers.push({ ...dead, time: this.#now, since: this.#now });
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
        if (record.failed) this.#options.report(`${record.outcome}: ${record.asked} ${record.detail ?? ''}`.trimEnd());
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
    let recoveries: readonly Recovery[] = [];
    while (this.#faults.length < end && !signal.aborted) {
      const names = await this.#sequence.applyVolley(context, end);
      recoveries = await awaitRecovery(context, clock, names, this.#random.fork(`recovery ${this.#faults.length}`));
      if (recoveries.some(({ gaveUp }) => gaveUp)) break;
      this.#recoveries.push(...recoveries);
      recoveries = [];
    }
    if (signal.aborted) return null;
    context.person.stop();
    const stopped = this.#now;
    const wedge = await settle(context, this.#random.fork(`calm ${this.#faults.length}`));
    this.#recoveries.push(...explainedBy(wedge, recoveries));
    if (wedge && isDead(wedge)) {
      this.#deadBrowsers.push({ ...wedge, time: this.#now, since: deadSince(stopped, recoveries) });
    }
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
    return due > this.#killed && this.wantsBrowser && isChosen(BROWSER_KILLED, this.#options);
  }

  /** Kills the browser in the midst of questions. @returns its profile. */
  async #kill(context: ChaosContext, browser: ChaosBrowser): Promise<string> {
    const random = this.#random.fork(`kill ${this.#killed++}`);
    context.traffic.start(random.fork('traffic'));
    context.person.start(random.fork('person'));
    await sleep(random.integer(TIME_BEFORE_KILL.shortest, TIME_BEFORE_KILL.longest));
    context.traffic.abandon();
    context.person.stop();
    this.#sequence.note(BROWSER_KILLED);
    for (const tab of context.tabs.all) tab.noteKilled();
    return browser.kill();
  }
}

/** Returns a script that removes SharedWorker from the site's pages, but not from the control site's page. */
function withoutSharedWorker(url: string): string {
  return `if (location.origin === ${JSON.stringify(new URL(url).origin)}) delete globalThis.SharedWorker;`;
}
