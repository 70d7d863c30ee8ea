import { diskFull } from './disk-full.ts';
import type { BlobStore } from './blob-store.ts';

/** The folder in the origin private file system. */
const DOCUMENT_FOLDER = 'tabserve-documents';

/**
 * Opens the folder of the documents in the origin private file system (OPFS). Null if the browser has none, as in
 * private windows of Firefox, or cannot write its files without a dedicated worker, as older versions of Safari.
 */
export async function openOpfsBlobs(): Promise<BlobStore | null> {
  if (typeof FileSystemFileHandle === 'undefined' || !('createWritable' in FileSystemFileHandle.prototype)) return null;
  try {
    const blobs = new OpfsBlobs();
    await blobs.folder();
    return blobs;
  } catch {
    return null;
  }
}

class OpfsBlobs implements BlobStore {
  /** Opened each time: a tab that deletes everything removes the folder, and its handles work no longer. */
  async folder(): Promise<FileSystemDirectoryHandle> {
    const root = await navigator.storage.getDirectory();
    return root.getDirectoryHandle(DOCUMENT_FOLDER, { create: true });
  }

  async read(name: string): Promise<Blob | null> {
    try {
      return await (await (await this.folder()).getFileHandle(name)).getFile();
    } catch (thrown) {
      if (isMissing(thrown)) return null;
      throw thrown;
    }
  }

  async write(name: string, content: Blob): Promise<void> {
    try {
      const writable = await (await (await this.folder()).getFileHandle(name, { create: true })).createWritable();
      // The file changes when the stream is closed, so that an interrupted write changes nothing.
      await content.stream().pipeTo(writable);
    } catch (thrown) {
      throw diskFull(thrown);
    }
  }

  async delete(name: string): Promise<void> {
    await (await this.folder()).removeEntry(name).catch((thrown: unknown) => {
      if (!isMissing(thrown)) throw thrown;
    });
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of (await this.folder()).keys()) names.push(name);
    return names;
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'NotFoundError';
}
