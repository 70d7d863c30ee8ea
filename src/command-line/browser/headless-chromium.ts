import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { DevToolsConnection } from './dev-tools-connection.ts';
import { CommandFailure } from '../run-command.ts';
import { SOFTWARE_GPU_FLAGS } from './software-gpu-flags.ts';

/**
 * Flags used together with {@link SOFTWARE_GPU_FLAGS}. Some disable Chromium's timer throttling in pages that are not
 * visible.
 */
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

/** Milliseconds after which a browser that does not exit is killed. */
const CLOSE_TIMEOUT = 5000;

/** The used fields of `Runtime.evaluate`'s result. */
interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/** One page in a headless Chromium with a temporary profile. */
export class HeadlessChromium {
  readonly #process: ChildProcess;
  readonly #connection: DevToolsConnection;
  readonly #profile: string;
  #session = '';
  #isGone = false;
  /** Resolves when the page or its browser closes or crashes. */
  readonly gone: Promise<void>;

  /**
   * Starts the browser with an empty page. @throws {CommandFailure} if it does not start.
   * @param signal Ends a browser that starts, and perhaps hangs.
   */
  static async launch(path: string, signal: AbortSignal): Promise<HeadlessChromium> {
    const browser = new HeadlessChromium(path);
    try {
      await withAbort(browser.#attach(), signal);
      return browser;
    } catch (thrown) {
      await browser.close();
      signal.throwIfAborted();
      throw new CommandFailure(`The browser ${path} did not start: ${String(thrown)}`, { cause: thrown });
    }
  }

  private constructor(path: string) {
    this.#profile = mkdtempSync(join(tmpdir(), 'tabserve-browser-'));
    this.#process = spawn(path, [...FLAGS, ...SOFTWARE_GPU_FLAGS, `--user-data-dir=${this.#profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // With its own process group, Ctrl-C reaches only this process, which then closes the browser properly.
      detached: process.platform !== 'win32',
    });
    const [, , , commands, messages] = this.#process.stdio;
    const connection = new DevToolsConnection(commands as Writable, messages as Readable);
    this.#connection = connection;
    this.#process.once('error', () => connection.close());
    this.#process.once('exit', () => connection.close());
    this.gone = new Promise((resolve) => {
      const onGone = () => {
        this.#isGone = true;
        resolve();
      };
      void connection.closed.then(onGone);
      connection.on('Inspector.targetCrashed', onGone);
      connection.on('Target.detachedFromTarget', onGone);
    });
  }

  /** Opens an address and waits for the response. @throws Error if there is no response. */
  async open(url: string): Promise<void> {
    const { errorText } = (await this.#send('Page.navigate', { url })) as { readonly errorText?: string };
    if (errorText !== undefined) throw new Error(`${url} could not be opened: ${errorText}`);
  }

  /**
   * Calls a function in the page and returns its result. The function may use only the page's globals, not variables of
   * its module. Argument and result must be JSON.
   * @throws Error with the message of the error that the function throws, or if the page closes before it returns.
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

  /** Ends all the browser's processes and deletes its profile. */
  async close(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#process;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      const ended = once(this.#process, 'exit');
      this.#connection.send('Browser.close').catch(() => {});
      await withTimeout(CLOSE_TIMEOUT, ended, null);
    }
    if (pid !== undefined) killGroup(pid);
    this.#connection.close();
    // Other processes of the browser may still write to the profile. If the folder cannot be removed, that is not a
    // failure.
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

  async #send(method: string, parameters?: object): Promise<unknown> {
    if (this.#isGone) throw new Error('The page is gone.');
    return this.#connection.send(method, parameters, this.#session);
  }
}

/** Kills the remaining processes of a killed or hanging browser. */
function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // No process of the group is running any more.
  }
}
