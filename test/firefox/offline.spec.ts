import { expect, test } from '@playwright/test';
import { ask } from '../support/pages/models-page.ts';
import { copySite } from '../support/sites/copied-site.ts';
import { siteReady } from '../support/pages/site-page.ts';

test('with the server gone a new page opens, loads the model and answers', async ({ page, context }) => {
  const site = await copySite();
  await page.goto(site.url);
  await siteReady(page);
  await expect(page.getByText('Works offline', { exact: true })).toBeVisible();
  const online = await ask(page, 'pocket');
  expect(online.status).toBe(200);

  // When the last page closes, the engine ends and the model is unloaded.
  await page.close();
  await site.close();
  const later = await context.newPage();
  await later.goto(site.url);
  await siteReady(later);
  expect(await ask(later, 'pocket')).toEqual(online);
});
