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

// Keys in sessionStorage, which survives a reload and a restored session, and is copied when a tab is duplicated.
const ID = 'tabserve-tab';
/** Set while the tab shows no page of the site. A duplicated tab has no such entry, because its original is open. */
const IS_LEFT = 'tabserve-tab-left';

/** Milliseconds to wait for the lock of the page that was left. It is free when the browser has removed that page. */
const LEAVING_TIME = 2000;
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
  const id = own !== null && (await isTaken(own, wait)) ? own : ((await takeFirst(closed)) ?? (await takeNew()));
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

async function takeFirst(closed: () => Promise<readonly string[]>): Promise<string | undefined> {
  for (const id of await closed()) if (await isTaken(id, 0)) return id;
  return undefined;
}

async function takeNew(): Promise<string> {
  const id = newTabId();
  await isTaken(id, 0);
  return id;
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
