import { wordFor } from '../strings/page-language.ts';
import { privacyStrings } from '../strings/privacy-strings.ts';

export interface StoredThing {
  readonly kind: 'cache' | 'database';
  readonly name: string;
  readonly meaning: string;
  /** Number of entries in a cache; null for a database. */
  readonly entries: number | null;
}

/** Every database and every non-empty cache of this origin. */
export async function storedThings(): Promise<readonly StoredThing[]> {
  const caching = (await caches.keys()).map(async (name): Promise<StoredThing> => {
    const entries = (await (await caches.open(name)).keys()).length;
    return { kind: 'cache', name, meaning: meaningOfCache(name), entries };
  });
  const databases = (await indexedDB.databases()).flatMap(({ name }): StoredThing[] => {
    if (name === undefined) return [];
    const meaning = wordFor(name, privacyStrings.databases) ?? privacyStrings.otherDatabase;
    return [{ kind: 'database', name, meaning, entries: null }];
  });
  return [...databases, ...(await Promise.all(caching))].filter(({ entries }) => entries !== 0);
}

function meaningOfCache(name: string): string {
  if (name.startsWith('workbox-precache')) return privacyStrings.precache;
  return wordFor(name, privacyStrings.caches) ?? privacyStrings.otherCache;
}
