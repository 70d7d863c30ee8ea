import { expect, test } from '@playwright/test';
import { openControlled } from '../../support/pages/site-page.ts';

for (const { megabytes, says } of [
  { megabytes: 6, says: 'No room on this device' },
  { megabytes: 13, says: 'No model is stored in full' },
]) {
  test(`a first visit with a quota of ${megabytes} MB has an endpoint that answers, and a page that says what is not stored`, async ({
    page,
    context,
    baseURL,
  }) => {
    const session = await context.newCDPSession(page);
    const quotaSize = megabytes * 1e6;
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(baseURL!).origin, quotaSize });
    await openControlled(page, '/');
    const answers = await page.evaluate(async () => {
      const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
      const models = await fetch('/v1/models', { headers });
      const body = JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content: 'Hello' }] });
      const answer = await fetch('/v1/chat/completions', { method: 'POST', headers, body });
      const { error = null } = (await answer.json()) as { error?: { message: string } };
      const weights = await caches.open('webllm/model').then((cache) => cache.keys());
      return {
        models: models.status,
        answer: answer.status,
        error,
        stored: weights.filter(({ url }) => url.endsWith('.bin')),
      };
    });
    expect(answers).toEqual({ models: 200, answer: 200, error: null, stored: [] });
    await page.getByText('Not ready for offline use yet').click();
    await expect(page.getByText(says)).toBeVisible();
  });
}
