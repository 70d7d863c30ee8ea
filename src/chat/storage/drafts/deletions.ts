import { chatConnection, type ChatDatabase } from '../chat-database.ts';
import { draftConnection, textsOf, type DraftDatabase, type StoredText } from './draft-database.ts';
import { deleteFiles, fileConnection } from './unsent-file-database.ts';

/**
 * Owner, in the store of texts, of the records of deletions. It is the id of no chat, message or tab. The records are
 * there because another object store would keep pages of older builds from opening the database, and so that they go
 * together with the texts when the site's data are cleared.
 */
const DELETED = 'deleted';

/** Milliseconds in which a deletion can be undone. Only the page that has deleted finishes a younger one. */
const UNDO_TIME = 2 * 60 * 1000;
/** Milliseconds for which a finished deletion stays on record, for what another tab stores late: 7 days. */
const LONGEST = 7 * 24 * 60 * 60 * 1000;
/** Of more finished deletions, the older ones are forgotten. */
const MOST = 200;

/** What this page has deleted, also if that could not be recorded. */
const deletedHere = new Set<string>();

/**
 * Records what is about to be deleted, so that {@link finishDeletions} deletes its texts, queued questions and files if
 * this page does not come to it. Never rejects: what cannot be recorded, as on a full disk, can still be deleted.
 * @param ids Of a chat and its messages, or of messages. The first identifies the deletion.
 */
export async function noteDeletion(ids: readonly string[]): Promise<void> {
  deletedHere.add(ids[0]!);
  const record: StoredText = { owner: DELETED, tab: ids[0]!, text: ids.join(' '), changed: Date.now() };
  await draftConnection
    .open()
    .then((database) => database.put('texts', record))
    .catch((error: unknown) => console.info('A deletion is not on record.', error));
}

/** Forgets a deletion that did not take place or was undone. If that fails, {@link finishDeletions} finds its chat. */
export async function forgetDeletion(id: string): Promise<void> {
  deletedHere.delete(id);
  await draftConnection
    .open()
    .then((database) => database.delete('texts', [DELETED, id]))
    .catch((error: unknown) => console.info('A deletion is still on record.', error));
}

/** Whether this page has deleted a chat. */
export function isDeletedHere(chat: string): boolean {
  return deletedHere.has(chat);
}

/** Whether the deletion of a chat is on record. */
export async function isDeleted(chat: string): Promise<boolean> {
  return (await (await draftConnection.open()).getKey('texts', [DELETED, chat])) !== undefined;
}

/**
 * Deletes what interrupted deletions and other tabs have left of chats and messages that a person deleted: only what is
 * on record, and only if it does not exist again.
 * @param ended The first id of a deletion that cannot be undone any more, however young it is. Default: none.
 * @throws ApiError `storage_unavailable` if a database cannot be opened.
 */
export async function finishDeletions(ended?: string): Promise<void> {
  const drafts = await draftConnection.open();
  const records = (await drafts.getAll('texts', textsOf(DELETED))).toSorted(
    (one, other) => other.changed - one.changed,
  );
  if (records.length === 0) return;
  const owners = await ownersIn(drafts);
  for (const [index, record] of records.entries()) {
    const age = Date.now() - record.changed;
    if (record.tab !== ended && age < UNDO_TIME) continue;
    const isBack = await finish(drafts, record.text.split(' '), owners);
    if (isBack || age > LONGEST || index >= MOST) await forgetDeletion(record.tab);
  }
}

/**
 * @param owners Those under whose ids something may be stored.
 * @returns Whether one of the chats or messages exists. Then it has not been deleted, or its deletion was undone.
 */
async function finish(drafts: DraftDatabase, ids: readonly string[], owners: ReadonlySet<string>): Promise<boolean> {
  // Not the store of chats, which falls back to memory, where stored chats would look deleted.
  const database = await chatConnection.open();
  if (await exists(database, ids[0]!)) return true;
  const left = ids.filter((id) => owners.has(id));
  for (const id of left) if (await exists(database, id)) return true;
  if (left.length === 0) return false;
  const transaction = drafts.transaction(['texts', 'questions'], 'readwrite');
  const questions = transaction.objectStore('questions');
  for (const id of left) {
    await transaction.objectStore('texts').delete(textsOf(id));
    for (const key of await questions.index('conversation').getAllKeys(id)) await questions.delete(key);
  }
  await transaction.done;
  const files = await fileConnection.open();
  for (const id of left) await deleteFiles(files, await files.getAllKeysFromIndex('files', 'owner', id));
  return false;
}

async function exists(database: ChatDatabase, id: string): Promise<boolean> {
  return ((await database.getKey('conversations', id)) ?? (await database.getKey('messages', id))) !== undefined;
}

/** Returns the ids under which texts, questions or files are stored. */
async function ownersIn(drafts: DraftDatabase): Promise<ReadonlySet<string>> {
  const owners = new Set((await drafts.getAllKeys('texts')).map(([owner]) => owner));
  const questions = drafts.transaction('questions').store.index('conversation');
  // Only keys are read: questions and files may be large.
  for (let at = await questions.openKeyCursor(); at; at = await at.continue()) owners.add(at.key);
  const files = (await fileConnection.open()).transaction('files').store.index('owner');
  for (let at = await files.openKeyCursor(); at; at = await at.continue()) owners.add(at.key);
  return owners;
}
