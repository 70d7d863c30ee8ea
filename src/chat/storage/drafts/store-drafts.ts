import { draftConnection, textsOf, type StoredText } from './draft-database.ts';
import { closedTabs } from './closed-tabs.ts';
import { identifyTab, openTabs } from './tab-identity.ts';
import { fileConnection, MAY_HAVE_FILES } from './unsent-file-database.ts';

let identity: Promise<string> | null = null;

/** Returns the id of this tab, which owns the draft and the files of its new chat. */
export function thisTab(): Promise<string> {
  // Without the database there is nothing to take over.
  identity ??= identifyTab(async () => (await closedTabs().catch(() => [])).map(({ tab }) => tab));
  return identity;
}

/** Returns the owner under which drafts and files of a chat are stored; null means a new chat. */
export async function storedOwner(owner: string | null): Promise<string> {
  return owner ?? (await thisTab());
}

/**
 * Returns the stored text of a field, which belongs to this tab from then on: the tab's own, or the last changed one
 * that no open tab shows.
 * @throws ApiError `storage_unavailable` if the database cannot be opened.
 */
export async function claimText(owner: string | null): Promise<string> {
  const [key, tab, open] = [await storedOwner(owner), await thisTab(), await openTabs()];
  const transaction = (await draftConnection.open()).transaction('texts', 'readwrite');
  const stored = await transaction.store.getAll(textsOf(key));
  const own = stored.find((text) => text.tab === tab);
  const free = stored
    .filter((text) => open !== null && !open.has(text.tab))
    .toSorted(byAge)
    .at(-1);
  if (own === undefined && free !== undefined) {
    // Written before it is deleted: a write that fails at once does not undo the transaction.
    await transaction.store.put({ ...free, tab });
    await transaction.store.delete([key, free.tab]);
  }
  await transaction.done;
  return (own ?? free)?.text ?? '';
}

/**
 * Stores texts of this tab. An empty one deletes what is stored. The transaction is committed at once, so that it
 * succeeds also if the page is left meanwhile.
 * @throws ApiError `storage_unavailable` if the database cannot be opened; DOMException if the disk is full.
 */
export async function storeTexts(texts: ReadonlyMap<string | null, string>): Promise<void> {
  const tab = await thisTab();
  const transaction = (await draftConnection.open()).transaction('texts', 'readwrite');
  const changed = Date.now();
  const written = [...texts].map(([id, text]) => {
    const owner = id ?? tab;
    return text === '' ? transaction.store.delete([owner, tab]) : transaction.store.put({ owner, tab, text, changed });
  });
  const done = Promise.all([...written, transaction.done]);
  transaction.commit();
  await done;
  const known = await begun;
  for (const [id, text] of texts) {
    if (id === null) continue;
    if (text === '') known?.delete(id);
    else known?.add(id);
  }
}

/** Makes this tab's text of a chat that it shows no more available to other tabs. */
export async function releaseText(owner: string): Promise<void> {
  const tab = await thisTab();
  const transaction = (await draftConnection.open()).transaction('texts', 'readwrite');
  const own = await transaction.store.get([owner, tab]);
  if (own !== undefined) {
    // An id that no tab has.
    await transaction.store.put({ ...own, tab: crypto.randomUUID() });
    await transaction.store.delete([owner, tab]);
  }
  await transaction.done;
}

/** Deletes the texts of these owners, of all tabs, and returns them. */
export async function takeTexts(owners: readonly string[]): Promise<readonly StoredText[]> {
  const transaction = (await draftConnection.open()).transaction('texts', 'readwrite');
  const taken: StoredText[] = [];
  for (const owner of owners) {
    taken.push(...(await transaction.store.getAll(textsOf(owner))));
    await transaction.store.delete(textsOf(owner));
  }
  await transaction.done;
  return taken;
}

/** Undoes {@link takeTexts}. What a tab has written since for the same owner stays beside its former text. */
export async function putTexts(texts: readonly StoredText[]): Promise<void> {
  const transaction = (await draftConnection.open()).transaction('texts', 'readwrite');
  const since = await Promise.all(texts.map(({ owner, tab }) => transaction.store.get([owner, tab])));
  const restored = texts.flatMap((text, index) => {
    const other = since[index];
    if (other === undefined) return [text];
    // An id that no tab has.
    return other.text.includes(text.text) ? [] : [{ ...text, tab: crypto.randomUUID() }];
  });
  await Promise.all([...restored.map((text) => transaction.store.put(text)), transaction.done]);
}

/** Whether the next question of a chat has stored files; if their database cannot be read, whether there may be some. */
export async function hasFiles(owner: string | null): Promise<boolean> {
  try {
    return (await (await fileConnection.open()).countFromIndex('files', 'owner', await storedOwner(owner))) > 0;
  } catch {
    return localStorage.getItem(MAY_HAVE_FILES) !== null;
  }
}

let begun: Promise<Set<string>> | null = null;

/** Whether there is a stored text that this tab may show. Texts that other tabs have stored since the load do not count. */
export async function wasBegun(owner: string): Promise<boolean> {
  begun ??= ownersOfBegun();
  return (await begun).has(owner);
}

async function ownersOfBegun(): Promise<Set<string>> {
  const [tab, open] = [await thisTab(), await openTabs()];
  const keys = await (await draftConnection.open()).getAllKeys('texts');
  return new Set(keys.flatMap(([owner, shown]) => (shown === tab || open?.has(shown) === false ? [owner] : [])));
}

function byAge(one: StoredText, other: StoredText): number {
  return one.changed - other.changed;
}
