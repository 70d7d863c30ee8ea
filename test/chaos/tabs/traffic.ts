import { sleep } from '../../../src/shared/timeout.ts';
import type { Answer } from '../judge/answer.ts';
import type { ChaosBrowser, WorkerDeath } from '../chaos-browser.ts';
import type { ChaosSite } from '../chaos-site.ts';
import type { HarmLog } from '../judge/harm-log.ts';
import type { PageReply, PageRequest } from '../in-page/ask.ts';
import { BYPASSED, judge, type Expectation, type Harm, type Verdict } from '../judge/judge.ts';
import type { Question, Refusal } from '../judge/questions.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Tab } from './tab.ts';
import type { Tabs } from './tabs.ts';

/** A request and its outcome. */
export interface RequestRecord extends Verdict {
  /** Milliseconds since the run began. */
  readonly start: number;
  readonly end: number;
  readonly tab: number;
  readonly asked: string;
  /** The last fault before the end of the request. */
  readonly fault: string;
}

/** Milliseconds after a fault within which it ends the service worker. */
const FAULT_EFFECT = 3000;

/** Milliseconds by which a busy browser may report a worker's death later than the page notices it. */
const NEWS_TIME = 2000;

/** Maximum number of loads to wait for before a request. */
const MAX_LOADS = 3;

const HEADERS = { authorization: 'Bearer local', 'content-type': 'application/json' };

export interface TrafficOptions {
  readonly browser: Pick<ChaosBrowser, 'deaths' | 'ended'>;
  readonly site: Pick<ChaosSite, 'online' | 'url'>;
  readonly tabs: Tabs;
  readonly questions: readonly Question[];
  readonly right: ReadonlyMap<string, Answer>;
  readonly harms: HarmLog;
  readonly began: number;
  /** Called with every request that has ended. */
  readonly record: (record: RequestRecord) => void;
  /** Returns the name of the last fault. */
  readonly lastFault: () => string;
}

/** Sends requests from every tab, and additional ones for faults. Each is judged when it ends. */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #running = new Map<Promise<unknown>, string>();
  #stop: AbortController | null = null;
  #abandoned = false;
  #askers: Promise<void>[] = [];

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  /** Makes every tab send one question after the other. */
  start(random: SeededRandom): void {
    const stop = new AbortController();
    this.#stop = stop;
    this.#askers = Array.from({ length: this.#options.tabs.count }, (_, place) =>
      this.#askOn(place, random.fork(`asker ${place}`), stop.signal).catch((thrown: unknown) => {
        if (!stop.signal.aborted) throw thrown;
      }),
    );
  }

  /** Stops sending new questions. */
  stop(): void {
    this.#stop?.abort();
  }

  /** Stops, and ignores all later outcomes, because the browser is about to be closed. */
  abandon(): void {
    this.stop();
    this.#abandoned = true;
  }

  /** Resolves when every request has ended. */
  async drained(): Promise<void> {
    await Promise.all(this.#askers);
    while (this.#running.size > 0) await Promise.allSettled(this.#running.keys());
  }

  /** Describes each running request. */
  get inFlight(): readonly string[] {
    return [...this.#running.values()];
  }

  /**
   * Sends a question and judges the answer. Never rejects.
   * @param stream Default: random, mostly true.
   */
  question(
    tab: Tab,
    random: SeededRandom,
    options: Partial<PageRequest> = {},
    stream: boolean = random.chance(0.6),
  ): Promise<Verdict> {
    const question = random.pick(this.#options.questions.filter(({ name }) => this.#options.right.has(name)));
    const body = stream
      ? { ...question.body, stream, ...(random.chance(0.5) ? { stream_options: { include_usage: true } } : {}) }
      : question.body;
    return this.#ask(
      tab,
      { type: 'answer', stream, question: question.name },
      { body: JSON.stringify(body), ...options },
    );
  }

  /** Sends a request that must be refused, and judges the response. Never rejects. */
  refusal(tab: Tab, refusal: Refusal): Promise<Verdict> {
    const { path, method, headers, body } = refusal;
    return this.#ask(
      tab,
      { type: 'refusal', refusal },
      {
        body,
        headers: { ...HEADERS, ...headers },
        ...(path === undefined ? {} : { path }),
        ...(method === undefined ? {} : { method }),
      },
    );
  }

  async #askOn(place: number, random: SeededRandom, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const tab = this.#options.tabs.at(place);
      if (tab?.state !== 'open') await sleep(100, signal);
      else {
        const { outcome } = await this.question(tab, random);
        // Waits longer after a failure.
        await sleep(outcome === 'right' ? random.integer(0, 300) : random.integer(300, 1000), signal);
      }
    }
  }

  #ask(tab: Tab, expected: Expectation, request: Partial<PageRequest>): Promise<Verdict> {
    const asking = this.#askAndJudge(tab, expected, request);
    const start = Math.round(performance.now() - this.#options.began);
    this.#running.set(asking, `${nameOf(expected)}, asked by tab ${tab.number} at ${start} ms`);
    void asking.finally(() => this.#running.delete(asking));
    return asking;
  }

  async #askAndJudge(tab: Tab, expected: Expectation, request: Partial<PageRequest>): Promise<Verdict> {
    const { site, right, record, began, lastFault } = this.#options;
    const whole: PageRequest = {
      path: '/v1/chat/completions',
      method: 'POST',
      headers: HEADERS,
      body: null,
      abortAfter: null,
      readPause: 0,
      ...request,
    };
    const start = performance.now();
    let reply: PageReply | null = null;
    let loss = '';
    try {
      const { origin } = new URL(site.url);
      await beServed(tab, origin);
      reply = await tab.call('ask', origin, whole);
    } catch (thrown) {
      loss = String(thrown);
    }
    const end = performance.now();
    let verdict = judge(expected, reply, this.#harm(tab, start, end), right);
    if (verdict.failed) {
      await sleep(NEWS_TIME);
      const reload = reply === null && (await hasReloadedItself(tab, start));
      verdict = judge(expected, reply, this.#harm(tab, start, end, reload), right);
    }
    if (verdict.outcome === BYPASSED && tab.isBypassedForLong(start))
      verdict = { outcome: `${BYPASSED} for long`, failed: true, detail: `page of ${tab.loadedBefore(start)} ms` };
    if (this.#abandoned || this.#options.browser.ended) return verdict;
    record({
      start: start - began,
      end: end - began,
      tab: tab.number,
      asked: nameOf(expected),
      fault: lastFault(),
      ...verdict,
      ...(loss && verdict.failed ? { detail: loss } : {}),
    });
    const lost = reply?.stage === 'elsewhere' && tab.state === 'open';
    if (lost && site.online) await tab.navigate(site.url).catch(() => {});
    return verdict;
  }

  #harm(tab: Tab, start: number, end: number, reload = false): Harm {
    const { browser, harms } = this.#options;
    const [earliest, latest] = [start - NEWS_TIME, end + NEWS_TIME];
    const during = (time: number) => time >= earliest && time <= latest;
    const died = (kind: WorkerDeath['worker']) =>
      browser.deaths.filter(({ worker, time }) => worker === kind && during(time));
    const byFault = (time: number) =>
      harms.serviceWorkerFaults.some((fault) => fault <= time && fault > time - FAULT_EFFECT);
    const loaded = tab.loadedBefore(start);
    return {
      tab: tab.endedBetween(earliest, latest),
      reload,
      frozen: tab.wasFrozenBetween(earliest, latest),
      serviceWorker: died('service worker').some(({ time }) => byFault(time)),
      engine: died('engine').length > 0,
      endpoint:
        harms.clearings.some((time) => time > loaded - FAULT_EFFECT && time <= end) ||
        harms.outages.some((outage) => outage.start <= end && outage.end >= start),
    };
  }
}

function nameOf(expected: Expectation): string {
  if (expected.type === 'refusal') return expected.refusal.name;
  return `${expected.question}${expected.stream ? ', streamed' : ''}`;
}

/** Whether the page has reloaded itself since `start`, as it does if its requests bypass the service worker. */
async function hasReloadedItself(tab: Tab, start: number): Promise<boolean> {
  const time = (await tab.callBriefly('lastOwnReload')) ?? 0;
  return time >= Math.floor(performance.timeOrigin + start);
}

/** Waits until the page is controlled, and repeats that if the page reloads itself meanwhile. */
async function beServed(tab: Tab, origin: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tab.call('beServed', origin);
    } catch (thrown) {
      if (attempt === MAX_LOADS || tab.state !== 'open' || !String(thrown).includes('navigated')) throw thrown;
    }
  }
}
