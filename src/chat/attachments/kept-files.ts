import { noteWaitingFiles } from '../storage/local-values.ts';
import { FILE_DATABASE, fileConnection, type FileDatabase, type KeptFile } from './file-database.ts';

/** Whose files they are: the id of a chat, or null for the new one. */
type Owner = string | null;

/** Ids of the files that a tab has written or deleted, for the other ones. */
const channel = new BroadcastChannel(FILE_DATABASE);

/** Settles when what was begun last is done: what is written first is there first. */
let last: Promise<unknown> = Promise.resolve();

function inOrder<T>(action: (database: FileDatabase) => Promise<T>): Promise<T> {
  const done = last.then(async () => action(await fileConnection.open()));
  last = done.catch(() => undefined);
  return done;
}

/**
 * Writes a file.
 * @param isNew Whether it need not be there already; what another tab has sent or removed must not come back.
 * @returns Whether it is there now.
 * @throws ApiError `storage_unavailable`, or DOMException where there is no room for it.
 */
export function keepFile(owner: Owner, file: Omit<KeptFile, 'owner'>, isNew: boolean): Promise<boolean> {
  return inOrder(async (database) => {
    const step = database.transaction('files', 'readwrite');
    const before = await step.store.get(file.id);
    const isKept = isNew || before !== undefined;
    // First, as it may have no room; and within the step, since another tab may be deleting the last one of this chat.
    if (isKept) noteWaitingFiles(owner, true);
    // It keeps its place among the others.
    if (isKept) await step.store.put({ ...file, owner: keyOf(owner), added: before?.added ?? file.added });
    await step.done;
    channel.postMessage([file.id]);
    return isKept;
  });
}

/** Deletes files of one chat. */
export function forgetFiles(owner: Owner, ids: readonly string[]): Promise<void> {
  return inOrder(async (database) => {
    const step = database.transaction('files', 'readwrite');
    for (const id of ids) await step.store.delete(id);
    if ((await step.store.index('owner').count(keyOf(owner))) === 0) noteWaitingFiles(owner, false);
    await step.done;
    channel.postMessage(ids);
  });
}

/** The files of a chat, those that came first before the others. */
export function keptFiles(owner: Owner): Promise<readonly KeptFile[]> {
  return inOrder(async (database) => {
    const step = database.transaction('files', 'readwrite');
    const files = await step.store.index('owner').getAll(keyOf(owner));
    if (files.length === 0) noteWaitingFiles(owner, false);
    await step.done;
    return files.toSorted((one, other) => one.added - other.added);
  });
}

/** One file of a chat; undefined where it has gone, or to another chat. */
export function keptFile(owner: Owner, id: string): Promise<KeptFile | undefined> {
  return inOrder(async (database) => {
    const file = await database.get('files', id);
    return file?.owner === keyOf(owner) ? file : undefined;
  });
}

/** Calls `changed` with the ids of files that another tab has written or deleted. */
export function watchKeptFiles(changed: (ids: readonly string[]) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => changed(data));
}

function keyOf(owner: Owner): string {
  return owner ?? '';
}
