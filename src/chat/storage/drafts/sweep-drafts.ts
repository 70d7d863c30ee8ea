import { siteLocks } from '../../../shared/locks/site-locks.ts';
import { DatabaseConnection } from '../../../shared/storage/database-connection.ts';
import { sleep, withTimeout } from '../../../shared/timeout.ts';
import { openChatDatabase } from '../chat-database.ts';
import type { ConversationStore } from '../conversation-store.ts';
import { draftConnection } from './draft-database.ts';
import { isTab, openTabs, shownOwners } from './tab-identity.ts';
import { deleteFiles, fileConnection } from './unsent-file-database.ts';

/**
 * Held in shared mode by each page that could still bring back or show what a sweep would take for left over, and
 * exclusively by a sweep.
 */
const LOCK = 'tabserve-sweep';

/** Milliseconds from the start of a page to its sweep. Other tabs of a restored session have started by then. */
const START_TIME = 10_000;
/** Milliseconds after which a tab that reloads has its locks again. */
const RELOAD_TIME = 3000;
/** Milliseconds after which a sweep or a lock is not waited for. */
const LONGEST_WAIT = 3000;

/** A stored text, queued question or file. */
type Entry = {
  /** Id of a chat or of an edited question. */
  readonly owner: string;
} & (
  | { readonly store: 'texts'; readonly key: [owner: string, tab: string] }
  | { readonly store: 'questions' | 'files'; readonly key: string }
);

/** A connection of its own: the page's store of chats falls back to memory, where stored chats would look deleted. */
const chats = new DatabaseConnection(openChatDatabase);

/**
 * Keeps the pages of this site from sweeping, as long as a deleted chat could be brought back.
 * @returns A function to call when it cannot any more. The end of the page does the same.
 */
export async function holdSweeps(): Promise<() => void> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = new Promise<void>((resolve, reject) => {
    const hold = (): Promise<void> => {
      resolve();
      return released;
    };
    siteLocks().request(LOCK, { mode: 'shared' }, hold).catch(reject);
  });
  await withTimeout(LONGEST_WAIT, held, undefined).catch((error: unknown) => console.info('Nothing holds.', error));
  return release;
}

/** Sweeps once, some time after the start of this page, and never while its chats are in memory only. */
export function sweepAfterStart(store: Pick<ConversationStore, 'keepsNothing' | 'subscribe'>): void {
  let held: Promise<() => void> | null = null;
  const follow = (): void => {
    if (store.keepsNothing) held ??= holdSweeps();
    else {
      void held?.then((release) => release());
      held = null;
    }
  };
  store.subscribe(follow);
  follow();
  setTimeout(sweepWhenIdle, START_TIME);
}

/** Sweeps when the page has nothing else to do. */
export function sweepWhenIdle(): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(begin, { timeout: LONGEST_WAIT });
  else setTimeout(begin);
}

function begin(): void {
  sweepDrafts().catch((error: unknown) => console.info('What deleted chats left is still kept.', error));
}

/**
 * Deletes the texts, queued questions and files of chats and messages that do not exist any more: a deletion that was
 * interrupted or failed has left them, or a tab has stored them later. Those of new chats, of fields that a tab shows,
 * and of chats whose deletion can be undone stay.
 * @throws ApiError `storage_unavailable` if a database cannot be opened.
 */
async function sweepDrafts(): Promise<void> {
  const before = new Set((await leftEntries()).map(nameOf));
  if (before.size === 0) return;
  // What a tab shows looks left over while that tab is reloaded.
  await sleep(RELOAD_TIME);
  await siteLocks().request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    await remove((await leftEntries()).filter((entry) => before.has(nameOf(entry))));
  });
}

/** Finds what has neither a chat, a message nor a tab. The entries are read first, so that their chats are stored by then. */
async function leftEntries(): Promise<readonly Entry[]> {
  const entries = [...(await textsAndQuestions()), ...(await files())].filter(({ owner }) => !isTab(owner));
  if (entries.length === 0) return [];
  const [open, shown] = [await openTabs(), await shownOwners()];
  if (open === null || shown === null) return [];
  const unseen = entries.filter(
    ({ owner, key }) => !shown.has(owner) && !(typeof key !== 'string' && open.has(key[1])),
  );
  const gone = new Set<string>();
  const database = await chats.open();
  for (const owner of new Set(unseen.map(({ owner }) => owner))) {
    const known = (await database.getKey('conversations', owner)) ?? (await database.getKey('messages', owner));
    if (known === undefined) gone.add(owner);
  }
  return unseen.filter(({ owner }) => gone.has(owner));
}

async function textsAndQuestions(): Promise<readonly Entry[]> {
  const transaction = (await draftConnection.open()).transaction(['texts', 'questions']);
  const found: Entry[] = [];
  for (const key of await transaction.objectStore('texts').getAllKeys())
    found.push({ store: 'texts', key, owner: key[0] });
  const byChat = transaction.objectStore('questions').index('conversation');
  // Only keys are read: questions may have large attachments.
  for (let next = await byChat.openKeyCursor(); next; next = await next.continue())
    found.push({ store: 'questions', key: next.primaryKey, owner: next.key });
  return found;
}

/** Returns the stored files; none if their database cannot be read. */
async function files(): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  try {
    const byOwner = (await fileConnection.open()).transaction('files').store.index('owner');
    for (let next = await byOwner.openKeyCursor(); next; next = await next.continue())
      found.push({ store: 'files', key: next.primaryKey, owner: next.key });
  } catch (error) {
    console.info('The files of deleted chats cannot be read.', error);
  }
  return found;
}

async function remove(entries: readonly Entry[]): Promise<void> {
  const transaction = (await draftConnection.open()).transaction(['texts', 'questions'], 'readwrite');
  const ids: string[] = [];
  for (const entry of entries) {
    if (entry.store === 'texts') await transaction.objectStore('texts').delete(entry.key);
    else if (entry.store === 'questions') await transaction.objectStore('questions').delete(entry.key);
    else ids.push(entry.key);
  }
  await transaction.done;
  if (ids.length > 0) await deleteFiles(await fileConnection.open(), ids);
}

function nameOf({ store, key }: Entry): string {
  return JSON.stringify([store, key]);
}
