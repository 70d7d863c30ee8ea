import { sleep } from '../../../src/shared/timeout.ts';
import type { ChaosBrowser } from '../chaos-browser.ts';
import type { ChaosSite } from '../chaos-site.ts';
import type { Answer, Api } from '../judge/apis/api.ts';
import { APIS } from '../judge/apis/apis.ts';
import { findHarm, isStruck, isWithoutPage, NEWS_TIME } from '../judge/find-harm.ts';
import type { HarmLog } from '../judge/harm-log.ts';
import type { PageReply, PageRequest } from '../in-page/ask.ts';
import { BYPASSED, judge, LEFT_BY_CLEARING, RIGHT_ELSEWHERE, type Expectation, type Verdict } from '../judge/judge.ts';
import { frequencyOf, SHORT_QUESTIONS, type Question, type Refusal } from '../judge/questions.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Tab } from './tab.ts';
import { TabHistory } from './tab-history.ts';
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
  /** Whether it was sent into a fault, or is part of one. */
  readonly struck: boolean;
}

/** Milliseconds after the clearing of the site's data within which a request that ran then must end. */
const CLEARING_PATIENCE = 60_000;

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
  readonly #histories = new WeakMap<Tab, TabHistory>();
  /** The question that each id of an answer belongs to. */
  readonly #ids = new Map<string, string>();
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

  /** The outcomes of the requests of a tab. */
  historyOf(tab: Tab): TabHistory {
    const history = this.#histories.get(tab) ?? new TabHistory();
    this.#histories.set(tab, history);
    return history;
  }

  /**
   * Sends a question and judges the answer. Never rejects.
   * @param options If there are any, the request belongs to a fault.
   * @param stream Default: random, mostly true.
   */
  question(
    tab: Tab,
    random: SeededRandom,
    options: Partial<PageRequest> | null = null,
    stream: boolean = random.chance(0.6),
  ): Promise<Verdict> {
    return this.#send(tab, random.pick(this.#questions, frequencyOf), random, options, stream);
  }

  /** Sends a question with a short answer. Resolves when the next one may be sent. Never rejects. */
  async probe(tab: Tab, random: SeededRandom): Promise<void> {
    const short = this.#questions.filter(({ name }) => SHORT_QUESTIONS.includes(name));
    const verdict = await this.#send(tab, random.pick(short), random, null, random.chance(0.6));
    await sleep(pauseAfter(verdict, random));
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

  /** The questions whose right answers are known. */
  get #questions(): readonly Question[] {
    return this.#options.questions.filter(({ name }) => this.#options.right.has(name));
  }

  #send(
    tab: Tab,
    { name, api, body }: Question,
    random: SeededRandom,
    options: Partial<PageRequest> | null,
    stream: boolean,
  ): Promise<Verdict> {
    const { path, streaming, manner = 'once' }: Api = APIS[api];
    const withUsage = random.chance(0.5);
    const isStream = stream && streaming !== null;
    const fields = isStream ? (withUsage ? streaming : { stream: true }) : {};
    // Only chat completions can be resumed. The Prompt API always does that.
    const resumes = (api === 'chat completions' && random.chance(0.3)) || api === 'Prompt API';
    const expected: Expectation = { type: 'answer', api, stream: isStream, question: name, resumes };
    return this.#ask(
      tab,
      expected,
      { path, body: JSON.stringify({ ...body, ...fields }), resumes, manner, ...options },
      options !== null,
    );
  }

  async #askOn(place: number, random: SeededRandom, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const tab = this.#options.tabs.at(place);
      if (tab?.state !== 'open') await sleep(100, signal);
      else {
        await sleep(pauseAfter(await this.question(tab, random), random), signal);
      }
    }
  }

  #ask(tab: Tab, expected: Expectation, request: Partial<PageRequest>, isFault = false): Promise<Verdict> {
    this.#options.harms.noteCrowd(this.#running.size + 1);
    const asking = this.#askAndJudge(tab, expected, request, isFault);
    const start = Math.round(performance.now() - this.#options.began);
    this.#running.set(asking, `${nameOf(expected)}, asked by tab ${tab.number} at ${start} ms`);
    void asking.finally(() => this.#running.delete(asking));
    return asking;
  }

  async #askAndJudge(
    tab: Tab,
    expected: Expectation,
    request: Partial<PageRequest>,
    isFault: boolean,
  ): Promise<Verdict> {
    const { browser, site, right, harms, record, began, lastFault } = this.#options;
    const whole: PageRequest = {
      path: '/v1/chat/completions',
      method: 'POST',
      headers: HEADERS,
      body: null,
      abortAfter: null,
      readPause: 0,
      resumes: false,
      manner: 'once',
      ...request,
    };
    const start = performance.now();
    let reply: PageReply | null = null;
    let isLeft = false;
    let loss = '';
    try {
      const { origin } = new URL(site.url);
      await beServed(tab, origin);
      const asked = tab.call('ask', origin, whole);
      reply = await (whole.resumes ? asked : Promise.race([asked, leftByClearing(harms, start, asked)]));
      isLeft = reply === null;
    } catch (thrown) {
      loss = String(thrown);
    }
    const end = performance.now();
    if (whole.abortAfter !== null) harms.requestsLeft.push(end);
    harms.noteCrowd(this.#running.size);
    const history = this.historyOf(tab);
    const harm = (reload: boolean) =>
      findHarm(harms, browser.deaths, tab, { start, end, healthy: history.healthy, reload });
    const judged = (reload: boolean) => judge(expected, reply, harm(reload), right);
    let verdict: Verdict = isLeft ? { outcome: LEFT_BY_CLEARING, failed: false } : judged(false);
    if (verdict.failed) {
      await sleep(NEWS_TIME);
      verdict = judged(reply === null && (await hasReloadedItself(tab, start)));
    }
    if (verdict.outcome === BYPASSED && tab.isBypassedForLong(start))
      verdict = { outcome: `${BYPASSED} for long`, failed: true, detail: `page of ${tab.loadedBefore(start)} ms` };
    verdict = this.#withOwnId(verdict, nameOf(expected));
    if (reply?.retryAfter) verdict = { ...verdict, retryAfter: Number(reply.retryAfter) };
    if (this.#abandoned || browser.ended) return verdict;
    const struck = isFault || isStruck(harms, start, end) || isWithoutPage(verdict.outcome, harm(false));
    history.note(start, end, verdict.outcome);
    record({
      start: start - began,
      end: end - began,
      tab: tab.number,
      asked: nameOf(expected),
      fault: lastFault(),
      struck,
      ...verdict,
      ...(loss && verdict.failed ? { detail: loss } : {}),
    });
    const lost = reply?.stage === 'elsewhere' && tab.state === 'open';
    if (lost && site.online) await tab.navigate(site.url).catch(() => {});
    return verdict;
  }

  /** Two answers must not have the same id. */
  #withOwnId(verdict: Verdict, asked: string): Verdict {
    const { id = '' } = verdict;
    const other = this.#ids.get(id);
    if (id !== '') this.#ids.set(id, asked);
    if (other === undefined || !['right', RIGHT_ELSEWHERE].includes(verdict.outcome)) return verdict;
    return { outcome: 'id of another answer', failed: true, detail: `${id} of ${other}`, id };
  }
}

/** Milliseconds until the next request: longer after a failure, and as long as the response says, as client packages do. */
function pauseAfter({ outcome, retryAfter = 0 }: Verdict, random: SeededRandom): number {
  const pause = ['right', RIGHT_ELSEWHERE].includes(outcome) ? random.integer(0, 800) : random.integer(300, 1000);
  return Math.max(pause, retryAfter * 1000);
}

function nameOf(expected: Expectation): string {
  if (expected.type === 'refusal') return expected.refusal.name;
  return `${expected.question}${expected.stream ? ', streamed' : ''}${expected.resumes ? ', resumed' : ''}`;
}

/**
 * Resolves to null when a request has waited for a minute since the site's data were cleared during it. Chromium answers
 * some of them only after minutes; `tabserve.fetch` does not wait so long.
 * @param asked Settles when the request has ended. Then this promise stays pending.
 */
async function leftByClearing({ clearings }: HarmLog, start: number, asked: Promise<unknown>): Promise<null> {
  const ended = new AbortController();
  asked.then(
    () => ended.abort(),
    () => ended.abort(),
  );
  while (!clearings.some((time) => time >= start && time < performance.now() - CLEARING_PATIENCE))
    await sleep(1000, ended.signal).catch(() => new Promise<never>(() => {}));
  return null;
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
