import { openSiteDatabase } from '../../shared/storage/site-database.ts';
import { logError } from '../console/log-error.ts';

/** Milliseconds between polls. A poll is cheap while the database is open. */
const POLL_INTERVAL = 15_000;

/** Milliseconds after the first poll that fails. A busy device may open the database late, mostly on a first visit. */
const SECOND_POLL = 7000;

/**
 * Calls `onChange` when two polls in a row could not open the site's database, and when one can again.
 * @param signal Stops watching.
 */
export function watchStorage(onChange: (keepsNothing: boolean) => void, signal: AbortSignal): void {
  let available = true;
  let failures = 0;
  const poll = async () => {
    const failure = await openSiteDatabase().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    failures = failure === null ? 0 : failures + 1;
    if (signal.aborted || available === (failure === null)) return;
    if (failures === 1) return void setTimeout(() => void poll(), SECOND_POLL);
    available = failure === null;
    if (failure instanceof Error) logError(failure.message, failure.cause);
    onChange(!available);
  };
  const timer = setInterval(() => void poll(), POLL_INTERVAL);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  void poll();
}
