import type { EngineConnection } from '../shared/engine-connection.ts';
import { engineUnavailable } from '../shared/engine-errors.ts';
import { ENGINE_HOST_LOCK } from '../shared/locks.ts';
import { sleep } from '../shared/timing.ts';
import type { EngineHost } from './engine-host.ts';
import { failureStrings } from './strings/failures.ts';

/** Milliseconds to look for the tab that hosts the engine; it may just be changing. */
const SEARCH_TIME = 10_000;

/** Milliseconds between two looks. */
const SEARCH_PAUSE = 100;

/**
 * A DedicatedWorker in one tab, for browsers whose SharedWorker has no graphics device. The tab that holds
 * the host lock runs it; when that tab closes, the next one in line takes over with a fresh engine.
 */
export class DedicatedEngineHost implements EngineHost {
  readonly #script: URL | undefined;
  readonly #askOtherTab: () => Promise<MessagePort | null>;
  readonly #onScriptError: () => void;
  readonly #closed = new AbortController();
  #worker: Worker | null = null;

  /**
   * @param script Address of the engine worker; undefined means the one built beside this script.
   * @param askOtherTab Gets a port to the engine that another tab hosts, null where none does.
   * @param onScriptError Called when the script cannot be loaded or throws while it starts.
   */
  constructor(script: URL | undefined, askOtherTab: () => Promise<MessagePort | null>, onScriptError: () => void) {
    this.#script = script;
    this.#askOtherTab = askOtherTab;
    this.#onScriptError = onScriptError;
    const { signal } = this.#closed;
    navigator.locks
      .request(ENGINE_HOST_LOCK, { signal }, () => {
        this.#start();
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      })
      .catch((thrown: unknown) => {
        if (!signal.aborted) throw thrown;
      });
  }

  async join(open: (port: MessagePort) => Promise<EngineConnection>): Promise<EngineConnection> {
    const deadline = performance.now() + SEARCH_TIME;
    for (;;) {
      const port = this.connect() ?? (await this.#askOtherTab());
      if (port) return open(port);
      if (performance.now() > deadline) throw engineUnavailable(failureStrings.noEngineTab, 2);
      await sleep(SEARCH_PAUSE, this.#closed.signal);
    }
  }

  connect(): MessagePort | null {
    if (!this.#worker) return null;
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage(null, [port2]);
    return port1;
  }

  restart(): void {
    if (this.#worker) this.#start();
  }

  close(): void {
    this.#closed.abort();
    this.#worker?.terminate();
    this.#worker = null;
  }

  #start(): void {
    this.#worker?.terminate();
    const name = crypto.randomUUID();
    this.#worker = this.#script
      ? new Worker(/* @vite-ignore */ this.#script, { type: 'module', name })
      : new Worker(new URL('../engine-worker/engine-worker.ts', import.meta.url), {
          type: 'module',
          name,
        });
    this.#worker.addEventListener('error', this.#onScriptError);
  }
}
