import { openSiteDatabase } from '../../shared/storage/site-database.ts';
import { logError } from '../console/log-error.ts';

/** Milliseconds between polls. A poll is cheap while the database is open. */
const POLL_INTERVAL = 15_000;

/**
 * Calls `onChange` when the browser cannot open the site's database, and when it can again.
 * @param signal Stops watching.
 */
export function watchStorage(onChange: (keepsNothing: boolean) => void, signal: AbortSignal): void {
  let available = true;
  const poll = async () => {
    const failure = await openSiteDatabase().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (signal.aborted || available === (failure === null)) return;
    available = failure === null;
    if (failure instanceof Error) logError(failure.message, failure.cause);
    onChange(!available);
  };
  const timer = setInterval(() => void poll(), POLL_INTERVAL);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  void poll();
}
