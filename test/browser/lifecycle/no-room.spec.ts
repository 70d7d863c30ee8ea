import { expect, test } from '@playwright/test';

test('a first visit without room has an endpoint, and endpoint and page say that there is no room', async ({
  page,
  context,
  baseURL,
}) => {
  const session = await context.newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(baseURL!).origin, quotaSize: 6_000_000 });
  await page.goto('/');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const answers = await page.evaluate(async () => {
    const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
    const models = await fetch('/v1/models', { headers });
    const body = JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content: 'Hello' }] });
    const answer = await fetch('/v1/chat/completions', { method: 'POST', headers, body });
    const { error } = (await answer.json()) as { error?: { message: string } };
    return { models: models.status, status: answer.status, message: error?.message };
  });
  expect(answers).toMatchObject({ models: 200, status: 503 });
  expect(answers.message).toContain('no room');
  await page.getByText('Not offline-ready yet').click();
  await expect(page.getByText('No room on this device')).toBeVisible();
});
