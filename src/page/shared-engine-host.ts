import { ENGINE_LOCK_PREFIX } from '../shared/locks.ts';
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
  #name: string | null = null;

  /**
   * @param script Address of the engine worker; undefined means the one built beside this script.
   * @param onScriptError Called when the script cannot be loaded or throws while it starts.
   */
  constructor(script: URL | undefined, onScriptError: () => void) {
    this.#script = script;
    this.#onScriptError = onScriptError;
  }

  /** Looks for a living engine; without one the next `connect()` starts it. */
  async find(): Promise<void> {
    const prefix = ENGINE_LOCK_PREFIX + BUILD;
    const { held = [] } = await navigator.locks.query();
    const living = held.find(({ name }) => name?.startsWith(prefix))?.name?.slice(ENGINE_LOCK_PREFIX.length);
    this.#name = living ?? `${BUILD}#${crypto.randomUUID()}`;
  }

  connect(): MessagePort | null {
    if (this.#name === null) return null;
    const worker = this.#script
      ? new SharedWorker(/* @vite-ignore */ this.#script, { type: 'module', name: this.#name, extendedLifetime: true })
      : new SharedWorker(new URL('../engine-worker/engine-worker.ts', import.meta.url), {
          type: 'module',
          name: this.#name,
          extendedLifetime: true,
        });
    worker.addEventListener('error', this.#onScriptError);
    return worker.port;
  }

  restart(): void {
    this.#name = null;
  }

  close(): void {
    this.#name = null;
  }
}
