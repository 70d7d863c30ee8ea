/** Milliseconds between two pings. */
const PING_PAUSE = 5000;

/** Pings in a row that may stay without an answer. */
const MOST_UNANSWERED = 6;

/**
 * Notices a worker whose thread is blocked: it leaves six pings in a row, 30 seconds of them, without an answer.
 *
 * A worker that waits for the network, the graphics device or a compiler answers, for its thread is free meanwhile, and a
 * model loads and generates in steps between which messages are heard. The longest steps known, reading a large tokenizer
 * and compiling a grammar, take seconds. Counted are pings, not time: a page that is frozen, and a machine that sleeps,
 * send none.
 */
export class Heartbeat {
  readonly #ping: () => void;
  readonly #onSilence: () => void;
  readonly #reasons = new Set<AbortSignal>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;

  /** @param onSilence Called once; nothing is pinged any more then. */
  constructor(ping: () => void, onSilence: () => void) {
    this.#ping = ping;
    this.#onSilence = onSilence;
  }

  /** Pings until `signal` aborts, or longer if others want it too. */
  runUntil(signal: AbortSignal): void {
    if (signal.aborted || this.#reasons.has(signal)) return;
    this.#reasons.add(signal);
    this.#timer ??= setInterval(() => this.#tick(), PING_PAUSE);
    const leave = () => {
      this.#reasons.delete(signal);
      if (this.#reasons.size === 0) this.stop();
    };
    signal.addEventListener('abort', leave, { once: true });
  }

  /** The worker has said something. */
  hear(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#unanswered = 0;
  }

  #tick(): void {
    if (this.#unanswered === MOST_UNANSWERED) {
      this.stop();
      this.#onSilence();
      return;
    }
    this.#unanswered++;
    this.#ping();
  }
}
