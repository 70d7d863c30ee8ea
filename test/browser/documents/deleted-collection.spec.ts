import { expect } from '@playwright/test';
import { inPage } from '../../support/pages/in-page.ts';
import { openSite } from '../../support/pages/site-page.ts';
import { test } from '../../support/sites/word-site.ts';
import type * as manyFiles from '../in-page/many-files.ts';

/** Files of the vector store. `DELETED_FILES=5000` measures a large one. */
const FILES = Number(process.env['DELETED_FILES'] ?? 30);

test('a vector store is deleted in one request, and nothing of its index is left', async ({ page }) => {
  test.setTimeout(120_000 + FILES * 200);
  await openSite(page);
  const files = inPage<typeof manyFiles>(page, 'many-files');
  const began = Date.now();
  const store = await files.fill(Array.from({ length: FILES }, (_, file) => `Note ${file}: code ${file * 7919}.`));
  console.log(`${FILES} files are indexed after ${Date.now() - began} ms`);
  expect(await files.countStored()).toBe(2 * FILES);
  const deleted = await files.deleteStore(store);
  const [next, left] = [await files.listFiles(), await files.countStored()];
  console.log(
    `deleted: headers after ${deleted.toFixed(0)} ms, the next request after ${next.toFixed(0)} ms; ${left} left`,
  );
  await expect.poll(() => files.countStored(), { timeout: 60_000 + FILES * 10 }).toBe(FILES);
  console.log(`all gone ${Date.now() - began} ms after the beginning`);
});
