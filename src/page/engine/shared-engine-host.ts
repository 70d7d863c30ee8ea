import type { EngineConnection, EnginePort } from '../../shared/messaging/engine-connection.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import {
  ENGINE_ABANDONED_PREFIX,
  ENGINE_LOCK_PREFIX,
  ENGINE_START_LOCK,
  engineBuild,
  isStolen,
  newEngineName,
  siteLocks,
} from '../../shared/locks/site-locks.ts';
import { whenReleased } from '../../shared/locks/liveness-lock.ts';
import { VERSION } from '../../shared/messaging/messages.ts';
import type { EngineHost, OpenConnection } from './engine-host.ts';
import { failureStrings } from '../strings/failures.ts';

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
const BUILD = `${VERSION} ${import.meta.url}`;

/** Milliseconds that a page may take for its turn; one that can run code has its engine, or knows that it is none, before. */
const TURN_TIME = 25_000;

/** How many engines are tried of which each dies, or is silent, when it should say welcome. */
const MOST_ATTEMPTS = 3;

/**
 * One SharedWorker for every tab of the origin. Each engine has a name of its own: under the name of one
 * that has died, browsers may go on to offer the dead one.
 */
export class SharedEngineHost implements EngineHost {
  readonly #script: URL | undefined;
  readonly #onScriptError: (event: Event) => void;
  readonly #pageEnded: AbortSignal;
  readonly #closed = new AbortController();
  #name: string | null = null;
  /** Settles when every other page can see which engines this one has abandoned. */
  #abandoned: Promise<void> = Promise.resolve();

  /**
   * @param script Address of the engine worker; undefined means the one built beside this script.
   * @param onScriptError Called when the script cannot be loaded or throws while it starts.
   * @param pageEnded Aborts when this page wants no engine any more.
   */
  constructor(script: URL | undefined, onScriptError: (event: Event) => void, pageEnded: AbortSignal) {
    this.#script = script;
    this.#onScriptError = onScriptError;
    this.#pageEnded = pageEnded;
  }

  async join(open: OpenConnection): Promise<EngineConnection> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      await this.#abandoned;
      const living = await livingEngine();
      const connection = await (living === undefined
        ? this.#inTurn(async () => this.#open((await livingEngine()) ?? newEngineName(BUILD), open))
        : this.#open(living, open));
      if (connection) return connection;
    }
    throw engineUnavailable(failureStrings.noHandshake, 2);
  }

  connect(): EnginePort | null {
    return this.#name === null ? null : this.#connect(this.#name);
  }

  restart(): void {
    if (this.#name !== null) this.#abandon(this.#name);
    this.#name = null;
  }

  close(reason?: unknown): void {
    this.#closed.abort(reason);
    this.#name = null;
  }

  /** Until an engine holds its lock nobody else can see that it is being started: one page at a time may do that. */
  async #inTurn(start: () => Promise<EngineConnection | null>): Promise<EngineConnection | null> {
    let started: Promise<EngineConnection | null> | null = null;
    const run = () => (started = start());
    const patience = new AbortController();
    const lose = () => patience.abort();
    const timer = setTimeout(lose, TURN_TIME);
    this.#closed.signal.addEventListener('abort', lose, { once: true });
    try {
      return await siteLocks()
        .request(ENGINE_START_LOCK, { signal: patience.signal }, run)
        .catch((thrown) => {
          this.#closed.signal.throwIfAborted();
          if (started) throw thrown;
          // The page whose turn it is cannot run code: it would have succeeded or failed by now.
          return siteLocks().request(ENGINE_START_LOCK, { steal: true }, run);
        });
    } catch (thrown) {
      if (this.#closed.signal.aborted || !isStolen(thrown)) throw thrown;
      // It was this page that could not run code, and another one has gone ahead.
      void started!.then((connection) => connection?.close()).catch(() => {});
      return this.#inTurn(start);
    } finally {
      clearTimeout(timer);
      this.#closed.signal.removeEventListener('abort', lose);
    }
  }

  async #open(name: string, open: OpenConnection): Promise<EngineConnection | null> {
    this.#name = name;
    const connection = await open(this.#connect(name));
    if (connection) return connection;
    this.#abandon(name);
    // Unless this page, having lost its turn meanwhile, has found another one.
    if (this.#name === name) this.#name = null;
    return null;
  }

  /** Keeps every page from joining an engine that does not answer. One that has died ends that as soon as it began. */
  #abandon(name: string): void {
    const signal = this.#pageEnded;
    if (signal.aborted) return;
    const untilItEnds = () =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        whenReleased(ENGINE_LOCK_PREFIX + name, resolve, signal);
      });
    this.#abandoned = new Promise((resolve) => {
      const mark = () => {
        resolve();
        return untilItEnds();
      };
      siteLocks()
        .request(ENGINE_ABANDONED_PREFIX + name, { mode: 'shared' }, mark)
        // One that cannot be marked is waited for in vain once more, no longer.
        .catch(() => resolve());
    });
  }

  #connect(name: string): EnginePort {
    const worker = this.#script
      ? new SharedWorker(/* @vite-ignore */ this.#script, { type: 'module', name, extendedLifetime: true })
      : new SharedWorker(new URL('../../engine-worker/engine-worker.ts', import.meta.url), {
          type: 'module',
          name,
          extendedLifetime: true,
        });
    worker.addEventListener('error', this.#onScriptError);
    return { port: worker.port, lockName: ENGINE_LOCK_PREFIX + name };
  }
}

/** Name of the engine of this build that other tabs use; undefined where there is none that answers. */
async function livingEngine(): Promise<string | undefined> {
  const { held = [] } = await siteLocks().query();
  const isAbandoned = (name: string) => held.some((lock) => lock.name === ENGINE_ABANDONED_PREFIX + name);
  return held
    .flatMap(({ name, mode }) =>
      // A tab that waited for the death of an engine has the lock afterwards, in shared mode; one that cannot run code
      // (frozen, in a debugger) keeps it.
      mode === 'exclusive' && name !== undefined && engineBuild(name) === BUILD
        ? [name.slice(ENGINE_LOCK_PREFIX.length)]
        : [],
    )
    .find((name) => !isAbandoned(name));
}
