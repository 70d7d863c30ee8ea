import { expect, test } from '@playwright/test';
import { ask } from '../../support/pages/models-page.ts';
import { siteReady } from '../../support/pages/site-page.ts';
import { copySite } from '../../support/sites/copied-site.ts';

test('a strict site chats, offline too, says what strict means, and refuses a model of a hub before a request leaves', async ({
  page,
  context,
}) => {
  const site = await copySite({ modelHosts: false });
  const elsewhere: string[] = [];
  context.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(site.url)) elsewhere.push(request.url());
  });
  const response = await page.goto(site.url);
  expect(response!.headers()['content-security-policy']).toContain("connect-src 'self' data:;");
  expect(response!.headers()['connection-allowlist']).toBe('(response-origin);webrtc=block');
  await siteReady(page);
  const online = await ask(page, 'pocket');
  expect(online.status).toBe(200);

  await page.getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByText('Strict: the rule names no other host.')).toBeVisible();

  await page.getByRole('link', { name: 'Models' }).click();
  const form = page.locator('add-gguf');
  for (const address of ['hf:owner/repository', 'https://elsewhere.example/model.gguf']) {
    await form.getByRole('textbox').first().fill(address);
    await form.getByRole('textbox').first().press('Enter');
    await expect(form).toContainText(
      'This site is strict: it takes no models from other hosts, so nothing was requested',
    );
  }
  expect(elsewhere).toEqual([]);

  await page.close();
  await site.close();
  const later = await context.newPage();
  await later.goto(site.url);
  await siteReady(later);
  expect(await ask(later, 'pocket')).toEqual(online);
});
