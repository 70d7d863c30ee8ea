import type { EngineConnection } from '../shared/engine-connection.ts';
import { ENGINE_LOCK_PREFIX, ENGINE_START_LOCK } from '../shared/locks.ts';
import type { EngineHost } from './engine-host.ts';

declare global {
  interface WorkerOptions {
    /** Lets a SharedWorker live on for a moment without a page, so that a reload keeps the model. */
    extendedLifetime?: boolean;
  }
}

/**
 * Engines of one build are alike; a page never joins that of another. So after an update an older tab keeps the
 * engine it has until it is reloaded, as `updateavailable` asks; until then there may be two, each with a model.
 */
const BUILD = import.meta.url;

/**
 * One SharedWorker for every tab of the origin. Each engine has a name of its own: under the name of one
 * that has died, browsers may go on to offer the dead one.
 */
export class SharedEngineHost implements EngineHost {
  readonly #script: URL | undefined;
  readonly #onScriptError: () => void;
  readonly #closed = new AbortController();
  #name: string | null = null;

  /**
   * @param script Address of the engine worker; undefined means the one built beside this script.
   * @param onScriptError Called when the script cannot be loaded or throws while it starts.
   */
  constructor(script: URL | undefined, onScriptError: () => void) {
    this.#script = script;
    this.#onScriptError = onScriptError;
  }

  join(open: (port: MessagePort) => Promise<EngineConnection>): Promise<EngineConnection> {
    // Until the engine says welcome nobody else can see that it is being started.
    return navigator.locks.request(ENGINE_START_LOCK, { signal: this.#closed.signal }, async () => {
      this.#name = (await livingEngine()) ?? `${BUILD}#${crypto.randomUUID()}`;
      return open(this.#connect(this.#name));
    });
  }

  connect(): MessagePort | null {
    return this.#name === null ? null : this.#connect(this.#name);
  }

  restart(): void {
    this.#name = null;
  }

  close(): void {
    this.#closed.abort();
    this.#name = null;
  }

  #connect(name: string): MessagePort {
    const worker = this.#script
      ? new SharedWorker(/* @vite-ignore */ this.#script, { type: 'module', name, extendedLifetime: true })
      : new SharedWorker(new URL('../engine-worker/engine-worker.ts', import.meta.url), {
          type: 'module',
          name,
          extendedLifetime: true,
        });
    worker.addEventListener('error', this.#onScriptError);
    return worker.port;
  }
}

/** Name of the engine of this build that other tabs use; undefined where there is none. */
async function livingEngine(): Promise<string | undefined> {
  const { held = [] } = await navigator.locks.query();
  // A tab that waited for the death of an engine has the lock afterwards, in shared mode; one that cannot run code
  // (frozen, in a debugger) keeps it.
  const lock = held.find(({ name, mode }) => mode === 'exclusive' && name?.startsWith(ENGINE_LOCK_PREFIX + BUILD));
  return lock?.name?.slice(ENGINE_LOCK_PREFIX.length);
}
