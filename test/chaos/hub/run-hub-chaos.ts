import { sleep, withTimeout } from '../../../src/shared/timeout.ts';
import { serveHubSites, type HubSites } from '../../support/sites/hub-sites.ts';
import { POCKET } from '../chaos-model.ts';
import type { ChaosOptions } from '../chaos-options.ts';
import type { ChaosResult, FaultRecord, TimedWedge } from '../chaos-result.ts';
import { serveControlSite } from '../empty-site/control-site.ts';
import { isChosen } from '../fault-sequence.ts';
import { HarmLog } from '../judge/harm-log.ts';
import { RightAnswers } from '../judge/right-answers.ts';
import { awaitRecovery, type Recovery } from '../recovery/await-recovery.ts';
import { deadSince, explainedBy, isDead, type DeadBrowser } from '../recovery/dead-browser.ts';
import { ProcessorClock } from '../recovery/processor-clock.ts';
import { SeededRandom } from '../seeded-random.ts';
import { settle } from '../settle.ts';
import type { RequestRecord } from '../tabs/traffic.ts';
import { checkHub } from './check-hub.ts';
import { HUB_FAULTS } from './hub-faults.ts';
import { HUB_QUESTIONS, openHubWorld, type HubWorld } from './hub-world.ts';

/** Number of faults between two checks that every site uses the hub again. */
const FAULTS_PER_ROUND = 12;

/** The most faults in a row before the sites may recover, and milliseconds from one to the next. */
const VOLLEY = { most: 5, pause: 1000 };

/** Milliseconds for the browser to apply a fault. */
const APPLYING_TIME = 20_000;

/** Maximum number of browsers that end or get stuck before the run stops. */
const MAX_LOST_BROWSERS = 3;

export type HubChaosOptions = Pick<
  ChaosOptions,
  'seed' | 'faults' | 'only' | 'without' | 'verbose' | 'signal' | 'report'
>;

/** Applies faults to a hub and to the sites that use it while all their tabs send requests, and judges every answer. */
export async function runHubChaos(options: HubChaosOptions): Promise<ChaosResult> {
  const sites = await serveHubSites('real');
  const control = await serveControlSite();
  const run = new HubChaosRun(options, sites, control.url);
  try {
    while (run.wantsBrowser) await run.useBrowser();
    return run.result;
  } finally {
    sites.close();
    await control.close();
  }
}

class HubChaosRun {
  readonly #options: HubChaosOptions;
  readonly #sites: HubSites;
  readonly #controlUrl: string;
  readonly #random: SeededRandom;
  readonly #answers = new RightAnswers(HUB_QUESTIONS);
  readonly #began = performance.now();
  readonly #harms = new HarmLog();
  readonly #faults: FaultRecord[] = [];
  readonly #requests: RequestRecord[] = [];
  readonly #recoveries: Recovery[] = [];
  readonly #uncalm: { time: number; sentence: string }[] = [];
  readonly #wedges: TimedWedge[] = [];
  readonly #deadBrowsers: DeadBrowser[] = [];
  readonly #browserEnds: { time: number; report: string }[] = [];
  readonly #stalls: number[] = [];

  constructor(options: HubChaosOptions, sites: HubSites, controlUrl: string) {
    this.#options = options;
    this.#sites = sites;
    this.#controlUrl = controlUrl;
    this.#random = new SeededRandom(options.seed);
  }

  get wantsBrowser(): boolean {
    const lost = this.#wedges.length + this.#deadBrowsers.length + this.#browserEnds.length;
    return this.#faults.length < this.#options.faults && lost < MAX_LOST_BROWSERS && !this.#options.signal.aborted;
  }

  get result(): ChaosResult {
    return {
      seed: this.#options.seed,
      model: `${POCKET.id} by a hub`,
      sharedWorker: true,
      planned: this.#options.faults,
      faults: this.#faults,
      requests: this.#requests,
      recoveries: this.#recoveries,
      uncalm: this.#uncalm,
      texts: 0,
      wedges: this.#wedges,
      deadBrowsers: this.#deadBrowsers,
      browserEnds: this.#browserEnds,
      stalls: this.#stalls,
      remainder: null,
      memory: { start: null, end: null },
      duration: this.#now,
    };
  }

  get #now(): number {
    return performance.now() - this.#began;
  }

  /** Lets faults happen in a new browser until all have happened, or it is lost. */
  async useBrowser(): Promise<void> {
    const { signal, report } = this.#options;
    this.#sites.setHubOnline(true);
    const world = await openHubWorld({
      sites: this.#sites,
      controlUrl: this.#controlUrl,
      harms: this.#harms,
      answers: this.#answers,
      began: this.#began,
      record: (record) => {
        this.#requests.push(record);
        if (record.failed) report(`${record.outcome}: ${record.asked}`);
      },
      lastFault: () => this.#faults.at(-1)?.name ?? 'none',
      report,
    });
    const { browser } = world;
    // Makes everything that the run waits for fail immediately.
    const interrupt = () => void browser.close();
    signal.addEventListener('abort', interrupt);
    const clock = new ProcessorClock(browser.pid);
    try {
      await this.#checkHub(world);
      while (this.wantsBrowser && (await this.#round(world, clock)));
    } catch (thrown) {
      if (signal.aborted) return;
      if (!browser.ended) throw thrown;
      this.#browserEnds.push({ time: this.#now, report: browser.exitReport });
    } finally {
      signal.removeEventListener('abort', interrupt);
      clock.stop();
      for (const { traffic } of world.contexts) traffic.abandon();
      this.#stalls.push(...browser.stalls.map((time) => time - this.#began));
      await browser.close();
    }
  }

  /** Applies faults in several volleys, then checks that every site recovers. @returns false if the browser is lost. */
  async #round(world: HubWorld, clock: ProcessorClock): Promise<boolean> {
    const { contexts } = world;
    const { faults, report, signal } = this.#options;
    const first = this.#faults.length;
    const end = Math.min(faults, first + FAULTS_PER_ROUND);
    for (const [place, { traffic }] of contexts.entries())
      traffic.start(this.#random.fork(`traffic ${place} ${first}`));
    let recoveries: readonly Recovery[] = [];
    while (this.#faults.length < end && !signal.aborted) {
      const names = await this.#volley(world, end);
      this.#tell('the sites may recover');
      const random = this.#random.fork(`recovery ${this.#faults.length}`);
      const awaited = contexts.map((context, place) =>
        awaitRecovery(context, clock, names, random.fork(`site ${place}`)),
      );
      recoveries = (await Promise.all(awaited)).flat();
      if (recoveries.some(({ gaveUp }) => gaveUp)) break;
      this.#recoveries.push(...recoveries);
      recoveries = [];
    }
    const stopped = this.#now;
    this.#tell('all faults end');
    for (const [place, context] of contexts.entries()) {
      const wedge = await settle(context, this.#random.fork(`calm ${place} ${this.#faults.length}`));
      if (!wedge) continue;
      const time = this.#now;
      this.#recoveries.push(...explainedBy(wedge, recoveries));
      if (isDead(wedge)) this.#deadBrowsers.push({ ...wedge, time, since: deadSince(stopped, recoveries) });
      else this.#wedges.push({ ...wedge, time });
      report(`${wedge.type}: ${wedge.outcomes.join(', ')}; remedy: ${wedge.remedy}`);
      return false;
    }
    this.#recoveries.push(...recoveries);
    await this.#checkHub(world);
    report(`${this.#faults.length} faults, ${this.#requests.length} requests, ${Math.round(this.#now / 1000)} s`);
    return true;
  }

  async #checkHub(world: HubWorld): Promise<void> {
    for (const sentence of await checkHub(world, (step) => this.#tell(step))) {
      this.#uncalm.push({ time: this.#now, sentence });
      this.#options.report(sentence);
    }
  }

  /** Applies one fault or several in a row. @returns their names. */
  async #volley(world: HubWorld, end: number): Promise<readonly string[]> {
    const first = this.#faults.length;
    const random = this.#random.fork(`volley ${first}`);
    const last = Math.min(end, first + random.integer(1, VOLLEY.most));
    while (this.#faults.length < last && !this.#options.signal.aborted) {
      await sleep(random.integer(0, VOLLEY.pause));
      await this.#apply(world, random.fork(`fault ${this.#faults.length}`));
    }
    return this.#faults.slice(first).map(({ name }) => name);
  }

  async #apply(world: HubWorld, random: SeededRandom): Promise<void> {
    const context = random.pick(world.contexts);
    const tab = context.tabs.pick(random);
    if (tab === null) return context.tabs.openAll();
    const fault = random.pick(
      HUB_FAULTS.filter(({ name }) => isChosen(name, this.#options)),
      ({ weight }) => weight,
    );
    const time = this.#now;
    const strike = { start: performance.now(), end: Number.POSITIVE_INFINITY };
    this.#harms.strikes.push(strike);
    const applied = Promise.resolve(fault.apply(world, context, tab, random)).then(
      () => null,
      (thrown: unknown) => String(thrown),
    );
    const problem = await withTimeout(APPLYING_TIME, applied, 'no answer');
    strike.end = performance.now();
    this.#faults.push({ name: fault.name, time, tab: tab.number, ...(problem !== null && { problem }) });
    this.#tell(`${fault.name}, tab ${tab.number} ${problem ?? ''}`, time);
  }

  #tell(sentence: string, time: number = this.#now): void {
    if (this.#options.verbose) this.#options.report(`${Math.round(time)} ms: ${sentence}`);
  }
}
