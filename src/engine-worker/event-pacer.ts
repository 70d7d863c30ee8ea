import type { CompletionEvent } from '../shared/completion-event.ts';

/** Sends events that follow one another; `sequence` is the number of the first. */
export type SendEvents = (events: readonly CompletionEvent[], sequence: number) => void;

/** Milliseconds. Text that grows twenty times a second flows for a reader. */
const PACE = 50;

/**
 * Gathers what a fast model writes: each message wakes the service worker and then the page, which slows the model
 * where cores are few.
 *
 * A slow model's pieces, and the first one of any, are sent at once, and so is whatever is no piece. Two things wait, for
 * as long as pieces do: a `finish`, since `done` or another choice follows it without delay, and a `prefill`, which nobody
 * needs to know where the first piece follows soon.
 */
export class EventPacer {
  readonly #send: SendEvents;
  readonly #pace: number;
  #held: CompletionEvent[] = [];
  #sequence = 0;
  #gathering = false;
  /** When pieces were last sent. */
  #sent = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param pace Milliseconds between two messages with pieces. Default: 50. */
  constructor(send: SendEvents, pace: number = PACE) {
    this.#send = send;
    this.#pace = pace;
  }

  /** What `replay` pushes, a log from its start, is sent at once and as one: its reader knows then how far it is. */
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
    if (event.type === 'prefill') return this.#later(() => this.#flush(), this.#pace);
    if (event.type !== 'delta' && event.type !== 'finish') return this.#flush();
    const wait = this.#sent + this.#pace - performance.now();
    if (wait <= 0) this.#flushPieces();
    else this.#later(() => this.#flushPieces(), wait);
  }

  /** What is held back is not sent any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#held = [];
  }

  #later(flush: () => void, wait: number): void {
    this.#timer ??= setTimeout(flush, wait);
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
