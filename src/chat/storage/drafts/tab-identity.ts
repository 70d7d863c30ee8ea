import { siteLocks } from '../../../shared/locks/site-locks.ts';
import { withTimeout } from '../../../shared/timeout.ts';

/** Beginning of the ids of tabs, which tells them from those of chats. */
const PREFIX = 'tab-';
/**
 * Stands for the tab in which a new chat's draft and files were stored by a build that did not tell tabs apart. No open
 * tab has it before it takes it over.
 */
export const NO_TAB = '';

/** Prefix of the lock that an open tab holds; its id follows. */
const LOCK = 'tabserve-tab ';

/** On this channel a page asks whether a tab is open, by its id. The page in that tab answers `true`. */
const CHANNEL = 'tabserve-tabs';

// Keys in sessionStorage, which survives a reload and a restored session, and is copied when a tab is duplicated.
const ID = 'tabserve-tab';
/** Set while the tab shows no page of the site. A duplicated tab has no such entry, because its original is open. */
const IS_LEFT = 'tabserve-tab-left';

/** Milliseconds to wait for the lock of the page that was left. It is free when the browser has removed that page. */
const LEAVING_TIME = 2000;
/** Milliseconds within which the page in an open tab says so. */
const ROLL_CALL_TIME = 500;
/** Milliseconds within which the browser must answer a question about locks. */
const ANSWER_TIME = 3000;

/** Whether the draft of a new chat, written in a tab, has this owner. */
export function isTab(owner: string): boolean {
  return owner === NO_TAB || owner.startsWith(PREFIX);
}

/** Returns an id that no tab has. */
export function newTabId(): string {
  return `${PREFIX}${crypto.randomUUID()}`;
}

/**
 * Returns the ids of the open tabs; null if the browser does not say so in time.
 */
export async function openTabs(): Promise<ReadonlySet<string> | null> {
  const locks = await withTimeout(ANSWER_TIME, siteLocks().query(), null);
  if (locks === null) return null;
  const names = (locks.held ?? []).flatMap(({ name }) => (name?.startsWith(LOCK) ? [name.slice(LOCK.length)] : []));
  return new Set(names);
}

/**
 * Finds the id of this tab. A tab keeps it across reloads and in a restored session. A duplicated or new tab takes over
 * that of a closed tab, with its draft and files, or gets a new one.
 * @param closed Returns the ids of tabs with drafts that may be taken over, best first.
 */
export async function identifyTab(closed: () => Promise<readonly string[]>): Promise<string> {
  const own = sessionStorage.getItem(ID);
  const wait = sessionStorage.getItem(IS_LEFT) === null ? 0 : LEAVING_TIME;
  sessionStorage.removeItem(IS_LEFT);
  addEventListener('pagehide', noteLeft);
  const channel = new BroadcastChannel(CHANNEL);
  const id = await findId(own, wait, closed, channel);
  channel.addEventListener('message', ({ data }) => data === id && channel.postMessage(true));
  try {
    sessionStorage.setItem(ID, id);
  } catch {
    // Without room, a reload takes over the id as that of a closed tab.
  }
  return id;
}

function noteLeft(): void {
  try {
    sessionStorage.setItem(IS_LEFT, '');
  } catch {
    // Without room, the next page does not wait for the lock, which is nearly always free by then.
  }
}

async function findId(
  own: string | null,
  wait: number,
  closed: () => Promise<readonly string[]>,
  channel: BroadcastChannel,
): Promise<string> {
  // A page that was left does not answer any more.
  const isFree = async (id: string): Promise<boolean> => wait > 0 || !(await isOpen(id, channel));
  if (own !== null && (await isFree(own)) && (await isTaken(own, wait))) return own;
  for (const id of await closed()) if (!(await isOpen(id, channel)) && (await isTaken(id, 0))) return id;
  const id = newTabId();
  await isTaken(id, 0);
  return id;
}

/**
 * Whether the page in a tab answers. After the site's data were cleared, Chromium hides the locks of older pages from new
 * ones, which would share the drafts of a tab with them, and each would replace what the other has written.
 */
async function isOpen(id: string, channel: BroadcastChannel): Promise<boolean> {
  const end = new AbortController();
  const answer = new Promise<boolean>((resolve) =>
    channel.addEventListener('message', ({ data }) => data === true && resolve(true), end),
  );
  channel.postMessage(id);
  try {
    return await withTimeout(ROLL_CALL_TIME, answer, false);
  } finally {
    end.abort();
  }
}

/**
 * Takes the lock of a tab for as long as this page exists.
 * @param wait Milliseconds to wait for it.
 * @returns False if another page holds it.
 */
async function isTaken(id: string, wait: number): Promise<boolean> {
  const options = wait === 0 ? { ifAvailable: true } : { signal: AbortSignal.timeout(wait) };
  const answer = new Promise<boolean>((resolve) => {
    const hold = (lock: Lock | null): Promise<void> | void => {
      resolve(lock !== null);
      if (lock !== null) return new Promise(() => {});
    };
    siteLocks()
      .request(LOCK + id, options, hold)
      .catch(() => resolve(false));
  });
  return withTimeout(ANSWER_TIME, answer, false);
}
