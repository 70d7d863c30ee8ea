import type { StoreFileRecord } from './storage/document-records.ts';

/** Returns a random id with a prefix of the OpenAI API. */
export function newId(prefix: 'file-' | 'vs_' | 'vsfb_' | ''): string {
  return prefix + crypto.randomUUID().replaceAll('-', '');
}

/** The name of the blob with the passages and vectors of a store's file. It differs each time the file is indexed. */
export function indexName({ id, version }: Pick<StoreFileRecord, 'id' | 'version'>): string {
  return `${id} ${version}`;
}

/** The name of the blob with the vectors that an interrupted indexing has computed. */
export function checkpointName(file: Pick<StoreFileRecord, 'id' | 'version'>): string {
  return `${indexName(file)} checkpoint`;
}

/** The names of all blobs that a store may have of a file. */
export function namesOfIndex(file: Pick<StoreFileRecord, 'id' | 'version'>): string[] {
  return [indexName(file), checkpointName(file)];
}
