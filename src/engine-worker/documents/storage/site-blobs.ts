import { storageUnavailable } from '../../../shared/storage/database-connection.ts';
import type { BlobStore } from './blob-store.ts';
import { DATABASE_BLOBS } from './document-database.ts';
import { openOpfsBlobs } from './opfs-blobs.ts';

/**
 * The blobs of this site: in the origin private file system, or in the database where there is none. A browser may also fail
 * to open the file system for a while. What is written meanwhile goes to the database, so reading looks into both.
 */
export function siteBlobs(openFolder = openOpfsBlobs, database = DATABASE_BLOBS): BlobStore {
  const folderOrThrow = () => openFolder().catch(unavailable);
  return {
    async read(name) {
      const folder = await openFolder().catch(storageUnavailable);
      const isFailed = folder instanceof Error;
      const found = isFailed ? null : ((await folder?.read(name).catch(unavailable)) ?? null);
      const content = found ?? (await database.read(name));
      // It may be in the file system.
      if (content === null && isFailed) throw folder;
      return content;
    },

    async write(name, content) {
      const folder = await openFolder().catch(() => null);
      await (folder ?? database).write(name, content);
    },

    async delete(name) {
      await (await folderOrThrow())?.delete(name).catch(unavailable);
      await database.delete(name);
    },

    async names() {
      const names = (await (await folderOrThrow())?.names().catch(unavailable)) ?? [];
      return [...names, ...(await database.names())];
    },
  };
}

function unavailable(thrown: unknown): never {
  throw storageUnavailable(thrown);
}
