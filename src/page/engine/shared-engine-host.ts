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
import { sleep } from '../../shared/timeout.ts';
import type { EngineHost, OpenConnection } from './engine-host.ts';
import { failureStrings } from '../strings/failure-strings.ts';

declare global {
  interface WorkerOptions {
    /**
     * Keeps a SharedWorker alive for a short time without a page, so that a reload of the page does not unload the
     * model.
     */
    extendedLifetime?: boolean;
  }
}

/**
 * Identifies this build. A page joins only engines of its own build. After an update, a tab with the old build keeps
 * its engine until the tab is reloaded; until then two engines may run, each with a model in memory.
 */
const BUILD = `${VERSION} ${import.meta.url}`;

/**
 * Milliseconds after which a page steals the start lock. A page that is neither frozen nor blocked has started its
 * engine, or failed, within this time.
 */
const START_LOCK_TIMEOUT = 25_000;

/** How the contexts of a hub start their engine. */
export interface HubWorkers {
  /** In place of {@link BUILD}. */
  readonly build: string;
  /** Starts the SharedWorker of this name, or connects to it. */
  readonly start: (name: string) => SharedWorker;
}

/** Limit of engines that may fail during the handshake before `join()` rejects. */
const MAX_ATTEMPTS = 3;

/**
 * Runs the engine in one SharedWorker for all tabs of the origin. Each engine gets a new name, because browsers may
 * return a dead SharedWorker for a name that was used before.
 */
export class SharedEngineHost implements EngineHost {
  readonly #build: string;
  readonly #start: (name: string) => SharedWorker;
  readonly #onScriptError: (event: Event) => void;
  readonly #pageEnded: AbortSignal;
  readonly #closed = new AbortController();
  #name: string | null = null;
  /** Settles when the engine that this page abandoned is marked as such for all pages. */
  #abandoned: Promise<void> = Promise.resolve();

  /**
   * @param script Address of the engine worker. Default: the one beside this script.
   * @param onScriptError Called if the script cannot be loaded or throws while it starts.
   * @param pageEnded Aborts when this page no longer needs an engine.
   * @param hub For the pages and frames of a hub, which share one engine although they are different scripts.
   */
  constructor(
    script: URL | undefined,
    onScriptError: (event: Event) => void,
    pageEnded: AbortSignal,
    hub?: HubWorkers,
  ) {
    this.#build = hub?.build ?? BUILD;
    this.#start = hub?.start ?? ((name) => startWorker(script, name));
    this.#onScriptError = onScriptError;
    this.#pageEnded = pageEnded;
  }

  async join(open: OpenConnection): Promise<EngineConnection> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await this.#abandoned;
      const live = await findLiveEngine(this.#build);
      const connection = await (live === undefined
        ? this.#withStartLock(async () =>
            this.#open((await findLiveEngine(this.#build)) ?? newEngineName(this.#build), open),
          )
        : this.#open(live, open));
      if (connection) return connection;
    }
    throw engineUnavailable(failureStrings.noHandshake, 2);
  }

  connect(): EnginePort | null {
    return this.#name === null ? null : this.#connect(this.#name);
  }

  restart(lockName: string): void {
    if (this.#name === null || lockName !== ENGINE_LOCK_PREFIX + this.#name) return;
    this.#abandon(this.#name);
    this.#name = null;
  }

  close(reason?: unknown): void {
    this.#closed.abort(reason);
    this.#name = null;
  }

  /**
   * Lets only one page at a time start an engine: other pages cannot find the engine until it holds its own lock, and
   * would start a second one.
   */
  async #withStartLock(start: () => Promise<EngineConnection | null>): Promise<EngineConnection | null> {
    let started: Promise<EngineConnection | null> | null = null;
    const run = () => (started = start());
    const waiting = new AbortController();
    const stopWaiting = () => waiting.abort();
    const ended = AbortSignal.any([waiting.signal, this.#closed.signal]);
    sleep(START_LOCK_TIMEOUT, ended).then(stopWaiting, stopWaiting);
    try {
      return await siteLocks()
        .request(ENGINE_START_LOCK, { signal: waiting.signal }, run)
        .catch((thrown) => {
          this.#closed.signal.throwIfAborted();
          if (started) throw thrown;
          // The page that holds the start lock must be frozen or blocked: otherwise it would have released the lock by
          // now.
          return siteLocks().request(ENGINE_START_LOCK, { steal: true }, run);
        });
    } catch (thrown) {
      if (this.#closed.signal.aborted || !isStolen(thrown)) throw thrown;
      // This page was frozen or blocked, and another page stole the start lock.
      void started!.then((connection) => connection?.close()).catch(() => {});
      return this.#withStartLock(start);
    } finally {
      stopWaiting();
    }
  }

  async #open(name: string, open: OpenConnection): Promise<EngineConnection | null> {
    this.#name = name;
    const connection = await open(this.#connect(name));
    if (connection) return connection;
    this.#abandon(name);
    // Since this page lost the start lock, it may have found another engine, whose name must not be overwritten.
    if (this.#name === name) this.#name = null;
    return null;
  }

  /**
   * Marks an engine as unresponsive by a lock, so that no page joins it. The lock is released when the engine ends; if
   * it is dead already, immediately.
   */
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
        // The lock could not be requested. Without the mark, the next attempt may try the same engine again.
        .catch(() => resolve());
    });
  }

  #connect(name: string): EnginePort {
    const worker = this.#start(name);
    worker.addEventListener('error', this.#onScriptError);
    return { port: worker.port, lockName: ENGINE_LOCK_PREFIX + name };
  }
}

function startWorker(script: URL | undefined, name: string): SharedWorker {
  return script
    ? new SharedWorker(/* @vite-ignore */ script, { type: 'module', name, extendedLifetime: true })
    : new SharedWorker(new URL('../../engine-worker/engine-worker.ts', import.meta.url), {
        type: 'module',
        name,
        extendedLifetime: true,
      });
}

/** Name of a live engine of a build that is not marked as unresponsive; undefined if there is none. */
async function findLiveEngine(build: string): Promise<string | undefined> {
  const { held = [] } = await siteLocks().query();
  const isAbandoned = (name: string) => held.some((lock) => lock.name === ENGINE_ABANDONED_PREFIX + name);
  return held
    .flatMap(({ name, mode }) =>
      // An engine holds its lock in exclusive mode. A lock in shared mode belongs to a tab that waited for the engine's
      // death; while frozen, that tab cannot release it.
      mode === 'exclusive' && name !== undefined && engineBuild(name) === build
        ? [name.slice(ENGINE_LOCK_PREFIX.length)]
        : [],
    )
    .find((name) => !isAbandoned(name));
}
