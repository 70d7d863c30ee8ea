import { openDB } from 'idb';
import { temporaryStrings } from '../strings/temporary-strings.ts';

/** Number of entries in one place of this origin, such as `tabserve-chat · messages`. */
export interface StorageCount {
  readonly place: string;
  readonly entries: number;
}

/** Counts the entries of every storage of this origin, without writing. */
export async function countStorage(): Promise<readonly StorageCount[]> {
  const databases = (await indexedDB.databases()).flatMap(({ name }) =>
    name === undefined ? [] : [countTables(name)],
  );
  const cached = (await caches.keys()).map(async (place): Promise<StorageCount> => {
    const cache = await caches.open(place);
    return { place, entries: (await cache.keys()).length };
  });
  return [
    ...(await Promise.all(databases)).flat(),
    ...(await Promise.all(cached)),
    { place: temporaryStrings.localStorage, entries: localStorage.length },
    { place: temporaryStrings.sessionStorage, entries: sessionStorage.length },
  ].toSorted((a, b) => (a.place < b.place ? -1 : 1));
}

/** The places whose counts differ, including those in only one list. */
export function differences(before: readonly StorageCount[], now: readonly StorageCount[]): readonly string[] {
  const counts = [before, now].map((list) => new Map(list.map(({ place, entries }) => [place, entries])));
  const places = new Set([...before, ...now].map(({ place }) => place));
  return [...places].filter((place) => (counts[0]?.get(place) ?? 0) !== (counts[1]?.get(place) ?? 0));
}

/**
 * Counts the entries of a database by object store; none if the database was deleted in the meantime. If opening would
 * create it again, that is aborted.
 */
async function countTables(name: string): Promise<readonly StorageCount[]> {
  const database = await openDB(name, undefined, {
    upgrade: (_database, _oldVersion, _newVersion, transaction) => transaction.abort(),
    // Closes this connection, so that an upgrade or deletion need not wait for it.
    blocking: (_currentVersion, _blockedVersion, { target }) => (target as IDBDatabase).close(),
  }).catch((thrown: unknown) => {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  });
  if (database === null) return [];
  const tables = Array.from(database.objectStoreNames, async (table): Promise<StorageCount> => {
    return { place: `${name} · ${table}`, entries: await database.count(table) };
  });
  return Promise.all(tables).finally(() => database.close());
}
