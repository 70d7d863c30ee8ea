/** Milliseconds between pings. */
const PING_INTERVAL = 5000;

/** Consecutive unanswered pings after which the worker counts as blocked. */
const MAX_UNANSWERED = 6;

/**
 * Detects a worker whose thread is blocked: it leaves six pings (30 seconds) unanswered.
 *
 * Waiting for the network, the GPU or its shader compiler does not block the thread. The longest blocking steps of a
 * healthy engine, parsing a large tokenizer and compiling a grammar, take seconds. Pings are counted instead of seconds
 * because a frozen page or a sleeping machine sends no pings.
 */
export class Heartbeat {
  readonly #ping: () => void;
  readonly #onBlocked: () => void;
  readonly #signals = new Set<AbortSignal>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;

  /** @param onBlocked Called once, after the heartbeat has stopped. */
  constructor(ping: () => void, onBlocked: () => void) {
    this.#ping = ping;
    this.#onBlocked = onBlocked;
  }

  /** Sends pings until every signal passed so far has aborted. */
  runUntil(signal: AbortSignal): void {
    if (signal.aborted || this.#signals.has(signal)) return;
    this.#signals.add(signal);
    this.#timer ??= setInterval(() => this.#tick(), PING_INTERVAL);
    const release = () => {
      this.#signals.delete(signal);
      if (this.#signals.size === 0) this.stop();
    };
    signal.addEventListener('abort', release, { once: true });
  }

  /**
   * Resets the count of unanswered pings. Call it for every message of the worker: any message proves that its thread
   * runs.
   */
  receive(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#unanswered = 0;
  }

  #tick(): void {
    if (this.#unanswered === MAX_UNANSWERED) {
      this.stop();
      this.#onBlocked();
      return;
    }
    this.#unanswered++;
    this.#ping();
  }
}
