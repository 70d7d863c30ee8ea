import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

export type CompletionListener = (event: CompletionEvent) => void;

/** All events of one completion, in order. A listener that subscribes later also gets every event from the start. */
export class CompletionLog {
  readonly #events: CompletionEvent[] = [];
  readonly #listeners = new Set<CompletionListener>();
  #ended = false;

  /** True after a `done` or `error` event or {@link end}. Later events are ignored. */
  get ended(): boolean {
    return this.#ended;
  }

  get events(): readonly CompletionEvent[] {
    return this.#events;
  }

  get failed(): boolean {
    return this.#events.at(-1)?.type === 'error';
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Length of all events as JSON text. */
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

  /** Ends the log without a `done` or `error` event, because the client has cancelled and no longer listens. */
  end(): void {
    this.#ended = true;
    this.#listeners.clear();
  }

  /** Replays the log, then sends each further event. Returns a function that unsubscribes. */
  subscribe(listener: CompletionListener): () => void {
    for (const event of this.#events) listener(event);
    if (!this.#ended) this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
