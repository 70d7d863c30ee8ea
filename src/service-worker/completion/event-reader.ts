import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { ExchangeObserver } from '../request-log/exchange-observer.ts';

/** A completion must end with `done` or `error`; when it just stops, its engine has gone away. */
const BROKEN_OFF: CompletionEvent = {
  type: 'error',
  error: engineUnavailable('The answer broke off because the page that ran the model went away.').toData(),
};

export interface EventReader {
  /** The next events, or null when none came within that many milliseconds; they are then still to come. */
  next(time: number): Promise<readonly CompletionEvent[] | null>;
  /** Ends the completion, wherever it stands. */
  cancel(): void;
}

/**
 * Reads a completion's events as they come without ever losing one to a timer.
 * @param observer Is told them as they come.
 */
export function readEvents(
  events: ReadableStream<readonly CompletionEvent[]>,
  observer: ExchangeObserver | null,
): EventReader {
  const reader = events.getReader();
  let pending: Promise<readonly CompletionEvent[]> | null = null;

  async function read(): Promise<readonly CompletionEvent[]> {
    const { done, value } = await reader.read();
    const events = done ? [BROKEN_OFF] : value;
    observer?.completionEvents(events);
    return events;
  }

  return {
    async next(time) {
      pending ??= read();
      const events = await withTimeout(time, pending, null);
      if (events !== null) pending = null;
      return events;
    },
    cancel() {
      // The reason is of no use to the engine, and a failure to cancel is none of the client's business.
      reader.cancel().catch(() => undefined);
    },
  };
}
