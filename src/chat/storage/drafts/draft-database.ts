import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import { closeWhenBlocking, DatabaseConnection } from '../../../shared/storage/database-connection.ts';
import type { AskedQuestion } from '../../types/conversation.ts';
import { isOlderEntry, olderEntries } from './older-drafts.ts';

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

/**
 * This page's connection to the database of drafts. They have their own database, because further object stores in the
 * chats' database would keep pages of older builds from opening it.
 */
export const draftConnection = new DatabaseConnection<DraftDatabase>(async (closed) => {
  const database = await openDB<DraftSchema>(DRAFT_DATABASE, 1, {
    upgrade(created, _oldVersion, _newVersion, transaction) {
      created.createObjectStore('texts', { keyPath: ['owner', 'tab'] });
      created.createObjectStore('questions', { keyPath: 'id' }).createIndex('conversation', 'conversation');
      carryOver(transaction);
    },
    ...closeWhenBlocking(closed),
  });
  for (const key of Object.keys(localStorage)) if (isOlderEntry(key)) localStorage.removeItem(key);
  return database;
});

/** Copies what older builds kept in local storage. It is removed there only when the database has it. */
function carryOver(
  transaction: IDBPTransaction<
    DraftSchema,
    readonly StoreNames<DraftSchema>[] | StoreNames<DraftSchema>[],
    'versionchange'
  >,
): void {
  const { texts, questions } = olderEntries(localStorage);
  for (const text of texts) void transaction.objectStore('texts').put(text);
  for (const question of questions) void transaction.objectStore('questions').put(question);
}
