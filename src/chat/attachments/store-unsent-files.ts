import { storeLocally } from '../storage/store-locally.ts';
import { storedOwner } from '../storage/drafts/store-drafts.ts';
import {
  deleteFiles,
  FILE_DATABASE,
  fileConnection,
  MAY_HAVE_FILES,
  type FileDatabase,
  type StoredFileKey,
} from '../storage/drafts/unsent-file-database.ts';
import type { TrayItem } from './tray-item.ts';

/** Id of a chat; null for the new chat of this tab. */
type Owner = string | null;

/** An unsent file, as it is stored: until it has been read, with the file itself, unless that is too large. */
export type StoredFile = StoredFileKey &
  Pick<TrayItem, 'name' | 'size' | 'part' | 'source' | 'readings' | 'attachment' | 'note' | 'leftOut' | 'problem'>;

/** Tells other tabs the ids of files that this tab wrote or deleted. */
const channel = new BroadcastChannel(FILE_DATABASE);

/** Settles when the previous operation is done. The next operation waits for this promise, so that all run in order. */
let last: Promise<unknown> = Promise.resolve();

function inOrder<T>(action: (database: FileDatabase) => Promise<T>): Promise<T> {
  const done = last.then(async () => action(await fileConnection.open()));
  last = done.catch(() => undefined);
  return done;
}

/**
 * Stores a file.
 * @param isNew True adds the file. False only updates a stored file, because another tab may have sent or removed it.
 * @returns Whether the file is stored.
 * @throws ApiError `storage_unavailable` if the database cannot be opened; DOMException if the disk is full.
 */
export function storeFile(owner: Owner, file: Omit<StoredFile, 'owner'>, isNew: boolean): Promise<boolean> {
  return inOrder(async (database) => {
    const stored = { ...file, owner: await storedOwner(owner) };
    const step = database.transaction('files', 'readwrite');
    const before = await step.store.get(file.id);
    const isKept = isNew || before !== undefined;
    if (isKept) {
      storeLocally(MAY_HAVE_FILES, '');
      // An updated file keeps the time when it was added, and thus its position in the tray.
      await step.store.put({ ...stored, added: before?.added ?? file.added });
    }
    await step.done;
    channel.postMessage([file.id]);
    return isKept;
  });
}

export function deleteStoredFiles(ids: readonly string[]): Promise<void> {
  return inOrder(async (database) => {
    await deleteFiles(database, ids);
    channel.postMessage(ids);
  });
}

/** Returns the stored files of a chat, oldest first. */
export function storedFiles(owner: Owner): Promise<readonly StoredFile[]> {
  return inOrder(async (database) => {
    const files = await database.getAllFromIndex('files', 'owner', await storedOwner(owner));
    return (files as StoredFile[]).toSorted((one, other) => one.added - other.added);
  });
}

/** Returns one stored file of a chat; undefined if it was deleted or moved to another chat. */
export function storedFile(owner: Owner, id: string): Promise<StoredFile | undefined> {
  return inOrder(async (database) => {
    const file = await database.get('files', id);
    return file?.owner === (await storedOwner(owner)) ? (file as StoredFile) : undefined;
  });
}

/** Calls `changed` with the ids of files that another tab wrote or deleted. */
export function watchStoredFiles(changed: (ids: readonly string[]) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => changed(data));
}
