import { expect, test } from '@playwright/test';
import { EngineWorkerTarget } from '../support/engine-workers.ts';
import { inPage } from '../support/in-page.ts';
import { ServiceWorkerControl } from '../support/service-workers.ts';
import { openSite } from '../support/site-page.ts';
import type * as requestsModule from './in-page/requests.ts';

type Requests = typeof requestsModule;

const LONG = { text: 'Tell me a story about a dog.', stream: true, endless: true };
const SHORT = { text: 'How many days has a week?', maxTokens: 8 };
/** Prefilling this takes longer than the 500 ms after which the head of an answer is sent without a token. */
const SLOW = { text: 'The dog sat on the mat. '.repeat(15), maxTokens: 4 };

test('a service worker that was stopped between two requests answers the next, with the engine it had', async ({ page, browser }) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const serviceWorker = await ServiceWorkerControl.attach(page);
  const expected = await requests.ask(SHORT);
  const [engine] = await EngineWorkerTarget.list(browser);
  for (let stop = 0; stop < 3; stop++) {
    await serviceWorker.stop();
    expect(await requests.ask(SHORT)).toBe(expected);
  }
  expect(await EngineWorkerTarget.list(browser)).toEqual([engine]);
});

test('a service worker that is stopped in the middle of a stream breaks that stream, and the engine is soon free', async ({
  page,
  browser,
}) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const serviceWorker = await ServiceWorkerControl.attach(page);
  const engine = await EngineWorkerTarget.attach(browser);
  let expected = '';
  const alone = await engine.dispatchesDuring(async () => {
    expected = await requests.ask(SHORT);
  });
  await requests.begin('cut', LONG);
  await requests.readPieces('cut', 3);
  await serviceWorker.stop();
  const { failure, wireEnd } = await requests.readToEnd('cut');
  // A client must be able to tell a broken answer from a whole one.
  expect(failure).toContain('TypeError');
  expect(wireEnd).not.toContain('[DONE]');
  const dispatches = await engine.dispatchesDuring(async () => {
    expect(await requests.ask(SHORT)).toBe(expected);
  });
  // The grace time of two seconds passes; the 2,000 tokens of the lost answer would take far longer.
  expect(dispatches).toBeLessThan(alone * 100);
});

test('a request whose service worker dies before it answers is repeated by the browser and answered once', async ({ page, browser }) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const serviceWorker = await ServiceWorkerControl.attach(page);
  const engine = await EngineWorkerTarget.attach(browser);
  let expected = '';
  const alone = await engine.dispatchesDuring(async () => {
    expected = await requests.ask(SLOW);
  });
  const dispatches = await engine.dispatchesDuring(async () => {
    const answer = requests.ask(SLOW);
    while ((await engine.evaluate<number>('globalThis.dispatches')) === 0);
    await serviceWorker.stop();
    expect(await answer).toBe(expected);
  });
  expect(dispatches).toBe(alone);
});
