import { diskFull } from '../../../shared/storage/disk-full.ts';
import type { BlobStore } from './blob-store.ts';

/** The folder in the origin private file system. */
const DOCUMENT_FOLDER = 'tabserve-documents';

/** Errors by which browsers say that this context has no origin private file system, such as a private window of Firefox. */
const NEVER: readonly string[] = ['SecurityError', 'NotSupportedError', 'TypeError'];

/**
 * Opens the folder of the documents in the origin private file system (OPFS). Called for each access: a tab that deletes
 * everything removes the folder, and its handles work no longer.
 * @returns null if the browser has none, or cannot write its files without a dedicated worker, as older versions of Safari.
 * @throws another error of the browser, which may pass.
 */
export async function openOpfsBlobs(): Promise<BlobStore | null> {
  if (typeof FileSystemFileHandle === 'undefined' || !('createWritable' in FileSystemFileHandle.prototype)) return null;
  try {
    const root = await navigator.storage.getDirectory();
    return new OpfsBlobs(await root.getDirectoryHandle(DOCUMENT_FOLDER, { create: true }));
  } catch (thrown) {
    if (thrown instanceof Error && NEVER.includes(thrown.name)) return null;
    throw thrown;
  }
}

/** Whether the folder is there, as it may be without the database: a write can end after the site's data were cleared. */
export async function hasOpfsFolder(): Promise<boolean> {
  try {
    await (await navigator.storage.getDirectory()).getDirectoryHandle(DOCUMENT_FOLDER);
    return true;
  } catch {
    return false;
  }
}

class OpfsBlobs implements BlobStore {
  readonly #folder: FileSystemDirectoryHandle;

  constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  async read(name: string): Promise<Blob | null> {
    try {
      return await (await this.#folder.getFileHandle(name)).getFile();
    } catch (thrown) {
      if (isMissing(thrown)) return null;
      throw thrown;
    }
  }

  async write(name: string, content: Blob): Promise<void> {
    try {
      const writable = await (await this.#folder.getFileHandle(name, { create: true })).createWritable();
      // The file changes when the stream is closed, so that an interrupted write changes nothing.
      await content.stream().pipeTo(writable);
    } catch (thrown) {
      throw diskFull(thrown);
    }
  }

  async delete(name: string): Promise<void> {
    await this.#folder.removeEntry(name).catch((thrown: unknown) => {
      if (!isMissing(thrown)) throw thrown;
    });
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of this.#folder.keys()) names.push(name);
    return names;
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'NotFoundError';
}
