import type { EngineConnection } from '../shared/engine-connection.ts';
import { engineUnavailable } from '../shared/engine-errors.ts';
import { ENGINE_LOCK_PREFIX, ENGINE_START_LOCK, onceFreed } from '../shared/locks.ts';
import { sleep } from '../shared/timing.ts';
import type { EngineHost } from './engine-host.ts';
import { failureStrings } from './strings/failures.ts';

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

/** Introduces this page to the engine at the far end of a port. */
type OpenConnection = (port: MessagePort) => Promise<EngineConnection>;

/** Milliseconds that a page may take to find or start the engine; one that can run code has failed before. */
const TURN_TIME = 25_000;

/** How many engines are tried of which each dies before it says welcome. */
const MOST_ATTEMPTS = 3;

/** Milliseconds between two looks whether a new engine holds its lock. */
const LOOK_PAUSE = 100;

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

  async join(open: OpenConnection): Promise<EngineConnection> {
    const living = await livingEngine();
    const connection = living === undefined ? null : await this.#open(living, open);
    return connection ?? this.#waitForTurn(() => this.#findOrStart(open));
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

  /** Until an engine holds its lock nobody else can see that it is being started: one page at a time may do that. */
  async #waitForTurn(start: () => Promise<EngineConnection>): Promise<EngineConnection> {
    let started: Promise<EngineConnection> | null = null;
    const run = () => (started = start());
    const patience = new AbortController();
    const lose = () => patience.abort();
    const timer = setTimeout(lose, TURN_TIME);
    this.#closed.signal.addEventListener('abort', lose, { once: true });
    try {
      return await navigator.locks.request(ENGINE_START_LOCK, { signal: patience.signal }, run).catch((thrown) => {
        this.#closed.signal.throwIfAborted();
        if (started) throw thrown;
        // The page whose turn it is cannot run code: it would have succeeded or failed by now.
        return navigator.locks.request(ENGINE_START_LOCK, { steal: true }, run);
      });
    } catch (thrown) {
      if (this.#closed.signal.aborted || !isStolen(thrown)) throw thrown;
      // It was this page that could not run code, and another one has gone ahead.
      void started!.then((connection) => connection.close()).catch(() => {});
      return this.#waitForTurn(start);
    } finally {
      clearTimeout(timer);
      this.#closed.signal.removeEventListener('abort', lose);
    }
  }

  async #findOrStart(open: OpenConnection): Promise<EngineConnection> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const name = (await livingEngine()) ?? `${BUILD}#${crypto.randomUUID()}`;
      const connection = await this.#open(name, open);
      if (connection) return connection;
    }
    throw engineUnavailable(failureStrings.engineDied, 2);
  }

  /** @returns null when that engine dies before it says welcome. */
  async #open(name: string, open: OpenConnection): Promise<EngineConnection | null> {
    this.#name = name;
    const opened = new AbortController();
    const died = deathOf(ENGINE_LOCK_PREFIX + name, opened.signal);
    return Promise.race([open(this.#connect(name)), died]).finally(() => opened.abort());
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

/** Resolves when an engine that may only just be starting has died. Pending for ever once `signal` has aborted. */
async function deathOf(lockName: string, signal: AbortSignal): Promise<null> {
  const isHeld = async () => {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name, mode }) => mode === 'exclusive' && name === lockName);
  };
  // Asking for the lock before the engine has it would be in its way.
  while (!signal.aborted && !(await isHeld())) await sleep(LOOK_PAUSE, signal).catch(() => {});
  return new Promise((resolve) => {
    if (!signal.aborted) onceFreed(lockName, () => resolve(null), signal);
  });
}

/** Who asked for a lock with a signal of its own learns by that signal; otherwise the lock was stolen. */
function isStolen(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}

/** Name of the engine of this build that other tabs use; undefined where there is none. */
async function livingEngine(): Promise<string | undefined> {
  const { held = [] } = await navigator.locks.query();
  // A tab that waited for the death of an engine has the lock afterwards, in shared mode; one that cannot run code
  // (frozen, in a debugger) keeps it.
  const lock = held.find(({ name, mode }) => mode === 'exclusive' && name?.startsWith(ENGINE_LOCK_PREFIX + BUILD));
  return lock?.name?.slice(ENGINE_LOCK_PREFIX.length);
}
