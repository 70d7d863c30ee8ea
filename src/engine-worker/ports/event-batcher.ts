import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

/** Sends consecutive events; `sequence` is the number of the first. */
export type SendEvents = (events: readonly CompletionEvent[], sequence: number) => void;

/** Milliseconds between batches. Text that grows twenty times a second looks fluent. */
const PACE = 50;

/** Milliseconds after which a running prefill is reported. */
const READING = 200;

/**
 * Batches events: each message wakes the service worker and the page, which slows the model if cores are few.
 *
 * The first delta, a slow model's deltas and all other events are sent at once, with two exceptions. A `finish` waits
 * for what follows at once. A `prefill` waits for {@link READING}: most end sooner.
 */
export class EventBatcher {
  readonly #send: SendEvents;
  readonly #pace: number;
  #held: CompletionEvent[] = [];
  #sequence = 0;
  #gathering = false;
  /** When deltas were last sent. */
  #sent = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param pace Milliseconds between two messages with deltas. Default: 50. */
  constructor(send: SendEvents, pace: number = PACE) {
    this.#send = send;
    this.#pace = pace;
  }

  /** Sends all events that `replay` pushes as one message. */
  together<Result>(replay: () => Result): Result {
    this.#gathering = true;
    const result = replay();
    this.#gathering = false;
    if (this.#held.length > 0) this.#flushPieces();
    return result;
  }

  push(event: CompletionEvent): void {
    this.#held.push(event);
    if (this.#gathering) return;
    if (event.type === 'prefill') {
      this.#timer ??= setTimeout(() => this.#flush(), READING);
      return;
    }
    if (event.type !== 'delta' && event.type !== 'finish') return this.#flush();
    const wait = this.#sent + this.#pace - performance.now();
    if (wait <= 0) this.#flushPieces();
    else {
      // Replaces a later timer of a prefill.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#flushPieces(), wait);
    }
  }

  /** Discards the held events. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#held = [];
  }

  #flushPieces(): void {
    this.#sent = performance.now();
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#held;
    this.#held = [];
    this.#send(events, this.#sequence);
    this.#sequence += events.length;
  }
}
