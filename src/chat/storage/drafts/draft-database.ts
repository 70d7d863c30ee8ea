import type { DBSchema, IDBPDatabase } from 'idb';
import { siteLocks } from '../../../shared/locks/site-locks.ts';
import { DatabaseConnection } from '../../../shared/storage/database-connection.ts';
import type { AskedQuestion } from '../../types/conversation.ts';
import { openPageDatabase } from '../open-page-database.ts';
import { isOlderEntry, olderEntries } from './older-drafts.ts';
import { newTabId, NO_TAB } from './tab-identity.ts';

/** Name of the database of everything that was written but not asked, except files. */
export const DRAFT_DATABASE = 'tabserve-drafts';

/** The unfinished text of a field, written in one tab. */
export interface StoredText {
  /** Id of the conversation or of the edited question; for a new chat, the id of the tab. */
  readonly owner: string;
  /** Id of the tab that shows the text; an id that no tab has if none shows it. */
  readonly tab: string;
  readonly text: string;
  /** When it was changed, in milliseconds since 1970. */
  readonly changed: number;
}

/** A question that is sent when the running answer of its conversation has ended. */
export interface QueuedQuestion extends AskedQuestion {
  readonly id: string;
  /** Its files as they were attached, in case it is edited. Default: those that are sent. */
  readonly whole?: AskedQuestion['attachments'];
}

export interface StoredQuestion extends QueuedQuestion {
  readonly conversation: string;
  /** When it was sent, in milliseconds since 1970. */
  readonly added: number;
}

interface DraftSchema extends DBSchema {
  texts: { key: [owner: string, tab: string]; value: StoredText };
  questions: { key: string; value: StoredQuestion; indexes: { conversation: string } };
}

export type DraftDatabase = IDBPDatabase<DraftSchema>;

/** All texts of an owner, of whichever tab. */
export const textsOf = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner, ''], [owner, '\uffff']);

/** Held while entries of older builds are carried over, so that two tabs do not do it at once. */
const CARRY_OVER_LOCK = 'tabserve-older-drafts';

/**
 * This page's connection to the database of drafts. They have their own database, because further object stores in the
 * chats' database would keep pages of older builds from opening it.
 */
export const draftConnection = new DatabaseConnection<DraftDatabase>(async (closed) => {
  let isNew = false;
  const database = await openPageDatabase<DraftSchema>(DRAFT_DATABASE, closed, (created) => {
    isNew = true;
    created.createObjectStore('texts', { keyPath: ['owner', 'tab'] });
    created.createObjectStore('questions', { keyPath: 'id' }).createIndex('conversation', 'conversation');
  });
  if (Object.keys(localStorage).some(isOlderEntry))
    await siteLocks()
      .request(CARRY_OVER_LOCK, () => carryOver(database, isNew ? NO_TAB : newTabId()))
      .catch((error: unknown) => console.info('Drafts of an older build stay in local storage.', error));
  return database;
});

/**
 * Moves to the database what older builds keep in local storage. A tab of an older build may still be open beside this
 * one, so there may be entries at any time.
 * @param tab Id of no open tab, which gets the text of the new chat.
 */
async function carryOver(database: DraftDatabase, tab: string): Promise<void> {
  const { texts, questions } = olderEntries(localStorage, tab);
  const transaction = database.transaction(['texts', 'questions'], 'readwrite');
  const written = [
    ...texts.map((text) => transaction.objectStore('texts').put(text)),
    ...questions.map((question) => transaction.objectStore('questions').put(question)),
  ];
  await Promise.all([...written, transaction.done]);
  for (const key of Object.keys(localStorage)) if (isOlderEntry(key)) localStorage.removeItem(key);
}
