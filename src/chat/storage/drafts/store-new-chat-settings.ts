import type { ConversationSettings } from '../../types/conversation.ts';
import { draftConnection, type StoredText } from './draft-database.ts';

/**
 * Owner, in the store of texts, of the settings of new chats, each under the id of its tab. It is the id of no chat,
 * message or tab. They are there because another object store would keep pages of older builds from opening the database.
 */
export const SETTINGS = 'settings';

/**
 * Returns what was changed in the settings of a tab's new chat, before its first question.
 * @throws ApiError `storage_unavailable` if the database cannot be opened.
 */
export async function readSettings(tab: string): Promise<Partial<ConversationSettings>> {
  return parsed(await (await draftConnection.open()).get('texts', [SETTINGS, tab]));
}

/**
 * Stores changed settings of a tab's new chat beside those that were stored. The model is left out: new chats have the
 * one that was used last.
 * @param changes Null deletes all.
 * @throws ApiError `storage_unavailable` if the database cannot be opened; DOMException if the disk is full.
 */
export async function storeSettings(tab: string, changes: Partial<ConversationSettings> | null): Promise<void> {
  const { store, done } = (await draftConnection.open()).transaction('texts', 'readwrite');
  const key: [string, string] = [SETTINGS, tab];
  if (changes === null) await store.delete(key);
  else {
    const text = JSON.stringify({ ...parsed(await store.get(key)), ...changes, model: undefined });
    if (text === '{}') await store.delete(key);
    else await store.put({ owner: SETTINGS, tab, text, changed: Date.now() });
  }
  await done;
}

/** Gives the settings of a closed tab's new chat to that of another tab. What that one has changed itself is kept. */
export async function adoptSettings(closed: string, tab: string): Promise<void> {
  const { store, done } = (await draftConnection.open()).transaction('texts', 'readwrite');
  const [theirs, own] = [await store.get([SETTINGS, closed]), await store.get([SETTINGS, tab])];
  const text = JSON.stringify({ ...parsed(theirs), ...parsed(own) });
  if (theirs !== undefined) await store.put({ owner: SETTINGS, tab, text, changed: Date.now() });
  await done;
}

function parsed(stored: StoredText | undefined): Partial<ConversationSettings> {
  return JSON.parse(stored?.text ?? '{}') as Partial<ConversationSettings>;
}
