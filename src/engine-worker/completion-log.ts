import type { CompletionEvent } from '../shared/completion-event.ts';

export type CompletionListener = (event: CompletionEvent, sequence: number) => void;

/**
 * Everything that was said about one completion, numbered from 0 without gaps. It outlives whoever
 * listens: a listener that comes late hears it all from the start.
 */
export class CompletionLog {
  readonly #events: CompletionEvent[] = [];
  readonly #listeners = new Set<CompletionListener>();
  #ended = false;

  /** True after `done` or `error`, or after {@link end}. Nothing is added then. */
  get ended(): boolean {
    return this.#ended;
  }

  append(event: CompletionEvent): void {
    if (this.#ended) return;
    if (event.type === 'done' || event.type === 'error') this.#ended = true;
    const sequence = this.#events.push(event) - 1;
    for (const listener of this.#listeners) listener(event, sequence);
    if (this.#ended) this.#listeners.clear();
  }

  /** Ends the log without a last word: its listener has cancelled and hears nothing any more. */
  end(): void {
    this.#ended = true;
    this.#listeners.clear();
  }

  /**
   * Replays the log to `listener`, then tells it every further event.
   * @returns a function that ends the subscription.
   */
  subscribe(listener: CompletionListener): () => void {
    this.#events.forEach((event, sequence) => listener(event, sequence));
    if (!this.#ended) this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
