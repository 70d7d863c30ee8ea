import { expect, type Page } from '@playwright/test';
import { ENGINE_START_LOCK } from '../../../src/shared/locks/site-locks.ts';
import { EngineWorkerTarget } from '../../support/browsers/engine-workers.ts';
import { ServiceWorkerControl } from '../../support/browsers/service-workers.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { enginesOf, openHostAndGuest, openSite, reachState, siteReady } from '../../support/pages/site-page.ts';
import { test } from '../../support/sites/word-site.ts';
import type * as requestsModule from '../in-page/requests.ts';

type Requests = typeof requestsModule;

const SHORT = { text: 'How many days has a week?', maxTokens: 8 };

/** Stops a tab's code, as a debugger or a dialog does. @returns a function that resumes it. */
async function stop(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Debugger.enable');
  const paused = new Promise((resolve) => session.once('Debugger.paused', resolve));
  // Not awaited: the reply arrives when the tab is resumed.
  session.send('Runtime.evaluate', { expression: 'debugger' }).catch(() => {});
  await paused;
  return () => session.send('Debugger.resume');
}

/** Asks again until there is an answer: while the engine is replaced, answers fail. */
async function answered(page: Page): Promise<string> {
  let answer = '';
  const tryOnce = () =>
    inPage<Requests>(page, 'requests')
      .ask(SHORT)
      .then((text) => (answer = text));
  await expect(tryOnce).toPass({ timeout: 90_000 });
  return answer;
}

test('a stopped tab does not prevent others from replacing an engine that died', async ({ context, browser }) => {
  const [stopped, other] = [await context.newPage(), await context.newPage()];
  await openSite(stopped);
  await openSite(other);
  const expected = await answered(other);
  await stop(stopped);
  await (await EngineWorkerTarget.attach(browser)).kill();
  expect(await answered(other)).toBe(expected);
  const late = await context.newPage();
  await openSite(late);
  expect(await answered(late)).toBe(expected);
  expect(await EngineWorkerTarget.list(browser)).toHaveLength(1);
});

test('a tab that is stopped while it starts the engine does not keep others from starting one', async ({
  context,
  browser,
}) => {
  const [stopped, other] = [await context.newPage(), await context.newPage()];
  await stopped.goto('/test-clients/blank.html');
  await stopped.evaluate(
    (name) =>
      new Promise<void>((resolve) => {
        void navigator.locks.request(name, () => {
          resolve();
          return new Promise(() => {});
        });
      }),
    ENGINE_START_LOCK,
  );
  await stop(stopped);
  await openSite(other);
  expect(await answered(other)).not.toBe('');
  expect(await EngineWorkerTarget.list(browser)).toHaveLength(1);
});

test('without a SharedWorker another tab replaces a stopped one that hosts the engine', async ({ context }) => {
  const [host, guest] = await openHostAndGuest(context);
  const expected = await answered(guest);
  const resume = await stop(host);
  // The guest's port to the engine is gone, and the stopped host cannot pass another one.
  await guest.reload();
  await siteReady(guest);
  expect(enginesOf(guest)).toHaveLength(1);
  expect(await answered(guest)).toBe(expected);
  await resume();
  await expect.poll(() => enginesOf(host).length).toBe(0);
  await reachState(host, 'ready');
  expect(await answered(host)).toBe(expected);
  expect(enginesOf(guest)).toHaveLength(1);
});

test('without a SharedWorker the others are answered by the engine of a stopped tab, also after a stop of the service worker', async ({
  context,
}) => {
  const [host, guest] = await openHostAndGuest(context);
  const expected = await answered(guest);
  const resume = await stop(host);
  const serviceWorker = await ServiceWorkerControl.attach(guest);
  for (let restart = 0; restart < 2; restart++) {
    await serviceWorker.stop();
    expect(await inPage<Requests>(guest, 'requests').ask(SHORT)).toBe(expected);
  }
  expect([enginesOf(host).length, enginesOf(guest).length]).toEqual([1, 0]);
  await resume();
  expect(await answered(host)).toBe(expected);
});

test('without a SharedWorker a request that waits for a stopped tab to host the engine is answered when the tab goes on', async ({
  context,
}) => {
  const [host, next] = await openHostAndGuest(context);
  const other = await context.newPage();
  await openSite(other);
  const expected = await answered(other);
  const resume = await stop(next);
  // The lock of the host is granted to the next tab, which cannot start an engine yet.
  await host.close();
  // A request that still reaches the engine of the host fails with it.
  await reachState(other, 'starting');
  const asked = inPage<Requests>(other, 'requests').ask(SHORT);
  await other.waitForTimeout(3000);
  await resume();
  expect(await asked).toBe(expected);
  expect([enginesOf(next).length, enginesOf(other).length]).toEqual([1, 0]);
});
