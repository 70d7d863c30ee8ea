/** Milliseconds between two polls. A context that awaits events sends a ping as often. */
const POLL_INTERVAL = 5000;

/** Consecutive polls without a message after which the context has ended. Polls are counted, because machines sleep. */
const MAX_SILENT = 7;

/**
 * Calls `onSilent` when a context that awaits events has sent nothing for {@link MAX_SILENT} polls.
 * @param awaits Whether the context awaits events.
 * @param signal Ends the watch.
 * @returns a function to call for each message of the context.
 */
export function watchSilence(awaits: () => boolean, onSilent: () => void, signal: AbortSignal): () => void {
  let silent = 0;
  const timer = setInterval(() => {
    silent = awaits() ? silent + 1 : 0;
    if (silent < MAX_SILENT) return;
    silent = 0;
    onSilent();
  }, POLL_INTERVAL);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  return () => {
    silent = 0;
  };
}
