import type { StoreFileRecord } from './storage/document-records.ts';

const CHECKPOINT = ' checkpoint ';
const BUNDLE = ' bundle ';

/** Returns a random id with a prefix of the OpenAI API. */
export function newId(prefix: 'file-' | 'vs_' | 'vsfb_' | ''): string {
  return prefix + crypto.randomUUID().replaceAll('-', '');
}

/** The name of the blob with the passages and vectors of a store's file. It differs each time the file is indexed. */
export function indexName({ id, version }: Pick<StoreFileRecord, 'id' | 'version'>): string {
  return `${id} ${version}`;
}

/** Returns a new name of a blob with what is searched of so many files of a store. */
export function newBundleName(store: string, files: number): string {
  return `${store}${BUNDLE}${files} ${newId('')}`;
}

/** Returns of how many files a bundle is; null for the name of another blob. */
export function filesOfBundle(name: string): number | null {
  const end = name.indexOf(BUNDLE);
  return end === -1 ? null : Number.parseInt(name.slice(end + BUNDLE.length), 10);
}

/** The names of the blobs with the vectors that an interrupted indexing has computed, in their order, without end. */
export function* checkpointNames(file: Pick<StoreFileRecord, 'id' | 'version'>): Generator<string, never> {
  for (let place = 0; ; place += 1) yield `${indexName(file)}${CHECKPOINT}${place}`;
}

/** Returns the name of the index to which a checkpoint belongs; null for the name of another blob. */
export function indexOfCheckpoint(name: string): string | null {
  const end = name.indexOf(CHECKPOINT);
  return end === -1 ? null : name.slice(0, end);
}
