import { expect } from '@playwright/test';
import { EngineWorkerTarget } from '../../support/browsers/engine-workers.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-context.ts';
import { openSite, pageStatus, reachState, siteReady } from '../../support/pages/site-page.ts';
import { test as withWords } from '../../support/sites/word-site.ts';
import type * as requestsModule from '../in-page/requests.ts';

type Requests = typeof requestsModule;

const LONG = { text: 'Tell me a story about a dog.', stream: true, endless: true };
const SHORT = { text: 'How many days has a week?', maxTokens: 8 };

test('a reload and a hard reload leave the page controlled by the service worker', async ({ page, context }) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const expected = await requests.ask(SHORT);
  await page.reload();
  await siteReady(page);
  expect(await requests.ask(SHORT)).toBe(expected);
  // After a hard reload the page has no service worker, and must ask it to control the page.
  const session = await context.newCDPSession(page);
  const loaded = page.waitForEvent('load');
  await session.send('Page.reload', { ignoreCache: true });
  await loaded;
  await siteReady(page);
  expect(await requests.ask(SHORT)).toBe(expected);
});

test('an engine that dies during an answer fails that answer, and the next one succeeds @core', async ({
  page,
  browser,
}) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const expected = await requests.ask(SHORT);
  const engine = await EngineWorkerTarget.attach(browser);
  await requests.begin('cut', LONG);
  await requests.readPieces('cut', 2);
  await engine.kill();
  const { wireEnd, failure } = await requests.readToEnd('cut');
  expect(failure).toBeNull();
  expect(wireEnd).toContain('"code":"engine_unavailable"');
  await reachState(page, 'ready');
  expect(await requests.ask(SHORT)).toBe(expected);
});

// Needs its own browser: another page would start an engine.
withWords('an engine that keeps dying is not restarted before the next request', async ({ page, browser }) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const expected = await requests.ask(SHORT);
  for (let state = 'ready'; state !== 'failed'; state = (await pageStatus(page))!.state) {
    const engine = state === 'starting' ? null : await EngineWorkerTarget.attach(browser).catch(() => null);
    await engine?.kill();
    await page.waitForTimeout(100);
  }
  expect(await EngineWorkerTarget.list(browser)).toEqual([]);
  expect(await requests.ask(SHORT)).toBe(expected);
});

test('pages of other sites cannot navigate to the endpoint', async ({ page }) => {
  await openSite(page);
  const response = await page.goto('/v1/models');
  expect(response!.status()).toBe(403);
  expect(await response!.json()).toMatchObject({ error: { code: 'forbidden_request' } });
});

test("requests of a page's own worker are answered like those of the page @core", async ({ page }) => {
  await openSite(page);
  const [worker] = await Promise.all([
    page.waitForEvent('worker', (worker) => worker.url().endsWith('/idle-worker.js')),
    page.evaluate(() => void new Worker('/test-clients/idle-worker.js', { type: 'module' })),
  ]);
  const answer = await worker.evaluate(async () => {
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'pocket', max_tokens: 2, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    return response.json();
  });
  expect(answer).toMatchObject({ object: 'chat.completion' });
});

test('a streamed answer never blocks the main thread of the page for more than 50 ms', async ({ page }) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  await requests.ask(SHORT);
  await page.evaluate(() => {
    const entries: number[] = [];
    Object.assign(globalThis, { longTasks: entries });
    new PerformanceObserver((list) => entries.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await requests.begin('stream', { ...LONG, maxTokens: 200 });
  await requests.readToEnd('stream');
  expect(await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks)).toEqual([]);
});
