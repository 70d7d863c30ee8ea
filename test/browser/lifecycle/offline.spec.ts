import { ask } from '../../support/pages/models-page.ts';
import { expect, test } from '../../support/sites/model-site.ts';
import { siteReady } from '../../support/pages/site-page.ts';

test('after one visit a new page opens, loads the model and answers without network @core', async ({
  site,
  models,
  context,
}) => {
  await siteReady(site);
  await expect(site.getByText('Works offline', { exact: true })).toBeVisible();
  await site.getByText('Works offline', { exact: true }).click();
  const proof = site.getByRole('list', { name: 'Proof of offline use' });
  await expect(proof).toContainText(/All \d+ files of the page are stored/);
  await expect(proof).toContainText('Every file of Pocket is stored');
  const online = await ask(site, 'pocket');

  // When the last page closes, the engine ends and the model is unloaded.
  await site.goto('about:blank');
  await context.setOffline(true);
  const page = await context.newPage();
  await page.goto(models.url);
  await siteReady(page);
  expect(online.status).toBe(200);
  expect(await ask(page, 'pocket')).toEqual(online);
  await expect(page.getByText('Works offline · Offline now')).toBeVisible();
  for (const place of ['Models', 'For developers', 'Privacy']) {
    await page.getByRole('link', { name: place, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible();
  }
});

test('the offline badge notices and names an evicted file', async ({ site }) => {
  await siteReady(site);
  await expect(site.getByText('Works offline', { exact: true })).toBeVisible();
  await site.evaluate(async () => {
    const cache = await caches.open('webllm/model');
    for (const { url } of await cache.keys()) if (url.endsWith('.bin')) await cache.delete(url);
  });
  await site.getByText('Works offline', { exact: true }).click();
  await site.getByRole('button', { name: 'Check again' }).click();
  await expect(site.getByText('Not ready for offline use yet')).toBeVisible();
  await expect(site.getByText('No model is stored in full')).toBeVisible();
  await site.getByRole('button', { name: 'Store the built-in model' }).click();
  await expect(site.getByText('Works offline', { exact: true })).toBeVisible();
});

test('the page is installable: manifest, icons, start address and an active service worker', async ({ site }) => {
  await siteReady(site);
  const session = await site.context().newCDPSession(site);
  const { errors } = (await session.send('Page.getAppManifest')) as { errors: unknown[] };
  expect(errors).toEqual([]);
  const { installabilityErrors } = (await session.send('Page.getInstallabilityErrors')) as {
    installabilityErrors: { errorId: string }[];
  };
  // Playwright's browser profile is like a private window, in which no site can be installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});
