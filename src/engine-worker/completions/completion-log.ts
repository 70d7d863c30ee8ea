import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

export type CompletionListener = (event: CompletionEvent) => void;

/**
 * Everything that was said about one completion, in order. It outlives whoever listens: a listener that comes
 * late hears it all from the start.
 */
export class CompletionLog {
  readonly #events: CompletionEvent[] = [];
  readonly #listeners = new Set<CompletionListener>();
  #ended = false;

  /** True after `done` or `error`, or after {@link end}. Nothing is added then. */
  get ended(): boolean {
    return this.#ended;
  }

  /** All that was said until now. */
  get events(): readonly CompletionEvent[] {
    return this.#events;
  }

  /** Whether its last word is an error. */
  get failed(): boolean {
    return this.#events.at(-1)?.type === 'error';
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Size of all that was said, written as JSON. */
  get characters(): number {
    return JSON.stringify(this.#events).length;
  }

  append(event: CompletionEvent): void {
    if (this.#ended) return;
    if (event.type === 'done' || event.type === 'error') this.#ended = true;
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
    if (this.#ended) this.#listeners.clear();
  }

  /** Ends the log without a last word: its listener has cancelled and hears nothing any more. */
  end(): void {
    this.#ended = true;
    this.#listeners.clear();
  }

  /** Replays the log to `listener`, then tells it every further event, until the function that this gives is called. */
  subscribe(listener: CompletionListener): () => void {
    for (const event of this.#events) listener(event);
    if (!this.#ended) this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
