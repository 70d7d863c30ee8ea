import type { Page } from '@playwright/test';
import { DRAFT_DATABASE } from '../../../src/chat/storage/drafts/draft-database.ts';

/**
 * Returns all stored drafts as one text. Creates no database.
 * @param store `questions` for those that wait for an answer. Default: texts in fields.
 */
export function storedText(page: Page, store: 'texts' | 'questions' = 'texts'): Promise<string> {
  return page.evaluate(
    async ([name, store]) => {
      if (!(await indexedDB.databases()).some((database) => database.name === name)) return '';
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('success', () => resolve(opening.result));
        opening.addEventListener('error', () => reject(opening.error!));
      });
      const texts = await new Promise<unknown[]>((resolve, reject) => {
        const all = database.transaction(store).objectStore(store).getAll() as IDBRequest<unknown[]>;
        all.addEventListener('success', () => resolve(all.result));
        all.addEventListener('error', () => reject(all.error!));
      });
      database.close();
      return JSON.stringify(texts);
    },
    [DRAFT_DATABASE, store] as const,
  );
}
