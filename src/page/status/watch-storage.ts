import { openSiteDatabase } from '../../shared/storage/site-database.ts';
import { logError } from '../console/log-error.ts';

/** Milliseconds between two looks; one at a database that is open costs nothing. */
const INTERVAL = 15_000;

/**
 * Tells when it turns out that the browser does not open the site's database, and when it does again.
 * @param signal Ends it.
 */
export function watchStorage(tell: (keepsNothing: boolean) => void, signal: AbortSignal): void {
  let kept = true;
  const look = async () => {
    const failure = await openSiteDatabase().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (signal.aborted || kept === (failure === null)) return;
    kept = failure === null;
    if (failure instanceof Error) logError(failure.message, failure.cause);
    tell(!kept);
  };
  const timer = setInterval(() => void look(), INTERVAL);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  void look();
}
