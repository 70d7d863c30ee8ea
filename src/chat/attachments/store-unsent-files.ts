import { noteWaitingFiles } from '../storage/local-storage-values.ts';
import { FILE_DATABASE, fileConnection, type FileDatabase, type StoredFile } from './unsent-file-database.ts';

/** Id of a chat; null for a new chat. */
type Owner = string | null;

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
    const step = database.transaction('files', 'readwrite');
    const before = await step.store.get(file.id);
    const isKept = isNew || before !== undefined;
    // Notes in local storage that the chat has files. If there is no room for the note, this throws and the file is not
    // written. Done inside the transaction, because another tab may delete the chat's last file and its note.
    if (isKept) noteWaitingFiles(owner, true);
    // An updated file keeps the time when it was added, and thus its position in the tray.
    if (isKept) await step.store.put({ ...file, owner: keyOf(owner), added: before?.added ?? file.added });
    await step.done;
    channel.postMessage([file.id]);
    return isKept;
  });
}

export function deleteStoredFiles(owner: Owner, ids: readonly string[]): Promise<void> {
  return inOrder(async (database) => {
    const step = database.transaction('files', 'readwrite');
    for (const id of ids) await step.store.delete(id);
    if ((await step.store.index('owner').count(keyOf(owner))) === 0) noteWaitingFiles(owner, false);
    await step.done;
    channel.postMessage(ids);
  });
}

/** Returns the stored files of a chat, oldest first. */
export function storedFiles(owner: Owner): Promise<readonly StoredFile[]> {
  return inOrder(async (database) => {
    const step = database.transaction('files', 'readwrite');
    const files = await step.store.index('owner').getAll(keyOf(owner));
    if (files.length === 0) noteWaitingFiles(owner, false);
    await step.done;
    return files.toSorted((one, other) => one.added - other.added);
  });
}

/** Returns one stored file of a chat; undefined if it was deleted or moved to another chat. */
export function storedFile(owner: Owner, id: string): Promise<StoredFile | undefined> {
  return inOrder(async (database) => {
    const file = await database.get('files', id);
    return file?.owner === keyOf(owner) ? file : undefined;
  });
}

/** Calls `changed` with the ids of files that another tab wrote or deleted. */
export function watchStoredFiles(changed: (ids: readonly string[]) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => changed(data));
}

function keyOf(owner: Owner): string {
  return owner ?? '';
}
