import type { EngineConnection, EnginePort } from '../shared/engine-connection.ts';
import { engineUnavailable } from '../shared/engine-errors.ts';
import { ENGINE_HOST_LOCK, ENGINE_LOCK_PREFIX } from '../shared/locks.ts';
import { sleep } from '../shared/timing.ts';
import type { EngineHost, OpenConnection } from './engine-host.ts';
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
  readonly #askOtherTab: () => Promise<EnginePort | null>;
  readonly #onScriptError: () => void;
  readonly #closed = new AbortController();
  #worker: { readonly worker: Worker; readonly lockName: string } | null = null;

  /**
   * @param script Address of the engine worker; undefined means the one built beside this script.
   * @param askOtherTab Gets a port to the engine that another tab hosts, null where none does.
   * @param onScriptError Called when the script cannot be loaded or throws while it starts.
   */
  constructor(script: URL | undefined, askOtherTab: () => Promise<EnginePort | null>, onScriptError: () => void) {
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

  async join(open: OpenConnection): Promise<EngineConnection> {
    const deadline = performance.now() + SEARCH_TIME;
    for (;;) {
      const port = this.connect() ?? (await this.#askOtherTab());
      if (port) {
        const connection = await open(port);
        if (connection) return connection;
        throw engineUnavailable(failureStrings.notInTime, 2);
      }
      if (performance.now() > deadline) throw engineUnavailable(failureStrings.noEngineTab, 2);
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

  close(): void {
    this.#closed.abort();
    this.#worker?.worker.terminate();
    this.#worker = null;
  }

  #start(): void {
    this.#worker?.worker.terminate();
    const name = crypto.randomUUID();
    const worker = this.#script
      ? new Worker(/* @vite-ignore */ this.#script, { type: 'module', name })
      : new Worker(new URL('../engine-worker/engine-worker.ts', import.meta.url), {
          type: 'module',
          name,
        });
    worker.addEventListener('error', this.#onScriptError);
    this.#worker = { worker, lockName: ENGINE_LOCK_PREFIX + name };
  }
}
