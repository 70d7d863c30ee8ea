import { openDB, wrap, type DBSchema, type IDBPDatabase } from 'idb';
import { closeWhenBlocking } from '../../shared/storage/database-connection.ts';

/**
 * Opens a database of the chat page.
 * @param closed Called when the connection can no longer be used.
 * @param create Creates the object stores of a new database.
 */
export async function openPageDatabase<Schema extends DBSchema>(
  name: string,
  closed: () => void,
  create: (database: IDBPDatabase<Schema>) => void,
): Promise<IDBPDatabase<Schema>> {
  const database = await openDB<Schema>(name, 1, { upgrade: create, ...closeWhenBlocking(closed) });
  // `done` of a transaction rejects when a step fails. Where the page awaited that step, nothing awaits `done` any more,
  // which the browser would report as an unhandled error.
  for (const type of ['error', 'abort'] as const) {
    database.addEventListener(type, ({ target }) => {
      const transaction = target instanceof IDBRequest ? target.transaction : target;
      if (transaction instanceof IDBTransaction) wrap(transaction).done.catch(() => {});
    });
  }
  return database;
}
