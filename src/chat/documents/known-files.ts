import { listFiles, readFileStatus, storedName, type CollectionFile } from '../api/collection-files.ts';
import type { FileAttributes } from '../api/collections.ts';

type KnownFile = Pick<CollectionFile, 'id' | 'status' | 'usage_bytes' | 'attributes'>;

/** The files of a collection by their names, by which new, changed and unchanged files are told apart. */
export class KnownFiles {
  /** Newest first. Several files have a name while one of them replaces another, or if a tab was closed in between. */
  readonly #byName = new Map<string, readonly KnownFile[]>();

  /** @param files The files of the collection, newest first. */
  constructor(files: readonly KnownFile[]) {
    for (const file of files) {
      // Earlier versions have stored it as the system writes it.
      const name = file.attributes.name?.normalize('NFC');
      if (name !== undefined) this.#byName.set(name, [...this.#of(name), file]);
    }
  }

  static async list(collection: string, signal: AbortSignal): Promise<KnownFiles> {
    return new KnownFiles(await listFiles(collection, signal));
  }

  /** Whether the newest file of a name has these attributes, and is indexed or waits for that. */
  has(name: string, attributes: FileAttributes): boolean {
    const [newest] = this.#of(storedName(name));
    if (newest === undefined || !isUsable(newest)) return false;
    return Object.entries(attributes).every(([key, value]) => newest.attributes[key as keyof FileAttributes] === value);
  }

  /** Reads again which files of a name are indexed, if some waited for that when they were listed. */
  async refresh(collection: string, name: string, signal: AbortSignal): Promise<void> {
    const files = this.#of(storedName(name));
    if (!files.some(({ status }) => status === 'in_progress')) return;
    const read = files.map(async (file) => ({ ...file, status: await readFileStatus(collection, file.id, signal) }));
    const present = (await Promise.all(read)).flatMap(({ status, ...file }) =>
      status === null ? [] : { ...file, status },
    );
    this.#byName.set(storedName(name), present);
  }

  /**
   * Returns what a new file of a name does to those before it. One that can be searched, or could before it had to be indexed
   * again, is replaced only when the new one can, so that it is not lost if adding is cancelled.
   */
  beforeAdding(name: string): { readonly replaced: string | undefined; readonly outdated: readonly string[] } {
    const files = this.#of(storedName(name));
    const replaced = files.find(({ status, usage_bytes: indexed }) => status === 'completed' || indexed > 0)?.id;
    return { replaced, outdated: files.flatMap(({ id }) => (id === replaced ? [] : [id])) };
  }

  /** Notes that a file was added, and that `outdated` are gone. */
  add(file: KnownFile, outdated: readonly string[]): void {
    const name = file.attributes.name!;
    this.#byName.set(name, [file, ...this.#of(name).filter(({ id }) => !outdated.includes(id))]);
  }

  #of(name: string): readonly KnownFile[] {
    return this.#byName.get(name) ?? [];
  }
}

function isUsable({ status }: KnownFile): boolean {
  return status === 'completed' || status === 'in_progress';
}
