import { expect, test } from '../../support/sites/model-site.ts';
import { ModelsPage } from '../../support/pages/models-page.ts';
import { siteReady } from '../../support/pages/site-page.ts';

test('open connections block neither a newer build nor a deletion, and are reopened', async ({ site }) => {
  await siteReady(site);
  // Each screen makes another context open the database: engine worker, page and service worker.
  await ModelsPage.open(site);
  await site.getByRole('link', { name: 'For developers' }).click();
  await expect(site.getByRole('heading', { name: 'Keys' })).toBeVisible();
  await listModels();

  const upgrade = await site.evaluate(
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

  const deletion = await site.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const request = indexedDB.deleteDatabase('tabserve');
        request.addEventListener('blocked', () => resolve('blocked'));
        request.addEventListener('success', () => resolve('done'));
      }),
  );
  expect(deletion).toBe('done');

  await listModels();
  await site.reload();
  await siteReady(site);

  async function listModels(): Promise<void> {
    const status = await site.evaluate(async () => {
      const { status } = await fetch('/v1/models', { headers: { authorization: 'Bearer local' } });
      return status;
    });
    expect(status).toBe(200);
  }
});
