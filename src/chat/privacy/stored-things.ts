export interface StoredThing {
  readonly kind: 'cache' | 'database';
  readonly name: string;
  /** Entries of a cache; null for databases, which keep their own counsel. */
  readonly entries: number | null;
}

/** Every cache and database of this origin. */
export async function storedThings(): Promise<readonly StoredThing[]> {
  const names = await caches.keys();
  const counted = names.map(async (name) => {
    const entries = (await (await caches.open(name)).keys()).length;
    return { kind: 'cache' as const, name, entries };
  });
  const databases = (await indexedDB.databases()).flatMap(({ name }) =>
    name === undefined ? [] : [{ kind: 'database' as const, name, entries: null }],
  );
  return [...databases, ...(await Promise.all(counted))].filter(({ entries }) => entries !== 0);
}
