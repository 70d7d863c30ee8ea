import { sleep, withTimeout } from '../../../src/shared/timeout.ts';
import type { DevToolsSession } from '../dev-tools-session.ts';
import type * as pageFunctions from '../in-page/ask.ts';

/** State of a tab: scripts run only in an `open` one. */
export type TabState = 'open' | 'elsewhere' | 'frozen' | 'in the debugger' | 'in an alert' | 'crashed' | 'closed';

type PageFunctions = typeof pageFunctions;

/** Milliseconds for a responsive page to answer. */
const ANSWER_TIME = 10_000;

/** Milliseconds to read the address of a page, which may be busy. */
const LOCATION_TIME = 1000;

/** Milliseconds after which a load that has not begun is repeated, as a user would do. */
const STALL_TIME = 30_000;

/** Milliseconds within which a page whose requests bypass its service worker must reload itself. */
const BYPASS_TIME = 60_000;

/** Maximum attempts, 100 ms apart, to find a page in a tab. */
const MAX_ATTEMPTS = 100;

/** Attempts, half a second apart, to close an alert. */
const ALERT_ATTEMPTS = 20;

/** Maximum milliseconds for which a newer build waits for running answers. */
const RELOAD_TIME = 120_000;

/** A tab of the browser with its own session, and the faults that can be applied to it. */
export class Tab {
  readonly number: number;
  readonly targetId: string;
  readonly session: DevToolsSession;
  readonly #functions: string;
  state: TabState = 'open';
  /** Times, by `performance.now()`, at which a fault ended this tab's requests. */
  readonly #ends: number[] = [];
  readonly #freezes: number[] = [];
  /** Times at which a load was repeated. Chromium causes this on an empty site, too (`--empty-site`). */
  readonly stalls: number[] = [];
  #bypass: { readonly page: number; readonly since: number } | null = null;
  #reloadWish = Number.NEGATIVE_INFINITY;

  /** @param functions The bundled `in-page/ask.ts`. */
  constructor(number: number, targetId: string, session: DevToolsSession, functions: string) {
    this.number = number;
    this.targetId = targetId;
    this.session = session;
    this.#functions = functions;
  }

  /** Calls a function of `in-page/ask.ts` in the page. Rejects if the page ends. */
  async call<Name extends keyof PageFunctions>(
    name: Name,
    ...parameters: Parameters<PageFunctions[Name]>
  ): Promise<Awaited<ReturnType<PageFunctions[Name]>>> {
    const expression = `(() => { ${this.#functions}; return chaos.${name}(...${JSON.stringify(parameters)}); })()`;
    for (let attempt = 1; ; attempt++) {
      try {
        const command = { expression, awaitPromise: true, returnByValue: true };
        const { result, exceptionDetails } = await this.session.sendPatiently('Runtime.evaluate', command);
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      } catch (thrown) {
        // During a navigation there is no page, so the function has not been called.
        if (attempt === MAX_ATTEMPTS || !String(thrown).includes('default execution context')) throw thrown;
        await sleep(100);
      }
    }
  }

  /** Like {@link call}, but resolves to null if the page does not answer soon. */
  callBriefly<Name extends keyof PageFunctions>(name: Name, ...parameters: Parameters<PageFunctions[Name]>) {
    return withTimeout(ANSWER_TIME, this.call(name, ...parameters), null).catch(() => null);
  }

  /** Evaluates an expression in any page; null if the page ends or the expression throws. */
  async evaluate(expression: string): Promise<unknown> {
    const command = { expression, awaitPromise: true, returnByValue: true };
    return (await this.session.sendPatiently('Runtime.evaluate', command).catch(() => null))?.result.value ?? null;
  }

  async navigate(url: string): Promise<void> {
    this.#end('open');
    // Fails without a network, or may take long. Later calls detect that another page is shown, and retry.
    const navigated = this.#navigate(url).then(() => true);
    if (await withTimeout(ANSWER_TIME, navigated, false)) this.#noteEnd();
  }

  async #navigate(url: string): Promise<void> {
    const page = this.#ends.at(-1);
    const begun = this.session.sendPatiently('Page.navigate', { url });
    begun.catch(() => {});
    if ((await withTimeout(STALL_TIME, begun, 'late')) !== 'late') return;
    if (page !== this.#ends.at(-1) || this.state !== 'open') return;
    this.stalls.push(performance.now());
    await this.navigate(url);
  }

  /** Whether the requests of the page at this time have bypassed its service worker for too long. */
  isBypassedForLong(time: number): boolean {
    const page = this.loadedBefore(time);
    if (this.#bypass?.page !== page) this.#bypass = { page, since: time };
    return time - this.#bypass.since > BYPASS_TIME;
  }

  async reload(ignoreCache: boolean): Promise<void> {
    this.#end('open');
    await this.session.send('Page.reload', { ignoreCache });
    this.#noteEnd();
  }

  /** Leaves the site for a page of another origin. */
  async leave(url: string): Promise<void> {
    this.#end('elsewhere');
    await this.session.send('Page.navigate', { url });
    this.#noteEnd();
  }

  /** Goes back in the tab's history to the page before {@link leave}; the browser may have kept it as it was. */
  async comeBack(url: string): Promise<void> {
    if (this.state !== 'elsewhere') return;
    await withTimeout(ANSWER_TIME, this.evaluate('history.back()'), null);
    const { origin } = new URL(url);
    for (let attempt = 1; (await this.evaluate('location.origin')) !== origin; attempt++) {
      if (attempt === MAX_ATTEMPTS) return this.navigate(url);
      await sleep(100);
    }
    this.state = 'open';
  }

  crash(): void {
    this.#end('crashed');
    this.session.sendPatiently('Page.crash').catch(() => {});
  }

  /** Records that the tab's whole browser was killed. */
  noteKilled(): void {
    this.#end('crashed');
  }

  /** Records that the tab crashed, perhaps because another tab in its process did. */
  noteCrash(): void {
    if (this.state !== 'closed') this.state = 'crashed';
  }

  async close(): Promise<void> {
    this.#end('closed');
    await this.session.send('Page.close');
    this.#noteEnd();
  }

  /** Makes the page apply a newer build; it reloads when no answer runs. */
  async applyUpdate(): Promise<void> {
    this.#reloadWish = performance.now();
    await this.callBriefly('applyUpdate');
  }

  /** Whether requests between these times may have ended with their page. */
  endedBetween(start: number, end: number): boolean {
    const wished = end >= this.#reloadWish && start <= this.#reloadWish + RELOAD_TIME;
    return wished || this.endsBetween(start, end);
  }

  /** Whether a fault ended the page between these times. */
  endsBetween(start: number, end: number): boolean {
    return this.#ends.some((time) => time >= start && time <= end);
  }

  /** Whether this tab was frozen between these times. */
  wasFrozenBetween(start: number, end: number): boolean {
    return this.#freezes.some((time) => time >= start && time <= end);
  }

  /** Earliest time at which the page that is open at `time` was loaded. */
  loadedBefore(time: number): number {
    return Math.max(0, ...this.#ends.filter((end) => end < time));
  }

  /** Freezes the page; does nothing if none has loaded in this tab yet, since browsers freeze only loaded pages. */
  async freeze(): Promise<void> {
    if ((await withTimeout(LOCATION_TIME, this.evaluate('location.href'), null)) === 'about:blank') return;
    this.state = 'frozen';
    this.#freezes.push(performance.now());
    await this.session.send('Page.setWebLifecycleState', { state: 'frozen' });
  }

  async stopInDebugger(): Promise<void> {
    this.state = 'in the debugger';
    await this.session.send('Debugger.enable');
    this.session.sendPatiently('Runtime.evaluate', { expression: 'debugger' }).catch(() => {});
  }

  async stopInAlert(): Promise<void> {
    this.state = 'in an alert';
    await this.session.send('Page.enable');
    this.session.sendPatiently('Runtime.evaluate', { expression: 'alert("Wait.")' }).catch(() => {});
  }

  /** Resumes a stopped page. */
  async resume(): Promise<void> {
    const { state } = this;
    if (state === 'frozen') {
      await this.session.send('Page.setWebLifecycleState', { state: 'active' });
      await this.session.send('Page.bringToFront');
    } else if (state === 'in the debugger') {
      // Fails for a busy page that has not come to the statement yet. Without the debugger, it does not stop there.
      await this.session.send('Debugger.resume').catch(() => {});
      await this.session.send('Debugger.disable');
    } else if (state === 'in an alert') await this.#closeAlert();
    else return;
    this.state = 'open';
  }

  /** Closes the alert. A busy page may not have opened it yet. */
  async #closeAlert(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return void (await this.session.send('Page.handleJavaScriptDialog', { accept: true }));
      } catch (thrown) {
        if (attempt === ALERT_ATTEMPTS || !String(thrown).includes('No dialog')) throw thrown;
        await sleep(500);
      }
    }
  }

  /** Records that all requests of this page end. */
  #end(state: TabState): void {
    this.#noteEnd();
    this.state = state;
  }

  /** Notes the time once more when the browser has ended the page: on a busy machine that is a second later. */
  #noteEnd(): void {
    this.#ends.push(performance.now());
  }
}
