import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withTimeout } from '../../shared/timeout.ts';
import { DevToolsConnection } from './dev-tools-connection.ts';
import { CommandFailure } from '../run-command.ts';
import { SOFTWARE_GPU_FLAGS } from './software-gpu-flags.ts';

/** Beside those that it needs for its graphics: nobody looks at the page, and its timers are to run all the same. */
const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--password-store=basic',
  '--use-mock-keychain',
  '--no-default-browser-check',
];

/** Milliseconds that a browser has to end by itself. */
const CLOSING_TIME = 5000;

/** What the protocol answers to `Runtime.evaluate`, as far as it is read. */
interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/**
 * One page in a headless Chromium of its own, with a profile of its own, driven through the Chrome DevTools Protocol
 * (https://chromedevtools.github.io/devtools-protocol/) on two pipes: no port is open, and a browser whose pipes close ends.
 */
export class HeadlessChromium {
  readonly #process: ChildProcess;
  readonly #connection: DevToolsConnection;
  readonly #profile: string;
  #session = '';
  /** Settles when the page or its browser has gone, whether closed or crashed. */
  readonly gone: Promise<void>;

  /** Starts it with an empty page. @throws {CommandFailure} when it ends at once. */
  static async launch(path: string): Promise<HeadlessChromium> {
    const browser = new HeadlessChromium(path);
    try {
      await browser.#attach();
      return browser;
    } catch (thrown) {
      await browser.close();
      throw new CommandFailure(`The browser ${path} did not start: ${String(thrown)}`, { cause: thrown });
    }
  }

  private constructor(path: string) {
    this.#profile = mkdtempSync(join(tmpdir(), 'tabserve-browser-'));
    this.#process = spawn(path, [...FLAGS, ...SOFTWARE_GPU_FLAGS, `--user-data-dir=${this.#profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // Ctrl-C is for the command, which has still something to say before it closes the browser.
      detached: process.platform !== 'win32',
    });
    this.#connection = new DevToolsConnection(this.#process);
    const events = this.#connection;
    this.gone = Promise.race([
      events.closed,
      events.event('Inspector.targetCrashed'),
      events.event('Target.detachedFromTarget'),
    ]);
  }

  /** Opens an address in the page, and waits until the server has answered. @throws where it cannot. */
  async open(url: string): Promise<void> {
    const { errorText } = (await this.#send('Page.navigate', { url })) as { readonly errorText?: string };
    if (errorText !== undefined) throw new Error(`${url} could not be opened: ${errorText}`);
  }

  /**
   * Calls a function in the page and gives what it returns or resolves to. It can use nothing outside itself but the
   * page's globals; what goes in and out has to be JSON.
   * @throws what the page threw, as its text; what the page has answered is lost when it has gone.
   */
  async evaluate<Argument, Result>(
    call: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result> {
    const { result, exceptionDetails } = (await this.#send('Runtime.evaluate', {
      expression: `(${String(call)})(${JSON.stringify(argument) ?? 'undefined'})`,
      awaitPromise: true,
      returnByValue: true,
    })) as Evaluated;
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as Result;
  }

  /** Ends the browser with all its processes. */
  async close(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#process;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      const ended = once(this.#process, 'exit');
      this.#connection.send('Browser.close').catch(() => {});
      await withTimeout(CLOSING_TIME, ended, null);
    }
    if (pid !== undefined) endGroup(pid);
    this.#connection.close();
    // Its other processes may still be writing there; a folder that stays behind fails nothing.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
  }

  async #attach(): Promise<void> {
    const { targetId } = (await this.#connection.send('Target.createTarget', { url: 'about:blank' })) as {
      readonly targetId: string;
    };
    const attached = await this.#connection.send('Target.attachToTarget', { targetId, flatten: true });
    this.#session = (attached as { readonly sessionId: string }).sessionId;
    for (const domain of ['Inspector', 'Page', 'Runtime']) await this.#send(`${domain}.enable`);
  }

  #send(method: string, parameters?: object): Promise<unknown> {
    return this.#connection.send(method, parameters, this.#session);
  }
}

/** What is left of a browser that was killed, or that did not end in time. */
function endGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // None of it is left.
  }
}
