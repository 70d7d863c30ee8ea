import type { PrefillEvent } from '../../shared/engine/completion-event.ts';

/** Milliseconds without an event after which a sign of life is given: well below those after which an engine counts as stuck. */
const LONG = 20_000;

/**
 * Tells that a model still writes, although the reader of its answer has held back all text for long, such as line feeds
 * without end. Otherwise the answer would fail and the model be loaded again, in place of an answer that ends at its limit.
 */
export class SignOfLife {
  #last = performance.now();

  /** Yields the events of a token, and a sign if there was none for long. */
  *after<Event>(events: Iterable<Event>): Generator<Event | PrefillEvent, undefined> {
    for (const event of events) {
      this.#last = performance.now();
      yield event;
    }
    if (performance.now() - this.#last < LONG) return undefined;
    this.#last = performance.now();
    yield { type: 'prefill' };
    return undefined;
  }
}
