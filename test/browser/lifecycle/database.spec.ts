import { expect } from '@playwright/test';
import { ModelsPage } from '../../support/pages/models-page.ts';
import { openSite, siteReady } from '../../support/pages/site-page.ts';
import { test } from '../../support/sites/word-site.ts';

test('open connections block neither a newer build nor a deletion, and are reopened', async ({ page }) => {
  await openSite(page);
  // Each screen makes another context open the database: engine worker, page and service worker.
  await ModelsPage.open(page);
  await page.getByRole('link', { name: 'For developers' }).click();
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
  await listModels();

  const upgrade = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const request = indexedDB.open('tabserve', 1000);
        request.addEventListener('blocked', () => resolve('blocked'));
        request.addEventListener('error', () => resolve(String(request.error)));
        request.addEventListener('success', () => {
          request.result.close();
          resolve('done');
        });
      }),
  );
  expect(upgrade).toBe('done');

  const deletion = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const request = indexedDB.deleteDatabase('tabserve');
        request.addEventListener('blocked', () => resolve('blocked'));
        request.addEventListener('success', () => resolve('done'));
      }),
  );
  expect(deletion).toBe('done');

  await listModels();
  await page.reload();
  await siteReady(page);

  async function listModels(): Promise<void> {
    const status = await page.evaluate(async () => {
      const { status } = await fetch('/v1/models', { headers: { authorization: 'Bearer local' } });
      return status;
    });
    expect(status).toBe(200);
  }
});
