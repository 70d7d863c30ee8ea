import type { EngineConnection, EnginePort } from '../../shared/messaging/engine-connection.ts';
import type { EngineRequestMessage } from '../../shared/messaging/messages.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { isLockHeld } from '../../shared/locks/liveness-lock.ts';
import {
  ENGINE_HOST_LOCK,
  ENGINE_LOCK_PREFIX,
  isStolen,
  SERVES_PORTS,
  siteLocks,
} from '../../shared/locks/site-locks.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { EngineHost, OpenConnection } from './engine-host.ts';
import { failureStrings } from '../strings/failure-strings.ts';

/**
 * Milliseconds for which this tab searches for the tab that hosts the engine before it may steal the host's lock: the
 * lock may be passing from one tab to another at that moment.
 */
const SEARCH_TIME = 10_000;

/** Milliseconds between two searches. */
const SEARCH_INTERVAL = 100;

/**
 * Milliseconds within which the host must prove that it runs. Its worker can reply only between two steps of its work.
 * The longest known steps (parsing a large tokenizer, compiling a grammar) take seconds.
 */
const PROOF_TIME = 4000;

/** Name of the BroadcastChannel on which tabs tell each other which of them hosts the engine. */
const HOST_CHANNEL = 'tabserve/engine-host';

/**
 * Messages between tabs. A tab sends `who-hosts` to ask the host for a proof that it runs; the host replies `i-host`. A
 * tab sends `i-wait` to tell the host that it waits for the lock and can take over.
 */
type HostMessage = 'who-hosts' | 'i-host' | 'i-wait';

/**
 * Runs the engine in a DedicatedWorker of one tab, the leader, for browsers in which a SharedWorker cannot use WebGPU.
 * The tab that holds {@link ENGINE_HOST_LOCK} is the leader; when it closes, the next tab in the lock's queue becomes
 * the leader and starts a new engine.
 * A frozen page's worker is frozen too. So a host whose page is frozen stops its engine and releases the lock if
 * another tab waits for it. A host that does not respond without a `freeze` event (in a debugger or a dialog, or in a
 * browser without that event) keeps the lock: a tab that needs the engine gets a port from another tab that is connected to
 * it; or else it steals the lock after at most {@link SEARCH_TIME} and 2 × {@link PROOF_TIME}, 18 s.
 */
export class LeaderEngineHost implements EngineHost {
  readonly #script: URL | undefined;
  readonly #findEngineInOtherTab: () => Promise<EnginePort | null>;
  readonly #onScriptError: (event: Event) => void;
  readonly #closed = new AbortController();
  readonly #channel = new BroadcastChannel(HOST_CHANNEL);
  /** This tab's lock request, pending or granted. Aborting it cancels the request or releases the lock. */
  #claim = new AbortController();
  #worker: { readonly worker: Worker; readonly lockName: string } | null = null;
  /**
   * True after another tab has announced that it waits for {@link ENGINE_HOST_LOCK}. That tab may have been closed
   * since.
   */
  #isAwaited = false;
  #isFrozen = false;
  /** Whether a tab has proved that it hosts the engine since this one last asked. */
  #hasProof = false;

  /**
   * @param script Address of the engine worker; undefined means the one built beside this script.
   * @param findEngineInOtherTab Gets a port to the engine that another tab hosts; null if none does.
   * @param onScriptError Called when the script cannot be loaded or throws while it starts.
   */
  constructor(
    script: URL | undefined,
    findEngineInOtherTab: () => Promise<EnginePort | null>,
    onScriptError: (event: Event) => void,
  ) {
    this.#script = script;
    this.#findEngineInOtherTab = findEngineInOtherTab;
    this.#onScriptError = onScriptError;
    const { signal } = this.#closed;
    this.#channel.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => this.#receive(data));
    document.addEventListener('freeze', () => this.#freeze(), { signal });
    document.addEventListener('resume', () => this.#resume(), { signal });
    void this.#claimLock();
  }

  async join(open: OpenConnection): Promise<EngineConnection> {
    let deadline = performance.now() + SEARCH_TIME;
    let hasDoubted = false;
    let asked: Promise<EnginePort | null> | null = null;
    for (;;) {
      const own = this.connect();
      // Other tabs may be stopped. While they are asked, this one may become the host.
      const port = own ?? (await withTimeout(SEARCH_INTERVAL, (asked ??= this.#findEngineInOtherTab()), undefined));
      if (port !== undefined) asked = null;
      if (port) {
        const connection = await open(port);
        if (connection) return connection;
        // The handshake failed. If the engine's lock is still held, a page passed on the port, but the host's worker does
        // not respond. Otherwise that engine has ended, and this tab may host the next one already.
        const isBlocked = !this.#worker && (await isLockHeld(port.lockName));
        if (own || (isBlocked && hasDoubted)) throw engineUnavailable(failureStrings.notInTime, 2);
        if (isBlocked) {
          hasDoubted = true;
          this.#steal();
          deadline = performance.now() + SEARCH_TIME;
        }
      }
      if (!this.#worker && performance.now() > deadline) {
        if (hasDoubted) throw engineUnavailable(failureStrings.noEngineTab, 2);
        hasDoubted = true;
        if (await this.#isHostSilent()) this.#steal();
        deadline = performance.now() + SEARCH_TIME;
      }
      await sleep(SEARCH_INTERVAL, this.#closed.signal);
    }
  }

  connect(): EnginePort | null {
    if (!this.#worker) return null;
    const { port1, port2 } = new MessageChannel();
    this.#worker.worker.postMessage(null, [port2]);
    return { port: port1, lockName: this.#worker.lockName };
  }

  restart(lockName: string): void {
    // A tab that was stopped learns of the end of another tab's engine after it has become the host itself.
    if (this.#worker?.lockName === lockName) this.#start();
  }

  close(reason?: unknown): void {
    this.#closed.abort(reason);
    this.#release();
    this.#channel.close();
  }

  #receive(message: HostMessage): void {
    if (message === 'who-hosts') this.#prove();
    else if (message === 'i-host') {
      this.#hasProof = true;
      this.#sayThatIWait();
    } else {
      this.#isAwaited = true;
      if (this.#isFrozen && this.#worker) this.#release();
    }
  }

  /**
   * Tells the other tabs that this tab hosts the engine, after its worker has replied. The worker must reply because a
   * frozen page still receives broadcasts, while its worker is frozen.
   */
  #prove(): void {
    const worker = this.#worker;
    const port = this.connect()?.port;
    if (!port) return;
    port.addEventListener('message', () => {
      port.close();
      if (worker === this.#worker) this.#say('i-host');
    });
    port.start();
    port.postMessage({ type: 'ping' } satisfies EngineRequestMessage);
  }

  #freeze(): void {
    this.#isFrozen = true;
    // If no other tab waits, the engine is kept: the model and a running answer still exist when the page is resumed.
    if (!this.#worker || this.#isAwaited) this.#release();
  }

  #resume(): void {
    this.#isFrozen = false;
    if (this.#claim.signal.aborted) void this.#claimLock();
  }

  /** Hosts the engine from the grant of the lock until this tab releases the lock or another tab steals it. */
  async #claimLock(steal = false): Promise<void> {
    this.#claim.abort();
    const claim = new AbortController();
    this.#claim = claim;
    this.#sayThatIWait();
    try {
      await siteLocks().request(ENGINE_HOST_LOCK, steal ? { steal } : { signal: claim.signal }, () =>
        this.#host(claim.signal),
      );
    } catch (thrown) {
      if (claim.signal.aborted) return;
      if (!isStolen(thrown)) throw thrown;
      // Another tab stole the lock, because this tab did not respond.
      this.#release();
      if (!this.#isFrozen) await this.#claimLock();
    }
  }

  #steal(): void {
    trace('engine', 'steals the lock of a tab that hosts the engine and does not answer');
    void this.#claimLock(true);
  }

  /**
   * Hosts the engine in this tab.
   * @returns a promise that resolves when the lock is to be released; undefined if this tab has cancelled its request.
   */
  #host(ended: AbortSignal): Promise<void> | undefined {
    if (ended.aborted) return undefined;
    this.#isAwaited = false;
    this.#start();
    this.#say('i-host');
    return new Promise((resolve) => ended.addEventListener('abort', () => resolve(), { once: true }));
  }

  /** Stops the engine, if this tab hosts it, and releases the lock or cancels the pending request for it. */
  #release(): void {
    this.#stop();
    this.#claim.abort();
  }

  /**
   * Whether no tab proves in time that it hosts the engine. The waiting time is random, so that one tab steals the lock
   * before the others try.
   */
  async #isHostSilent(): Promise<boolean> {
    const { signal } = this.#closed;
    this.#hasProof = false;
    this.#say('who-hosts');
    const time = PROOF_TIME * (1 + Math.random());
    // Waits in two parts: after a frozen tab resumes, an expired timer fires before the messages that arrived while the
    // tab was frozen. The second part gives these messages time to arrive.
    await sleep(time / 2, signal);
    await sleep(time / 2, signal);
    return !this.#hasProof && !this.#worker;
  }

  #sayThatIWait(): void {
    if (!this.#worker && !this.#claim.signal.aborted) this.#say('i-wait');
  }

  #say(message: HostMessage): void {
    if (!this.#closed.signal.aborted) this.#channel.postMessage(message);
  }

  #start(): void {
    this.#stop();
    const name = SERVES_PORTS + crypto.randomUUID();
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
