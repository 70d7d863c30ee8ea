import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

/** Sends events that follow one another; `sequence` is the number of the first. */
export type SendEvents = (events: readonly CompletionEvent[], sequence: number) => void;

/** Milliseconds. Text that grows twenty times a second flows for a reader. */
const PACE = 50;

/** Milliseconds after which a reader wants to know why there is no text: a prompt is being read. */
const READING = 200;

/**
 * Gathers what a fast model writes: each message wakes the service worker and then the page, which slows the model
 * where cores are few.
 *
 * A slow model's pieces, and the first one of any, are sent at once, and so is whatever is no piece. But a `finish` waits
 * with the pieces, since `done` or another choice follows it without delay, and a `prefill` waits for {@link READING}: most
 * prompts are read by then, and reading takes longer where others are woken meanwhile.
 */
export class EventBatcher {
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
    if (event.type === 'prefill') {
      this.#timer ??= setTimeout(() => this.#flush(), READING);
      return;
    }
    if (event.type !== 'delta' && event.type !== 'finish') return this.#flush();
    const wait = this.#sent + this.#pace - performance.now();
    if (wait <= 0) this.#flushPieces();
    else {
      // In place of one that is later, of a prefill.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#flushPieces(), wait);
    }
  }

  /** What is held back is not sent any more. */
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
