import { expect, type Browser, type Page } from '@playwright/test';
import { EngineWorkerTarget } from '../../support/browsers/engine-workers.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { ServiceWorkerControl } from '../../support/browsers/service-workers.ts';
import { test } from '../../support/pages/shared-site.ts';
import type * as requestsModule from '../in-page/requests.ts';

type Requests = typeof requestsModule;

const LONG = { text: 'Tell me a story about a dog.', stream: true, endless: true };
const SHORT = { text: 'How many days has a week?', maxTokens: 8 };
/** A prompt that is prefilled in several pieces. */
const SLOW = { text: 'The dog sat on the mat. '.repeat(15), maxTokens: 4 };

async function setUp(page: Page, browser: Browser) {
  const requests = inPage<Requests>(page, 'requests');
  return {
    requests,
    serviceWorker: await ServiceWorkerControl.attach(page),
    engine: await EngineWorkerTarget.attach(browser),
  };
}

test('a service worker that was stopped between two requests answers the next, with the same engine @core', async ({
  site,
  browser,
}) => {
  const { requests, serviceWorker } = await setUp(site, browser);
  const expected = await requests.ask(SHORT);
  const engines = await EngineWorkerTarget.list(browser);
  for (let stop = 0; stop < 3; stop++) {
    await serviceWorker.stop();
    expect(await requests.ask(SHORT)).toBe(expected);
  }
  expect(await EngineWorkerTarget.list(browser)).toEqual(engines);
});

test('a service worker that is stopped during a stream breaks that stream, and the engine is soon free @core', async ({
  site,
  browser,
}) => {
  const { requests, serviceWorker, engine } = await setUp(site, browser);
  const alone = await engine.measure(() => requests.ask(SHORT));
  await requests.begin('cut', LONG);
  await requests.readPieces('cut', 3);
  await serviceWorker.stop();
  const { failure, wireEnd } = await requests.readToEnd('cut');
  // The stream must fail, so that the client can tell that the answer is incomplete.
  expect(failure).toContain('TypeError');
  expect(wireEnd).not.toContain('[DONE]');
  const { result, dispatches } = await engine.measure(() => requests.ask(SHORT));
  expect(result).toBe(alone.result);
  // The engine waits two seconds for the client before it cancels. The 2,000 tokens of the answer would take far
  // longer.
  expect(dispatches).toBeLessThan(alone.dispatches * 100);
});

test('a request whose service worker dies before it answers is repeated by the browser and generated once', async ({
  site,
  browser,
}) => {
  const { requests, serviceWorker, engine } = await setUp(site, browser);
  // The engine measures the prefill of its first prompt to choose the size of the pieces of later ones.
  await requests.ask(SLOW);
  const alone = await engine.measure(() => requests.ask(SLOW));
  const repeated = await engine.measure(async () => {
    // Stops the clock and holds back the first token, because either would make the service worker send the response
    // headers.
    await site
      .context()
      .serviceWorkers()[0]!
      .evaluate(() => {
        const now = performance.now();
        performance.now = () => now;
      });
    await engine.holdTokens();
    const answer = requests.ask(SLOW);
    while ((await engine.evaluate<number>('globalThis.dispatches')) === 0);
    await serviceWorker.stop();
    await engine.releaseTokens();
    return answer;
  });
  expect(repeated.result).toBe(alone.result);
  // A second generation would double the dispatches. The pieces of the prefill may differ a little.
  expect(repeated.dispatches).toBeLessThan(alone.dispatches * 1.5);
});
