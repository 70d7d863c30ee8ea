import { ANSWER_LOCK, siteLocks } from '../../shared/locks/site-locks.ts';
import {
  PROTOCOL_VERSION,
  VERSION,
  type ServiceWorkerVersionReply,
  type TakeOverMessage,
} from '../../shared/messaging/messages.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { siteFaultStrings } from '../strings/site-fault-strings.ts';
import { REPLY_TIMEOUT, type AskVersion } from './ask-version.ts';

/**
 * Milliseconds after which `SKIP_WAITING` is sent again: the browser may have stopped the worker, which then has
 * forgotten the first message.
 */
const REMINDER_INTERVAL = 60_000;

/**
 * What became of the newer service worker of a registration. `none`: there is none, or it has the same options, so that
 * it may wait. `adopted`: it has taken over. `waits`: it has other options, and the earlier worker still answers.
 * `refused`: it must not take over. `warning` says so to the site's developer.
 */
export type Adoption =
  | { readonly outcome: 'none' | 'adopted' }
  | { readonly outcome: 'waits' | 'refused'; readonly warning: string };

const NONE: Adoption = { outcome: 'none' };

/**
 * Lets a newer service worker take over if its options differ from those of the active one. Its options belong to this
 * page, which was loaded with or after it; without it, requests for a new model would fail. It takes over once no
 * response is being sent. If that is not soon, this function resolves with `waits`, and the worker takes over later.
 * @param isAllowed Whether it may take over without {@link Tabserve.applyUpdate}.
 * @throws the signal's reason if it aborts.
 */
export async function adoptNewerWorker(
  registration: ServiceWorkerRegistration,
  ask: AskVersion,
  isAllowed: boolean,
  signal: AbortSignal,
): Promise<Adoption> {
  const { active, installing, waiting } = registration;
  const newer = installing ?? waiting;
  if (!newer || !active) return NONE;
  const isSameScript = newer.scriptURL === active.scriptURL;
  const [before, firstReply] = await Promise.all([ask(active), ask(newer)]);
  // A script that was just loaded may reply late on a busy machine.
  const after = firstReply ?? (isSameScript ? await ask(newer) : null);
  if (after === null) return isSameScript ? NONE : refused(siteFaultStrings.ownWorker(newer.scriptURL));
  if (hasSameOptions(before, after)) return NONE;
  if (after.fault !== undefined) return refused(siteFaultStrings.newerHasFault(newer.scriptURL, after.fault));
  // Tabs with pages of an older version may be open, which could not use it. `takeControl` says what to do.
  const isCompatible = [before ?? after, after].every(({ version }) => version === PROTOCOL_VERSION);
  if (!isCompatible || (after.release ?? '') !== VERSION) return NONE;
  const installed = reaches(newer, 'installed', signal);
  const isInstalled = await withTimeout(REPLY_TIMEOUT, installed, null);
  if (isInstalled === false) return NONE;
  const warning = siteFaultStrings.newerWaits(newer.scriptURL, isAllowed);
  if (!isAllowed) return waits(warning);
  const activated = reaches(newer, 'activated', signal);
  // Also if it is installed only after a long time.
  installed.then((is) => void (is && askToTakeOver(registration, activated))).catch(() => {});
  if (isInstalled === null) return waits(warning);
  const { held = [] } = await siteLocks().query();
  // A newer worker holds the lock in exclusive mode while it takes over.
  if (held.some(({ name, mode }) => name === ANSWER_LOCK && mode === 'shared')) return waits(warning);
  return (await withTimeout(REPLY_TIMEOUT, activated, false)) ? { outcome: 'adopted' } : waits(warning);
}

/** Asks the waiting service worker to take over, until the promise settles. */
export async function askToTakeOver(registration: ServiceWorkerRegistration, settled: Promise<unknown>): Promise<void> {
  const first = performance.now();
  const ask = () => {
    const message: TakeOverMessage = { type: 'SKIP_WAITING', waited: performance.now() - first };
    registration.waiting?.postMessage(message);
  };
  ask();
  const timer = setInterval(ask, REMINDER_INTERVAL);
  await settled.catch(() => {}).finally(() => clearInterval(timer));
}

function refused(warning: string): Adoption {
  return { outcome: 'refused', warning };
}

function waits(warning: string): Adoption {
  return { outcome: 'waits', warning };
}

/** @param before Null if the active service worker is not Tabserve's. */
function hasSameOptions(before: ServiceWorkerVersionReply | null, after: ServiceWorkerVersionReply): boolean {
  return before?.options === after.options && before?.release === after.release && before?.fault === after.fault;
}

/**
 * Waits until a worker has reached a state, or a later one.
 * @returns false if it will never reach the state, because the browser has discarded the worker.
 * @throws the signal's reason if it aborts.
 */
async function reaches(worker: ServiceWorker, state: 'installed' | 'activated', signal: AbortSignal): Promise<boolean> {
  const states: readonly ServiceWorkerState[] = ['parsed', 'installing', 'installed', 'activating', 'activated'];
  while (worker.state !== 'redundant' && states.indexOf(worker.state) < states.indexOf(state)) {
    const changed = new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
    await withAbort(changed, signal);
  }
  return worker.state !== 'redundant';
}
