import { wordFor } from '../strings/language.ts';
import { privacyStrings } from '../strings/privacy.ts';

export interface StoredThing {
  readonly kind: 'cache' | 'database';
  readonly name: string;
  /** What is in it, in words. */
  readonly meaning: string;
  /** Entries of a cache; null for a database, whose entries nobody can count without knowing its tables. */
  readonly entries: number | null;
}

/** Every database of this origin, and every cache that is not empty. */
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
