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
 * Whether two origins may belong to one registrable domain: their hosts end with the same two labels, or with the same label
 * before a domain that different people share. A page does not know the list of public suffixes. Where the guess is wrong,
 * most browsers give no access, or storage that belongs to that site only. One that allows cookies of foreign sites would give
 * access without a question, so for shared domains the hub has to ask.
 */
export function isSameSite(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)];
  if (first.protocol !== second.protocol) return false;
  if (first.hostname === second.hostname) return true;
  const domain = domainOf(first);
  return domain !== null && domain === domainOf(second);
}

/** Matches domains of countries below which different people have sites, such as `co.uk`. */
const SHARED_IN_COUNTRY =
  /^(?:ac|asn|co|com|edu|go|gob|gov|gouv|govt|id|ltd|me|mil|ne|net|nhs|nom|or|org|plc|sch|school)\.[a-z]{2}$/;

/** Further domains of which each label below is a site of other people. */
const SHARED = new Set(
  (
    'github.io gitlab.io bitbucket.io webflow.io stackblitz.io sourceforge.io pages.dev workers.dev r2.dev deno.dev ' +
    'fly.dev vercel.dev ngrok.dev ngrok-free.dev netlify.app vercel.app web.app ngrok.app ngrok-free.app ' +
    'streamlit.app replit.app ondigitalocean.app koyeb.app kinsta.app framer.app lovable.app csb.app up.railway.app ' +
    'amplifyapp.com blogspot.com firebaseapp.com herokuapp.com onrender.com trycloudflare.com wordpress.com ' +
    'wixsite.com azureedge.net cloudfront.net deno.net ts.net framer.website kinsta.page codeberg.page surge.sh ' +
    'now.sh bolt.host tiiny.site glitch.me neocities.org duckdns.org loca.lt lhr.life'
  ).split(' '),
);

/** Domains below which, in depths that differ, each host is a site of its own. */
const SHARED_DEEPLY = (
  'amazonaws.com digitaloceanspaces.com elasticbeanstalk.com on.aws awsapprunner.com windows.net azure.com ' +
  'azurefd.net azurewebsites.net azurestaticapps.net azurecontainerapps.io hf.space github.dev gitpod.io ' +
  'devtunnels.ms repl.co replit.dev run.app appspot.com hosted.app ngrok.io webcontainer.io webcontainer-api.io'
).split(' ');

/** The part of a host's name by which {@link isSameSite} compares; null for an IP address and for a name of one label. */
function domainOf({ hostname }: URL): string | null {
  const labels = hostname.split('.');
  if (labels.length < 2 || /^[\d.]+$|:|\.$/.test(hostname)) return null;
  if (SHARED_DEEPLY.some((domain) => hostname.endsWith(`.${domain}`))) return hostname;
  const ends = [labels.slice(-3), labels.slice(-2)].map((end) => end.join('.'));
  const shared = ends.find((end) => SHARED.has(end) || SHARED_IN_COUNTRY.test(end));
  return labels.slice(shared === undefined ? -2 : -1 - shared.split('.').length).join('.');
}
