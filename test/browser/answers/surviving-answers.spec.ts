import { expect } from '@playwright/test';
import { EngineWorkerTarget } from '../../support/browsers/engine-workers.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { ServiceWorkerControl } from '../../support/browsers/service-workers.ts';
import { test } from '../../support/pages/shared-site.ts';
import type * as openaiModule from '../in-page/openai.ts';
import type * as requestsModule from '../in-page/requests.ts';

type Requests = typeof requestsModule;

const LONG = { text: 'Tell me a story about a dog.', endless: true, maxTokens: 300 };
const SHORT = { text: 'How many days has a week?', maxTokens: 8 };

test('tabserve.fetch gets a whole stream although the service worker is stopped repeatedly @core', async ({ site }) => {
  const requests = inPage<Requests>(site, 'requests');
  const serviceWorker = await ServiceWorkerControl.attach(site);
  await requests.begin('stream', { ...LONG, stream: true, resuming: true });
  for (const pieces of [1, 20, 60, 120]) {
    await requests.readPieces('stream', pieces);
    await serviceWorker.stop();
  }
  const { content, wireEnd, failure } = await requests.readToEnd('stream');
  expect(failure).toBeNull();
  expect(wireEnd.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(content).toBe(await requests.ask(LONG));
});

test('tabserve.fetch gets a whole JSON answer, and a whole stream for the openai client, although the service worker is stopped', async ({
  site,
  browser,
}) => {
  const requests = inPage<Requests>(site, 'requests');
  const openai = inPage<typeof openaiModule>(site, 'openai');
  const serviceWorker = await ServiceWorkerControl.attach(site);
  const engine = await EngineWorkerTarget.attach(browser);
  const stopTwice = async (dispatches: number) => {
    const start = await engine.evaluate<number>('globalThis.dispatches');
    for (const share of [0.3, 0.6]) {
      while ((await engine.evaluate<number>('globalThis.dispatches')) < start + share * dispatches);
      await serviceWorker.stop();
    }
  };
  // Both answers that are compared take their prompt from the cache.
  await requests.ask({ ...LONG, maxTokens: 1 });
  const whole = await engine.measure(() => requests.ask(LONG));
  const json = await engine.measure(async () => {
    const [answer] = await Promise.all([requests.ask({ ...LONG, resuming: true }), stopTwice(whole.dispatches)]);
    return answer;
  });
  expect(json.result).toBe(whole.result);
  expect(json.dispatches).toBe(whole.dispatches);

  const pieces = await engine.measure(() => openai.stream(LONG.text));
  const resumed = await engine.measure(async () => {
    const [read] = await Promise.all([openai.stream(LONG.text, true), stopTwice(pieces.dispatches)]);
    return read;
  });
  expect(resumed.result.join('')).toBe(pieces.result.join(''));
});

test('an abort frees the engine at once, even after the service worker was stopped', async ({ site, browser }) => {
  const requests = inPage<Requests>(site, 'requests');
  const serviceWorker = await ServiceWorkerControl.attach(site);
  const engine = await EngineWorkerTarget.attach(browser);
  const alone = await engine.measure(() => requests.ask(SHORT));
  await requests.begin('left', { ...LONG, maxTokens: 1500, stream: true, resuming: true });
  await requests.readPieces('left', 3);
  await serviceWorker.stop();
  await requests.abort('left');
  const { result, dispatches } = await engine.measure(() => requests.ask(SHORT));
  expect(result).toBe(alone.result);
  expect(dispatches).toBeLessThan(alone.dispatches * 10);
});
