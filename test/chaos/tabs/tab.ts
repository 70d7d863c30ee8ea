import { sleep, withTimeout } from '../../../src/shared/timeout.ts';
import type { DevToolsSession } from '../dev-tools-session.ts';
import type * as pageFunctions from '../in-page/ask.ts';

/** State of a tab: scripts run only in an `open` one. */
export type TabState = 'open' | 'frozen' | 'in the debugger' | 'in an alert' | 'crashed' | 'closed';

type PageFunctions = typeof pageFunctions;

/** Milliseconds for what a page answers at once, if it can run at all. */
const ANSWER_TIME = 10_000;

/** Milliseconds for the address of a page, which may be busy. */
const LOCATION_TIME = 1000;

/** Milliseconds after which a load that has not begun is begun again, as a person would. */
const STALL_TIME = 30_000;

/** Milliseconds that the requests of a page may go past its service worker before it has to have loaded itself anew. */
const BYPASS_TIME = 60_000;

/** Attempts, a tenth of a second apart, to find a page in a tab. */
const MOST_ATTEMPTS = 100;

/** Milliseconds that a newer build may wait for a moment without an answer. */
const RELOAD_TIME = 120_000;

/** A tab of the browser with a session of its own, and how it is made to suffer. */
export class Tab {
  readonly number: number;
  readonly targetId: string;
  readonly session: DevToolsSession;
  readonly #functions: string;
  state: TabState = 'open';
  /** When something was done to this tab that ends its requests; all times are those of `performance.now()`. */
  readonly #ends: number[] = [];
  readonly #freezes: number[] = [];
  /** When a load was begun again. An empty site has such loads too, see `--empty-site`. */
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

  /** Calls a function of `in-page/ask.ts` inside the page. It rejects when the page goes away. */
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
        // Between two pages nothing can be called, and nothing has been.
        if (attempt === MOST_ATTEMPTS || !String(thrown).includes('default execution context')) throw thrown;
        await sleep(100);
      }
    }
  }

  /** The same, or null when the page does not answer soon. */
  callBriefly<Name extends keyof PageFunctions>(name: Name, ...parameters: Parameters<PageFunctions[Name]>) {
    return withTimeout(ANSWER_TIME, this.call(name, ...parameters), null).catch(() => null);
  }

  /** What an expression of any page comes to; null when the page goes away, or it throws. */
  async evaluate(expression: string): Promise<unknown> {
    const command = { expression, awaitPromise: true, returnByValue: true };
    return (await this.session.sendPatiently('Runtime.evaluate', command).catch(() => null))?.result.value ?? null;
  }

  async navigate(url: string): Promise<void> {
    this.#end('open');
    // It fails without a network, and may take long; whoever asks next finds the page elsewhere and tries again.
    await withTimeout(ANSWER_TIME, this.#navigate(url), null);
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

  /** Whether requests of the page of that time went past its service worker long before, too. */
  isBypassedForLong(time: number): boolean {
    const page = this.loadedBefore(time);
    if (this.#bypass?.page !== page) this.#bypass = { page, since: time };
    return time - this.#bypass.since > BYPASS_TIME;
  }

  async reload(ignoreCache: boolean): Promise<void> {
    this.#end('open');
    await this.session.send('Page.reload', { ignoreCache });
  }

  crash(): void {
    this.#end('crashed');
    this.session.sendPatiently('Page.crash').catch(() => {});
  }

  /** It has crashed, perhaps with another tab whose process it shares. */
  noteCrash(): void {
    if (this.state !== 'closed') this.state = 'crashed';
  }

  async close(): Promise<void> {
    this.#end('closed');
    await this.session.send('Page.close');
  }

  /** Asks the page to take over a newer build; it then reloads when it sees fit. */
  async applyUpdate(): Promise<void> {
    this.#reloadWish = performance.now();
    await this.callBriefly('applyUpdate');
  }

  /** Whether requests of that time may have ended with their page. */
  endedBetween(start: number, end: number): boolean {
    const wished = end >= this.#reloadWish && start <= this.#reloadWish + RELOAD_TIME;
    return wished || this.#ends.some((time) => time >= start && time <= end);
  }

  /** Whether this tab was frozen at a moment between two times. */
  wasFrozenBetween(start: number, end: number): boolean {
    return this.#freezes.some((time) => time >= start && time <= end);
  }

  /** When the page of that time was loaded, at the earliest. */
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

  /** Lets a stopped page go on. */
  async resume(): Promise<void> {
    const { state } = this;
    if (state === 'frozen') {
      await this.session.send('Page.setWebLifecycleState', { state: 'active' });
      await this.session.send('Page.bringToFront');
    } else if (state === 'in the debugger') {
      await this.session.send('Debugger.resume');
      await this.session.send('Debugger.disable');
    } else if (state === 'in an alert') await this.session.send('Page.handleJavaScriptDialog', { accept: true });
    else return;
    this.state = 'open';
  }

  /** Something ended, or ends, every request of this page. */
  #end(state: TabState): void {
    this.#ends.push(performance.now());
    this.state = state;
  }
}
