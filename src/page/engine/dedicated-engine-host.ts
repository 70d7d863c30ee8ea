import type { EngineConnection, EnginePort } from '../../shared/messaging/engine-connection.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { ENGINE_HOST_LOCK, ENGINE_LOCK_PREFIX, isStolen, siteLocks } from '../../shared/locks/site-locks.ts';
import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { EngineHost, OpenConnection } from './engine-host.ts';
import { failureStrings } from '../strings/failures.ts';

/** Milliseconds to look for the tab that hosts the engine; it may just be changing. */
const SEARCH_TIME = 10_000;

/** Milliseconds between two looks. */
const SEARCH_PAUSE = 100;

/** Milliseconds that the tab which hosts the engine has to say so, whether or not its engine is ready. */
const ANSWER_TIME = 1000;

/** Name of the BroadcastChannel on which tabs ask which of them hosts the engine, and that one says it does. */
const HOST_CHANNEL = 'tabserve/engine-host';

type HostMessage = 'who-hosts' | 'i-host';

/**
 * A DedicatedWorker in one tab, for browsers whose SharedWorker has no graphics device. The tab that holds
 * the host lock runs it; when that tab closes, the next one in line takes over with a fresh engine. A tab that
 * cannot run code (frozen, in a debugger) keeps the lock, and its worker may stand still with it: then it is robbed.
 */
export class DedicatedEngineHost implements EngineHost {
  readonly #script: URL | undefined;
  readonly #askOtherTab: () => Promise<EnginePort | null>;
  readonly #onScriptError: (event: Event) => void;
  readonly #closed = new AbortController();
  readonly #channel = new BroadcastChannel(HOST_CHANNEL);
  /** Ends the waiting for the lock. */
  #waiting = new AbortController();
  #worker: { readonly worker: Worker; readonly lockName: string } | null = null;

  /**
   * @param script Address of the engine worker; undefined means the one built beside this script.
   * @param askOtherTab Gets a port to the engine that another tab hosts, null where none does.
   * @param onScriptError Called when the script cannot be loaded or throws while it starts.
   */
  constructor(
    script: URL | undefined,
    askOtherTab: () => Promise<EnginePort | null>,
    onScriptError: (event: Event) => void,
  ) {
    this.#script = script;
    this.#askOtherTab = askOtherTab;
    this.#onScriptError = onScriptError;
    this.#channel.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
      if (data === 'who-hosts' && this.#worker) this.#say('i-host');
    });
    void this.#waitForTurn();
  }

  async join(open: OpenConnection): Promise<EngineConnection> {
    let deadline = performance.now() + SEARCH_TIME;
    let asked = false;
    for (;;) {
      const port = this.connect() ?? (await this.#askOtherTab());
      if (port) {
        const connection = await open(port);
        if (connection) return connection;
        throw engineUnavailable(failureStrings.notInTime, 2);
      }
      if (performance.now() > deadline) {
        if (asked) throw engineUnavailable(failureStrings.noEngineTab, 2);
        asked = true;
        if (await this.#isHostSilent()) this.#takeOver();
        deadline = performance.now() + SEARCH_TIME;
      }
      await sleep(SEARCH_PAUSE, this.#closed.signal);
    }
  }

  connect(): EnginePort | null {
    if (!this.#worker) return null;
    const { port1, port2 } = new MessageChannel();
    this.#worker.worker.postMessage(null, [port2]);
    return { port: port1, lockName: this.#worker.lockName };
  }

  restart(): void {
    if (this.#worker) this.#start();
  }

  close(reason?: unknown): void {
    this.#closed.abort(reason);
    this.#waiting.abort();
    this.#channel.close();
    this.#stop();
  }

  #waitForTurn(): Promise<void> {
    this.#waiting = new AbortController();
    return this.#hold({ signal: this.#waiting.signal });
  }

  #takeOver(): void {
    trace('engine', 'takes the place of a tab that hosts the engine and does not answer');
    this.#waiting.abort();
    void this.#hold({ steal: true });
  }

  /** Hosts the engine once the lock is had, until this host is closed or another tab has taken its place. */
  async #hold(options: LockOptions): Promise<void> {
    const { signal } = this.#closed;
    try {
      await siteLocks().request(ENGINE_HOST_LOCK, options, () => {
        if (signal.aborted) return undefined;
        this.#start();
        this.#say('i-host');
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      });
    } catch (thrown) {
      if (options.signal?.aborted || signal.aborted) return;
      if (!isStolen(thrown)) throw thrown;
      // It was this tab that could not run code.
      this.#stop();
      await this.#waitForTurn();
    }
  }

  /** Whether no tab says that it hosts the engine. Some wait longer than others, so that one takes over before them. */
  async #isHostSilent(): Promise<boolean> {
    const { signal } = this.#closed;
    const heard = new AbortController();
    const listen = ({ data }: MessageEvent<HostMessage>) => {
      if (data === 'i-host') heard.abort();
    };
    this.#channel.addEventListener('message', listen);
    this.#say('who-hosts');
    try {
      const pause = ANSWER_TIME * (1 + Math.random());
      // Twice: if this tab was stopped meanwhile, the first pause is over before what was said in it is heard.
      await sleep(pause / 2, signal);
      await sleep(pause / 2, signal);
    } finally {
      this.#channel.removeEventListener('message', listen);
    }
    return !heard.signal.aborted && !this.#worker;
  }

  #say(message: HostMessage): void {
    this.#channel.postMessage(message);
  }

  #start(): void {
    this.#stop();
    const name = crypto.randomUUID();
    const worker = this.#script
      ? new Worker(/* @vite-ignore */ this.#script, { type: 'module', name })
      : new Worker(new URL('../../engine-worker/engine-worker.ts', import.meta.url), {
          type: 'module',
          name,
        });
    worker.addEventListener('error', this.#onScriptError);
    this.#worker = { worker, lockName: ENGINE_LOCK_PREFIX + name };
  }

  #stop(): void {
    this.#worker?.worker.terminate();
    this.#worker = null;
  }
}
