import { expect, test } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { siteReady } from '../../support/pages/site-page.ts';

test('a first visit without room for the files of the page gets answers, and the page says why it needs the network', async ({
  page,
  context,
  baseURL,
}) => {
  const session = await context.newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(baseURL!).origin, quotaSize: 8_000_000 });
  await page.goto('/');
  await siteReady(page);
  expect(await new ChatPage(page).ask('How many days has a week?')).toMatch(/\w{3}/);
  await page.getByText('Not offline-ready yet').click();
  await expect(page.getByText('No room on this device')).toBeVisible();
});
