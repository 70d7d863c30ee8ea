import { temporaryStrings } from '../strings/temporary.ts';

/** How many entries lie in one place of this origin, such as `tabserve-chat · messages`. */
export interface StorageCount {
  readonly place: string;
  readonly entries: number;
}

/** Counts the entries of every table, cache and small storage of this origin. It only reads. */
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

/** The places whose numbers differ, whichever of the two knows them. */
export function differences(before: readonly StorageCount[], now: readonly StorageCount[]): readonly string[] {
  const counts = [before, now].map((list) => new Map(list.map(({ place, entries }) => [place, entries])));
  const places = new Set([...before, ...now].map(({ place }) => place));
  return [...places].filter((place) => (counts[0]?.get(place) ?? 0) !== (counts[1]?.get(place) ?? 0));
}

function countTables(name: string): Promise<readonly StorageCount[]> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    // It has been deleted meanwhile: to open it would make it anew, empty.
    request.addEventListener('upgradeneeded', () => request.transaction?.abort());
    request.addEventListener('error', () =>
      request.error?.name === 'AbortError' ? resolve([]) : reject(request.error),
    );
    request.addEventListener('success', () => {
      const { result: database } = request;
      // Nobody who upgrades or deletes it is to wait for this.
      database.addEventListener('versionchange', () => database.close());
      resolve(countIn(database, name).finally(() => database.close()));
    });
  });
}

async function countIn(database: IDBDatabase, name: string): Promise<readonly StorageCount[]> {
  const tables = [...database.objectStoreNames];
  if (tables.length === 0) return [];
  const transaction = database.transaction(tables);
  const counts = tables.map(
    (table) =>
      new Promise<StorageCount>((resolve, reject) => {
        const request = transaction.objectStore(table).count();
        request.addEventListener('success', () => resolve({ place: `${name} · ${table}`, entries: request.result }));
        request.addEventListener('error', () => reject(request.error!));
      }),
  );
  return Promise.all(counts);
}
