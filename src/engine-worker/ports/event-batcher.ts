import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

/** Sends consecutive events. `sequence` is the number of the first one. */
export type SendEvents = (events: readonly CompletionEvent[], sequence: number) => void;

/** Milliseconds between two batches. Text that grows twenty times a second looks smooth. */
const BATCH_INTERVAL = 50;

/** Milliseconds after which a prefill that is still running is reported. */
const PREFILL_DELAY = 200;

/**
 * Sends events in batches, because each message wakes the service worker and the page, and on a device with few cores
 * that slows down the model.
 *
 * The first delta, the deltas of a slow model and all other events are sent immediately, with two exceptions. A
 * `finish` event is paced like a delta, so that it is mostly sent together with the next event, which follows at once.
 * A `prefill` event is sent only after {@link PREFILL_DELAY}, because most prefills are shorter.
 */
export class EventBatcher {
  readonly #send: SendEvents;
  readonly #pace: number;
  #held: CompletionEvent[] = [];
  #sequence = 0;
  #gathering = false;
  /** When the last message with deltas was sent (`performance.now()`). */
  #sent = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param pace Milliseconds between two messages with deltas. Default: 50. */
  constructor(send: SendEvents, pace: number = BATCH_INTERVAL) {
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
      this.#timer ??= setTimeout(() => this.#flush(), PREFILL_DELAY);
      return;
    }
    if (event.type !== 'delta' && event.type !== 'finish') return this.#flush();
    const wait = this.#sent + this.#pace - performance.now();
    if (wait <= 0) this.#flushPieces();
    else {
      // The timer may still be waiting for {@link PREFILL_DELAY}, which is longer.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#flushPieces(), wait);
    }
  }

  /** Discards the events that have not been sent. */
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
