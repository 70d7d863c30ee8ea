import { expect, test } from '@playwright/test';
import { openSite } from '../../support/pages/site-page.ts';

// Needs its own browser context, in which the service worker has no port to the engine yet.
test('?tabserve-trace prints one request through all three contexts on the page’s console, without its text @core', async ({
  page,
}) => {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(message.text()));
  await openSite(page, '/?tabserve-trace');
  const secret = 'What is a marmalade?';
  const id = await page.evaluate(async (content) => {
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content }] }),
    });
    await response.text();
    return response.headers.get('x-request-id');
  }, secret);

  const ofRequest = (words: string) => lines.filter((line) => line.startsWith(`[${id}]`) && line.includes(words));
  for (const step of [
    'service-worker POST /v1/chat/completions',
    'page gets connect-engine',
    'service-worker sends complete pocket',
    'engine gets complete pocket',
    'engine sends events',
    'service-worker gets events',
    'service-worker status 200',
    'engine gets delivered',
  ]) {
    await expect.poll(() => ofRequest(step), { message: step }).not.toEqual([]);
  }
  expect(lines.filter((line) => line.includes('marmalade'))).toEqual([]);

  await page.evaluate(() => globalThis.tabserveTrace?.(false));
  const before = lines.length;
  await page.evaluate(() => fetch('/v1/models', { headers: { authorization: 'Bearer local' } }));
  expect(lines.slice(before)).toEqual([]);
});
