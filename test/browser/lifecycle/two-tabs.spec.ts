import { expect, test as untouched } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import { livingEngines } from '../../support/browsers/living-workers.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-context.ts';
import { enginesOf, openHostAndGuest, openSite, pageStatus, reachState } from '../../support/pages/site-page.ts';
import { test as withWords } from '../../support/sites/word-site.ts';
import type * as requestsModule from '../in-page/requests.ts';

type Requests = typeof requestsModule;

const FIRST = { text: 'What is a service worker?', stream: true, maxTokens: 40, endless: true };
const SECOND = { text: 'How many days has a week?', stream: true, maxTokens: 40, endless: true };

test('two tabs chat at the same time through one engine, and each gets its own answer @firefox @core', async ({
  context,
}) => {
  const [one, other] = [await context.newPage(), await context.newPage()];
  await openSite(one);
  const requests = inPage<Requests>(one, 'requests');
  const alone = [await requests.ask({ ...FIRST, stream: false }), await requests.ask({ ...SECOND, stream: false })];

  await openSite(other);
  expect(await livingEngines(one)).toHaveLength(1);
  const others = inPage<Requests>(other, 'requests');
  await Promise.all([requests.begin('first', FIRST), others.begin('second', SECOND)]);
  const together = await Promise.all([requests.readToEnd('first'), others.readToEnd('second')]);
  expect(together.map(({ content }) => content)).toEqual(alone);
  expect(alone[0]).not.toBe(alone[1]);
});

for (const closed of ['older', 'newer'] as const) {
  test(`closing the ${closed} tab while both chat leaves the other one's answer whole${closed === 'older' ? ' @firefox' : ''}`, async ({
    context,
  }) => {
    const pages = { older: await context.newPage(), newer: await context.newPage() };
    await openSite(pages.older);
    await openSite(pages.newer);
    const staying = pages[closed === 'older' ? 'newer' : 'older'];
    const [leaves, stays] = [inPage<Requests>(pages[closed], 'requests'), inPage<Requests>(staying, 'requests')];
    await leaves.begin('leaving', { ...FIRST, maxTokens: 400 });
    await leaves.readPieces('leaving', 2);
    await stays.begin('staying', SECOND);
    await pages[closed].close();
    const { content, failure } = await stays.readToEnd('staying');
    expect(failure).toBeNull();
    expect(await stays.ask({ ...SECOND, stream: false })).toBe(content);
    expect(await livingEngines(staying)).toHaveLength(1);
  });
}

untouched('a second tab that would preload another model does not replace the model in use', async ({ context }) => {
  const [one, other] = [await context.newPage(), await context.newPage()];
  await openSite(one);
  await one.evaluate(async (id) => {
    const { tabserve } = document.querySelector<HTMLElement & { readonly tabserve: Tabserve }>('chat-app')!;
    const modelUrl = `${location.origin}/models/pocket/`;
    await tabserve.call('models/add-custom', { id, modelUrl, libraryUrl: `${modelUrl}pocket.wasm` });
    await tabserve.call('models/download', { id });
    while (
      !(await tabserve.call('models/list', null)).some((model) => model.id === id && model.state.kind === 'present')
    )
      await new Promise((resolve) => setTimeout(resolve, 50));
    await tabserve.load(id);
  }, 'another');
  const question = { text: 'Hello', model: 'another', maxTokens: 1 };
  await inPage<Requests>(one, 'requests').ask(question);
  const before = (await pageStatus(one)) as { promptCache: { promptTokens: number } };
  await openSite(other);
  // If the second tab had caused another load, this count would have been reset before this request.
  await inPage<Requests>(other, 'requests').ask(question);
  const promptTokens = 2 * before.promptCache.promptTokens;
  expect(await pageStatus(one)).toMatchObject({ state: 'ready', model: 'another', promptCache: { promptTokens } });
});

withWords(
  'without a SharedWorker one tab hosts the engine for both, and the other takes over when it closes',
  async ({ context }) => {
    const [host, guest] = await openHostAndGuest(context);
    expect([host, guest].map((page) => enginesOf(page).length)).toEqual([1, 0]);
    const requests = inPage<Requests>(guest, 'requests');
    const before = await requests.ask({ ...SECOND, stream: false });
    await requests.begin('cut', { ...FIRST, maxTokens: 400 });
    await requests.readPieces('cut', 2);
    await host.close();
    expect((await requests.readToEnd('cut')).wireEnd).toContain('engine_unavailable');
    await reachState(guest, 'ready');
    expect(enginesOf(guest)).toHaveLength(1);
    expect(await requests.ask({ ...SECOND, stream: false })).toBe(before);
  },
);
