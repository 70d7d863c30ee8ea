import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/completion-event.ts';

export interface EventReader {
  /** The next events, or null when none came within that many milliseconds; they are then still to come. */
  next(patience: number): Promise<readonly CompletionEvent[] | null>;
  /** Ends the completion, wherever it stands. */
  cancel(): void;
}

/** Reads a completion's events as they come without ever losing one to a timer. */
export function readEvents(events: ReadableStream<readonly CompletionEvent[]>): EventReader {
  const reader = events.getReader();
  let pending: Promise<readonly CompletionEvent[]> | null = null;

  async function read(): Promise<readonly CompletionEvent[]> {
    const { done, value } = await reader.read();
    return done ? [{ type: 'error', error: brokenOff().toData() }] : value;
  }

  return {
    async next(patience) {
      pending ??= read();
      const events = await within(patience, pending);
      if (events !== null) pending = null;
      return events;
    },
    cancel() {
      // The reason is of no use to the engine, and a failure to cancel is none of the client's business.
      reader.cancel().catch(() => undefined);
    },
  };
}

/** A completion must end with `done` or `error`; when it just stops, its engine has gone away. */
function brokenOff(): ApiError {
  return new ApiError('engine_unavailable', 'The answer broke off because the page that ran the model went away.', {
    retryAfter: 1,
  });
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
