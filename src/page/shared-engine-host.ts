import type { EngineHost } from './engine-host.ts';

declare global {
  interface WorkerOptions {
    /** Lets a SharedWorker live on for a moment without a page, so that a reload keeps the model. */
    extendedLifetime?: boolean;
  }
}

/** One SharedWorker for every tab of the origin. The browser starts it, and another after it has died. */
export class SharedEngineHost implements EngineHost {
  readonly #script: URL | undefined;
  readonly #onScriptError: () => void;

  /**
   * @param script Address of the engine worker; undefined means the one built beside this script.
   * @param onScriptError Called when the script cannot be loaded or throws while it starts.
   */
  constructor(script: URL | undefined, onScriptError: () => void) {
    this.#script = script;
    this.#onScriptError = onScriptError;
  }

  connect(): MessagePort {
    const worker = this.#script
      ? new SharedWorker(/* @vite-ignore */ this.#script, {
          type: 'module',
          name: 'tabserve-engine',
          extendedLifetime: true,
        })
      : new SharedWorker(new URL('../engine-worker/engine-worker.ts', import.meta.url), {
          type: 'module',
          name: 'tabserve-engine',
          extendedLifetime: true,
        });
    worker.addEventListener('error', this.#onScriptError);
    return worker.port;
  }

  restart(): void {}

  close(): void {}
}
