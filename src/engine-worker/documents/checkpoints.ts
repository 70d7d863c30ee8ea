import { checkpointNames } from './ids.ts';
import type { BlobStore } from './storage/blob-store.ts';
import type { StoreFileRecord } from './storage/document-records.ts';
import type { VectorRows } from './vector-rows.ts';

/** What an interrupted indexing has stored of a file: its vectors, each checkpoint those that follow the one before. */
export interface Checkpoints {
  readonly names: Generator<string, never>;
  readonly read: BlobStore['read'];
}

export function checkpointsOf(file: Pick<StoreFileRecord, 'id' | 'version'>, blobs: BlobStore): Checkpoints {
  return { names: checkpointNames(file), read: (name) => blobs.read(name) };
}

/**
 * Adds the vectors of all checkpoints up to the first one that is missing, damaged, or of other passages or another version
 * of this software. What that one had is computed again.
 * @returns the name of the next checkpoint.
 */
export async function restoreRows(rows: VectorRows, { names, read }: Checkpoints, key: string): Promise<string> {
  for (;;) {
    const name = names.next().value;
    const checkpoint = await read(name);
    const isRestored = checkpoint !== null && (await rows.restore(checkpoint, key).catch(() => false));
    if (!isRestored) return name;
  }
}
