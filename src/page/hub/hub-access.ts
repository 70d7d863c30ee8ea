import { useLocks } from '../../shared/locks/site-locks.ts';
import { withTimeout } from '../../shared/timeout.ts';

/** What `requestStorageAccess({ all: true })` returns: the hub's own storage, which a foreign site's frame lacks. */
interface StorageAccessHandle {
  readonly locks: LockManager;
  SharedWorker(script: string, options: object): SharedWorker;
}

/** Milliseconds within which a browser answers that does not ask the person. Firefox 153 may never answer. */
const UNASKED_TIME = 2000;

/** Starts a SharedWorker that all pages and frames of this hub share. */
export type StartSharedWorker = (script: string, options: WorkerOptions) => SharedWorker;

declare global {
  interface Document {
    requestStorageAccess(types: { readonly all: true }): Promise<Partial<StorageAccessHandle> | undefined>;
  }
}

/**
 * Gets access to the hub's own workers and locks, also in the frame of a foreign site. Browsers have that access for
 * frames of the same site; Chromium also for foreign ones, once the person has allowed it. Without a click it does not ask.
 * @param site Origin of the page that contains this frame.
 * @param hasClicked Whether the person has just clicked. The browser may then ask, and the person take any time.
 * @returns null without access.
 */
export async function openHubAccess(site: string, hasClicked: boolean): Promise<StartSharedWorker | null> {
  const asked = document.requestStorageAccess?.({ all: true }).catch(() => null) ?? null;
  const handle = await (hasClicked ? asked : withTimeout(UNASKED_TIME, asked, null));
  if (handle?.locks && handle.SharedWorker) {
    if (!(await areOwn(handle.locks))) useLocks(handle.locks);
    return (script, options) => handle.SharedWorker!(script, { ...options, ...WITHOUT_COOKIES });
  }
  return isSameSite(site, location.origin) && 'SharedWorker' in globalThis ? startOwn : null;
}

/** Whether locks are those that this frame and its workers have anyway, as in a frame of the same site. */
function areOwn(locks: LockManager): Promise<boolean> {
  return locks.request(`tabserve-probe ${crypto.randomUUID()}`, async (lock) => {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === lock?.name);
  });
}

/** A worker of foreign sites' frames has no cookies. One with cookies would be another worker. */
const WITHOUT_COOKIES = { sameSiteCookies: 'none' } as const;

/** Where this hub's page is in no frame, or in one of the same site in a browser without handles. */
export const startOwn: StartSharedWorker = (script, options) =>
  new SharedWorker(script, { ...options, ...WITHOUT_COOKIES } as WorkerOptions);

/**
 * Whether two origins may belong to one registrable domain: at least the last two labels of their hosts are equal, three
 * below {@link SHARED_DOMAIN}. A page does not know the list of public suffixes. Where the guess is wrong, most browsers
 * give no access, or storage that belongs to that site only.
 */
export function isSameSite(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)];
  if (first.protocol !== second.protocol) return false;
  if (first.hostname === second.hostname) return true;
  const domain = lastLabels(first);
  return domain !== null && domain === lastLabels(second);
}

/**
 * Domains below which different people have sites. A browser that allows cookies of foreign sites would give those access
 * to the hub's storage without a question, so for them the hub has to ask.
 */
const SHARED_DOMAIN =
  /^(?:(?:ac|co|com|edu|gob|gov|gouv|mil|ne|net|nom|or|org|sch)\.[a-z]{2}|(?:github|gitlab|bitbucket|ngrok)\.io|(?:pages|workers|r2|deno|fly)\.dev|(?:netlify|vercel|web|run|ngrok-free|streamlit|replit)\.app|(?:appspot|blogspot|firebaseapp|herokuapp|onrender|trycloudflare)\.com|(?:azurewebsites|azurestaticapps|cloudfront)\.net|surge\.sh|hf\.space|codeberg\.page|glitch\.me|neocities\.org|sourceforge\.io)$/;

/** The labels of a host's name by which {@link isSameSite} compares; null for an IP address and for a name of one label. */
function lastLabels({ hostname }: URL): string | null {
  const labels = hostname.split('.');
  if (labels.length < 2 || /^[\d.]+$|:/.test(hostname)) return null;
  const domain = labels.slice(-2).join('.');
  return SHARED_DOMAIN.test(domain) ? labels.slice(-3).join('.') : domain;
}
