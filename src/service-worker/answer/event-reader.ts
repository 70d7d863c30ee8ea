import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/completion-event.ts';

export interface EventReader {
  /** The next event, or null when none came within that many milliseconds; it is then still to come. */
  next(patience: number): Promise<CompletionEvent | null>;
  /** Ends the completion, wherever it stands. */
  cancel(): void;
}

/** Reads a completion's events one at a time without ever losing one to a timer. */
export function readEvents(events: ReadableStream<CompletionEvent>): EventReader {
  const reader = events.getReader();
  let pending: Promise<CompletionEvent> | null = null;

  async function read(): Promise<CompletionEvent> {
    const { done, value } = await reader.read();
    return done ? { type: 'error', error: brokenOff().toData() } : value;
  }

  return {
    async next(patience) {
      pending ??= read();
      const event = await within(patience, pending);
      if (event !== null) pending = null;
      return event;
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
