import type { Page } from '@playwright/test';
import { DRAFT_DATABASE } from '../../../src/chat/storage/drafts/draft-database.ts';

/** Returns all stored drafts as one text. Creates no database. */
export function storedText(page: Page): Promise<string> {
  return page.evaluate(async (name) => {
    if (!(await indexedDB.databases()).some((database) => database.name === name)) return '';
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(opening.error!));
    });
    const texts = await new Promise<unknown[]>((resolve, reject) => {
      const all = database.transaction('texts').objectStore('texts').getAll() as IDBRequest<unknown[]>;
      all.addEventListener('success', () => resolve(all.result));
      all.addEventListener('error', () => reject(all.error!));
    });
    database.close();
    return JSON.stringify(texts);
  }, DRAFT_DATABASE);
}
