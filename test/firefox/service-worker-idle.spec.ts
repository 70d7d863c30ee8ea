import { expect } from '@playwright/test';
import type * as requestsModule from '../browser/in-page/requests.ts';
import { firefoxLaunchOptions } from '../support/browsers/firefox-launch-options.ts';
import { livingEngines, livingServiceWorkers } from '../support/browsers/living-workers.ts';
import { inPage } from '../support/pages/in-page.ts';
import { openSite } from '../support/pages/site-page.ts';
import { test } from '../support/sites/word-site.ts';

type Requests = typeof requestsModule;

// Reduces Firefox's idle timeout of service workers from 30 s to 5 s: less than the interval of the page's messages and
// the duration of long answers, but enough for a busy machine to install the worker.
test.use({
  launchOptions: firefoxLaunchOptions({
    'dom.serviceWorkers.idle_timeout': 4000,
    'dom.serviceWorkers.idle_extended_timeout': 1000,
  }),
});

/** The answer takes 40 seconds. */
const LONG = { text: 'Tell me a story about a dog.', stream: true, maxTokens: 2000 };
const SHORT = { text: 'How many days has a week?', maxTokens: 8 };

test('a service worker that was stopped when idle answers the next request, with the same engine', async ({ page }) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const expected = await requests.ask(SHORT);
  const engines = await livingEngines(page);
  expect(engines).toHaveLength(1);
  await expect.poll(() => livingServiceWorkers(page)).toEqual([]);
  expect(await requests.ask(SHORT)).toBe(expected);
  expect(await livingEngines(page)).toEqual(engines);
});

test('a service worker that is stopped during a stream ends it without [DONE], and the engine is soon free', async ({
  page,
}) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const expected = await requests.ask(SHORT);
  await requests.begin('cut', LONG);
  await requests.readPieces('cut', 3);
  const { wireEnd, failure } = await requests.readToEnd('cut');
  // Firefox reports a normal end of the stream. A client can detect the interruption only by the missing [DONE].
  expect(failure).toBeNull();
  expect(wireEnd).not.toContain('[DONE]');
  // The engine waits two seconds for the lost client before it cancels. This request may be interrupted as well, so it
  // is repeated. If the answer of 2,000 tokens continued, the requests would time out.
  await expect.poll(() => requests.ask(SHORT).catch(String)).toBe(expected);
});

test('tabserve.fetch gets a whole answer although the service worker is stopped during it', async ({ page }) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  // The answer takes 15 seconds, during which Firefox stops two service workers.
  const question = { ...LONG, maxTokens: 750 };
  await requests.begin('plain', question);
  const cut = await requests.readToEnd('plain');
  expect(cut.wireEnd).not.toContain('[DONE]');
  await requests.begin('resumed', { ...question, resuming: true });
  const whole = await requests.readToEnd('resumed');
  expect(whole.failure).toBeNull();
  expect(whole.wireEnd.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(whole.content.startsWith(cut.content)).toBe(true);
  expect(await requests.ask({ ...question, stream: false, resuming: true })).toBe(whole.content);
});
