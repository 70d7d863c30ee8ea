import { expect, type Page } from '@playwright/test';
import { freeze, test } from '../../support/browsers/freezable-tabs.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { ChatPage, LONG_QUESTION } from '../../support/pages/chat-page.ts';
import { enginesOf, reachState, unloadModels } from '../../support/pages/site-page.ts';
import type * as requestsModule from '../in-page/requests.ts';

type Requests = typeof requestsModule;

const SHORT = { text: 'How many days has a week?', maxTokens: 8 };
const LONG = { text: 'Tell me a story about a dog.', endless: true, maxTokens: 300 };

const requestsOf = (page: Page) => inPage<Requests>(page, 'requests');

/** Counts the engines of all tabs, in a browser without SharedWorker. */
const countEngines = (...tabs: readonly Page[]) => tabs.reduce((sum, tab) => sum + enginesOf(tab).length, 0);

/** Asks again until there is an answer, as a client does after a temporary failure. */
async function answered(page: Page): Promise<string> {
  let answer = '';
  const tryOnce = () =>
    requestsOf(page)
      .ask(SHORT)
      .then((text) => (answer = text));
  await expect(tryOnce).toPass({ timeout: 90_000 });
  return answer;
}

test.describe('without a SharedWorker', () => {
  test.beforeEach(({ context }) => context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker')));

  test('a frozen tab hands the engine over at once, and joins the new one when it is resumed', async ({ openTab }) => {
    const [host, guest] = [await openTab(), await openTab()];
    const expected = await answered(guest);
    const resume = await freeze(host);
    expect(await requestsOf(guest).ask(SHORT)).toBe(expected);
    expect(enginesOf(guest)).toHaveLength(1);
    await resume();
    await reachState(host, 'ready');
    expect(enginesOf(host)).toHaveLength(0);
    expect(await requestsOf(host).ask(SHORT)).toBe(expected);
    expect(enginesOf(guest)).toHaveLength(1);
  });

  test('a tab that opens while the only other one is frozen gets the engine at once', async ({ openTab }) => {
    const host = await openTab();
    const expected = await answered(host);
    const resume = await freeze(host);
    const late = await openTab();
    expect(await requestsOf(late).ask(SHORT)).toBe(expected);
    expect(enginesOf(late)).toHaveLength(1);
    await resume();
    await expect.poll(() => enginesOf(host).length).toBe(0);
    expect(await answered(host)).toBe(expected);
  });

  test('two frozen tabs answer when resumed, in either order', async ({ openTab }) => {
    const [host, guest] = [await openTab(), await openTab()];
    const expected = await answered(guest);
    const resumeHost = await freeze(host);
    const resumeGuest = await freeze(guest);
    await resumeHost();
    expect(await answered(host)).toBe(expected);
    await resumeGuest();
    expect(await answered(guest)).toBe(expected);
    await expect.poll(() => countEngines(host, guest)).toBe(1);
  });

  test('two of three tabs share an engine while the first one is frozen, and the first one joins it when it is resumed', async ({
    openTab,
  }) => {
    const tabs = [await openTab(), await openTab(), await openTab()];
    const [host, ...others] = tabs;
    const expected = await answered(host!);
    const resume = await freeze(host!);
    expect(await Promise.all(others.map((tab) => answered(tab)))).toEqual([expected, expected]);
    await resume();
    expect(await answered(host!)).toBe(expected);
    await expect.poll(() => countEngines(...tabs)).toBe(1);
  });

  test('a tab that is frozen while it loads a model hands the load over', async ({ openTab }) => {
    const [host, guest] = [await openTab(), await openTab()];
    const expected = await answered(guest);
    await unloadModels(guest);
    const answer = answered(guest);
    await reachState(guest, 'loading');
    const resume = await freeze(host);
    expect(await answer).toBe(expected);
    await resume();
    expect(await answered(host)).toBe(expected);
    await expect.poll(() => countEngines(host, guest)).toBe(1);
  });

  test('tabs that are frozen and resumed in quick succession answer, with one engine', async ({ openTab }) => {
    const tabs = [await openTab(), await openTab()] as const;
    const expected = await answered(tabs[0]);
    const answer = answered(tabs[0]);
    for (const tab of [...tabs, ...tabs, ...tabs]) {
      const resume = await freeze(tab);
      await resume();
    }
    expect(await answer).toBe(expected);
    expect(await answered(tabs[1])).toBe(expected);
    await expect.poll(() => countEngines(...tabs)).toBe(1);
  });

  test('a frozen tab keeps its engine if it is the only tab', async ({ openTab }) => {
    const host = await openTab();
    const [engine] = enginesOf(host);
    const resume = await freeze(host);
    await resume();
    expect(await requestsOf(host).ask(SHORT)).not.toBe('');
    expect(enginesOf(host)).toEqual([engine]);
  });

  test('the answer of a tab whose engine is frozen fails with an error that clients retry', async ({ openTab }) => {
    const [host, guest] = [await openTab(), await openTab()];
    const requests = requestsOf(guest);
    await requests.begin('stream', { ...LONG, stream: true });
    await requests.readPieces('stream', 1);
    await freeze(host);
    const { wireEnd, failure } = await requests.readToEnd('stream');
    expect(failure).toBeNull();
    expect(wireEnd).toContain('"code":"engine_unavailable"');
    expect(await requests.ask(SHORT)).not.toBe('');
  });

  test('a tab that gets no freeze event loses its engine, while it is frozen, to a tab that needs one', async ({
    context,
    openTab,
  }) => {
    await context.addInitScript(() => {
      // Hides the events, because other browsers freeze a page without them.
      addEventListener('freeze', (event) => event.stopImmediatePropagation(), true);
      addEventListener('resume', (event) => event.stopImmediatePropagation(), true);
    });
    const [host, guest] = [await openTab(), await openTab()];
    const expected = await answered(guest);
    const resume = await freeze(host);
    // The guest's port to the engine is gone, and the frozen host cannot pass another one.
    await guest.reload();
    expect(await answered(guest)).toBe(expected);
    expect(enginesOf(guest)).toHaveLength(1);
    await resume();
    await expect.poll(() => enginesOf(host).length).toBe(0);
    await reachState(host, 'ready');
    expect(await answered(host)).toBe(expected);
    expect(enginesOf(guest)).toHaveLength(1);
  });
});

for (const { resuming, promise } of [
  { resuming: false, promise: 'the stream of a plain fetch ends with an error' },
  { resuming: true, promise: 'the stream of tabserve.fetch goes on' },
]) {
  test(`${promise} once its frozen page is resumed`, async ({ openTab }) => {
    const page = await openTab();
    const requests = requestsOf(page);
    const whole = await requests.ask(LONG);
    await requests.begin('stream', { ...LONG, stream: true, resuming });
    await requests.readPieces('stream', 5);
    // Reads before the freeze, because in Chromium only a read that is pending by then may never settle.
    const reading = requests.readToEnd('stream');
    await expect.poll(() => requests.countPieces('stream')).toBeGreaterThan(8);
    const resume = await freeze(page);
    const other = await openTab();
    expect(await requestsOf(other).ask(SHORT)).not.toBe('');
    await resume();
    const { content, failure } = await reading;
    if (resuming) expect([content, failure]).toEqual([whole, null]);
    else {
      expect(failure).toBe('TypeError: network error');
      expect(whole.startsWith(content)).toBe(true);
      expect(content).not.toBe(whole);
    }
    expect(await requests.ask(SHORT)).not.toBe('');
  });
}

test('an answer of the chat page continues once its frozen page is resumed', async ({ openTab }) => {
  const page = await openTab();
  const chat = new ChatPage(page);
  await chat.send(LONG_QUESTION);
  await chat.growing();
  const before = await chat.text();
  const resume = await freeze(page);
  await openTab();
  await resume();
  const text = await chat.answered();
  expect(text.slice(0, before.length)).toBe(before);
  expect(text.length).toBeGreaterThan(before.length);
  await expect(chat.notice('This answer was interrupted')).toBeHidden();
  await page.reload();
  await expect.poll(() => chat.text()).toBe(text);
});
