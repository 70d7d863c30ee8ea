import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { brokenOff } from '../../shared/engine/engine-errors.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { isWaiting } from '../encoders/completion-encoder.ts';
import type { ExchangeObserver } from '../request-log/exchange-observer.ts';

/**
 * The event that is returned at the end of a stream which closes without `done` or `error`, because its engine has
 * died.
 */
const BROKEN_OFF: CompletionEvent = {
  type: 'error',
  error: brokenOff().toData(),
};

export interface EventReader {
  /** Returns the next events; null if none arrive within `time` milliseconds. */
  next(time: number): Promise<readonly CompletionEvent[] | null>;
  /** Ends the completion. */
  cancel(reason?: unknown): void;
}

/**
 * Reads the events of a completion. A read that times out loses no event: the next call returns it.
 * @param waiting Contains the reader until the completion has output, fails or is cancelled.
 */
export function readEvents(
  events: ReadableStream<readonly CompletionEvent[]>,
  waiting: Set<object>,
  observer: ExchangeObserver | null,
): EventReader {
  const reader = events.getReader();
  let pending: Promise<readonly CompletionEvent[]> | null = null;

  async function read(): Promise<readonly CompletionEvent[]> {
    const { done, value } = await reader.read();
    const events = done ? [BROKEN_OFF] : value;
    if (!events.every(isWaiting)) waiting.delete(self);
    observer?.completionEvents(events);
    return events;
  }

  const self: EventReader = {
    async next(time) {
      pending ??= read();
      const events = await withTimeout(time, pending, null);
      if (events !== null) pending = null;
      return events;
    },
    cancel(reason) {
      waiting.delete(self);
      reader.cancel(reason).catch(() => undefined);
    },
  };
  waiting.add(self);
  return self;
}
