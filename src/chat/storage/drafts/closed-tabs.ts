import { draftConnection } from './draft-database.ts';
import { isTab, openTabs } from './tab-identity.ts';
import { drafts } from './drafts.ts';
import { adoptSettings, SETTINGS, storeSettings } from './store-new-chat-settings.ts';
import { deleteFiles, fileConnection, type StoredFileKey } from './unsent-file-database.ts';

/** Of more closed tabs, those whose drafts are older are forgotten. There is no limit of age: a clock may be wrong. */
const MOST = 20;

/** What a closed tab left in the field of a new chat. */
export interface ClosedTab {
  readonly tab: string;
  readonly text: string;
  /** Number of files. */
  readonly files: number;
  /** When text or files were last changed, in milliseconds since 1970. */
  readonly changed: number;
}

/**
 * Returns what the last {@link MOST} closed tabs left in the fields of new chats, latest first, and deletes what others
 * left. Returns none if the browser does not say which tabs are open.
 * @throws ApiError `storage_unavailable` if the database cannot be opened.
 */
export async function closedTabs(): Promise<readonly ClosedTab[]> {
  const open = await openTabs();
  if (open === null) return [];
  const found = new Map<string, ClosedTab>();
  const isClosed = (owner: string): boolean => isTab(owner) && !open.has(owner);
  const add = (tab: string, text: string, files: number, changed: number): void => {
    const known = found.get(tab) ?? { tab, text: '', files: 0, changed: 0 };
    found.set(tab, {
      tab,
      text: known.text || text,
      files: known.files + files,
      changed: Math.max(known.changed, changed),
    });
  };
  for (const { owner, tab, text, changed } of await (await draftConnection.open()).getAll('texts')) {
    if (isClosed(owner)) add(owner, text, 0, changed);
    if (owner === SETTINGS && isClosed(tab)) add(tab, '', 0, changed);
  }
  for (const { owner, added } of await filesOf(isClosed)) add(owner, '', 1, added);
  const all = [...found.values()].toSorted((one, other) => other.changed - one.changed);
  const shown = all.filter(({ text, files }) => text !== '' || files > 0);
  // Settings alone wait for their own tab, which may be opened again: in another, nothing on the screen would tell of them.
  const hidden = all.filter((tab) => !shown.includes(tab));
  for (const { tab } of [...shown.slice(MOST), ...hidden.slice(MOST)]) await forgetTab(tab);
  return shown.slice(0, MOST);
}

/** Deletes the draft of a closed tab, and gives its files and settings to the new chat of this one. */
export async function adoptTab(tab: string, owner: string): Promise<void> {
  const transaction = (await fileConnection.open()).transaction('files', 'readwrite');
  for (const file of await transaction.store.index('owner').getAll(tab))
    await transaction.store.put({ ...file, owner });
  await transaction.done;
  await adoptSettings(tab, owner);
  drafts.dispatchEvent(new Event('settings'));
  await forgetTab(tab);
}

/** Deletes the draft, the settings and the files of a closed tab. */
export async function forgetTab(tab: string): Promise<void> {
  await storeSettings(tab, null);
  await (await draftConnection.open()).delete('texts', [tab, tab]);
  const database = await fileConnection.open();
  await deleteFiles(database, await database.getAllKeysFromIndex('files', 'owner', tab));
}

/** Returns the stored files of these owners; none if their database cannot be read. Other files are not read. */
async function filesOf(isOwner: (owner: string) => boolean): Promise<readonly StoredFileKey[]> {
  const files: StoredFileKey[] = [];
  try {
    const byOwner = (await fileConnection.open()).transaction('files').store.index('owner');
    for (let next = await byOwner.openKeyCursor(null, 'nextunique'); next; next = await next.continue())
      if (isOwner(next.key)) files.push(...(await byOwner.getAll(next.key)));
  } catch (error) {
    console.info('The files of closed tabs cannot be read.', error);
  }
  return files;
}
