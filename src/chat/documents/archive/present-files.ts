import { ApiError } from '../../../shared/api-error.ts';
import { sha256 } from '../../../shared/keys/sha256.ts';
import { listFiles, type CollectionFile } from '../../api/collection-files.ts';
import { readFileBytes } from '../../api/collections.ts';
import type { ArchivedFile } from './archive-manifest.ts';

/** The files that an interrupted import has left in a collection. */
export class PresentFiles {
  readonly #collection: string;
  /** Those that are not taken yet; null until they are listed, when no other tab adds any more. */
  #rest: CollectionFile[] | null = null;

  constructor(collection: string) {
    this.#collection = collection;
  }

  /** Returns whether the collection has a file of the archive. Of files that are the same in all, each counts once. */
  async take({ filename, attributes, chunking_strategy, content }: ArchivedFile): Promise<boolean> {
    const rest = (this.#rest ??= [...(await listFiles(this.#collection, new AbortController().signal))]);
    const key = keyOf({ attributes, chunking_strategy });
    for (const [place, file] of rest.entries()) {
      if (keyOf(file) !== key || !(await isOf(file, filename, content.sha256))) continue;
      rest.splice(place, 1);
      return true;
    }
    return false;
  }
}

async function isOf({ id }: CollectionFile, filename: string, hash: string): Promise<boolean> {
  const stored = await readFileBytes(id, new AbortController().signal).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
  // An uploaded file has no half characters in its name.
  if (stored?.filename !== new File([], filename).name) return false;
  return (await sha256(new Uint8Array(await stored.content.arrayBuffer()))) === hash;
}

/** Returns a text that is the same for files that are described in the same way. */
function keyOf({
  attributes,
  chunking_strategy: chunking,
}: Pick<CollectionFile, 'attributes' | 'chunking_strategy'>): string {
  return JSON.stringify([sorted(attributes), sorted(chunking)]);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members: [string, unknown][] = Object.entries(value).map(([name, member]) => [name, sorted(member)]);
  return members.toSorted(([one], [other]) => (one < other ? -1 : 1));
}
