import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import { allowHub, visit, visitWithHub } from '../../support/pages/hub-page.ts';
import { openPartitionedBrowser, serveHubSites, type HubSites } from '../../support/sites/hub-sites.ts';

declare const window: { readonly tabserve: Tabserve };

/** Sites whose engine worker counts words. */
const test = base.extend<{ browserWithHub: BrowserContext }, { sites: HubSites }>({
  sites: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern.
    async ({}, use) => {
      const sites = await serveHubSites('words');
      await use(sites);
      sites.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  async browserWithHub({ sites }, use) {
    sites.setHubOnline(true);
    const context = await openPartitionedBrowser(sites, ['foreign']);
    await use(context);
    await context.close();
  },
});

const ask = (page: Page, question: string, options: Record<string, unknown> = {}) =>
  page.evaluate(
    async (body) => {
      const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
      const response = await fetch('/v1/chat/completions', { method: 'POST', headers, body: JSON.stringify(body) });
      return response.text();
    },
    { model: 'pocket', messages: [{ role: 'user', content: question }], ...options },
  );

const status = (page: Page) => page.evaluate(() => window.tabserve.status);

/** The engines of the hub that live, by their locks in its own storage. */
async function enginesOfHub(context: BrowserContext, sites: HubSites): Promise<readonly string[]> {
  const page = await context.newPage();
  await page.goto(`${sites.url('hub')}nested.html`);
  const names = await page.evaluate(
    async () => (await navigator.locks.query()).held?.map(({ name }) => name ?? '') ?? [],
  );
  await page.close();
  return names.filter((name) => name.startsWith('tabserve-engine '));
}

test('two sites of its domain share the engine of the hub without being allowed', async ({ browserWithHub, sites }) => {
  const first = await visitWithHub(browserWithHub, sites, 'first');
  expect(await ask(first, 'How are you?')).toContain('"content":"14 28');
  expect(await status(first)).toMatchObject({ state: 'ready', hub: { fault: null } });
  const second = await visitWithHub(browserWithHub, sites, 'second');
  expect(await ask(second, 'How are you?', { stream: true })).toContain('[DONE]');
  expect(await status(second)).toMatchObject({ state: 'ready', hub: { fault: null } });
  expect(await enginesOfHub(browserWithHub, sites)).toHaveLength(1);
});

test('a foreign site uses its own engine until the person allows the hub, then that of the hub, which its domain shares', async ({
  browserWithHub,
  sites,
}) => {
  const foreign = await visitWithHub(browserWithHub, sites, 'foreign');
  expect(await ask(foreign, 'Who?')).toContain('"content":"6 12');
  expect(await status(foreign)).toMatchObject({ state: 'ready', hub: { fault: 'no-permission' } });
  await allowHub(foreign);
  expect(await ask(foreign, 'Who?')).toContain('"content":"6 12');
  expect(await status(foreign)).toMatchObject({ state: 'ready', hub: { fault: null } });
  const first = await visitWithHub(browserWithHub, sites, 'first');
  expect(await ask(first, 'Who?')).toContain('"content":"6 12');
  expect(await enginesOfHub(browserWithHub, sites)).toHaveLength(1);
  await foreign.reload();
  await foreign.evaluate(() => window.tabserve.ready);
  expect(await ask(foreign, 'Who?', { stream: true })).toContain('[DONE]');
  expect(await status(foreign)).toMatchObject({ hub: { fault: null } });
});

test('a site uses its own engine and says why: where the browser gives no access, in a frame of another site, and while the hub cannot be reached', async ({
  browserWithHub,
  sites,
}) => {
  const stranger = await visitWithHub(browserWithHub, sites, 'stranger');
  expect(await ask(stranger, 'Who?')).toContain('"content":"6 12');
  expect(await status(stranger)).toMatchObject({
    state: 'ready',
    hub: { fault: 'no-access', message: expect.stringContaining('This browser does not let the hub') },
  });

  const outer = await browserWithHub.newPage();
  await outer.goto(`${sites.url('stranger')}nested.html?framed`);
  const address = `${sites.url('first')}?framed&hub=${encodeURIComponent(sites.url('hub'))}`;
  await outer.evaluate((src) => {
    document.body.append(Object.assign(document.createElement('iframe'), { src }));
  }, address);
  const inner = () => outer.frames().find((frame) => frame.url() === address)!;
  await expect
    .poll(() =>
      inner()
        ?.evaluate(() => window.tabserve?.status)
        .catch(() => null),
    )
    .toMatchObject({ state: 'idle', hub: { fault: 'nested' } });

  const unnamed = await visitWithHub(browserWithHub, sites, 'unnamed');
  expect(await ask(unnamed, 'Who?')).toContain('"content":"6 12');
  expect(await status(unnamed)).toMatchObject({ state: 'ready', hub: { fault: 'no-answer' } });

  sites.setHubOnline(false);
  const first = await visitWithHub(browserWithHub, sites, 'first');
  expect(await ask(first, 'Who?')).toContain('"content":"6 12');
  expect(await status(first)).toMatchObject({ state: 'ready', hub: { fault: 'no-answer' } });
});

/** Ids of the models that the endpoint of a page lists. */
function modelsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const response = await fetch('/v1/models', { headers: { authorization: 'Bearer local' } });
    return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  });
}

test('a site that no longer names the hub has its own models and downloaded ones again', async ({
  browserWithHub,
  sites,
}) => {
  const withHub = await visitWithHub(browserWithHub, sites, 'first');
  await ask(withHub, 'Who?');
  await withHub.evaluate(
    (entry) =>
      new Promise((resolve) => {
        indexedDB.open('tabserve').addEventListener('success', ({ target }) => {
          const { result } = target as IDBOpenDBRequest;
          const transaction = result.transaction('models', 'readwrite');
          transaction.objectStore('models').put(entry);
          transaction.addEventListener('complete', resolve);
        });
      }),
    { id: 'mine', created: 0, ownedBy: 'test', modelUrl: 'https://x.test/', libraryUrl: 'https://x.test/a.wasm' },
  );
  expect(await modelsOf(withHub)).not.toContain('mine');
  await withHub.close();
  const without = await visit(browserWithHub, sites.url('first'));
  await expect.poll(() => modelsOf(without)).toContain('mine');
  expect(await ask(without, 'Who?')).toContain('"content":"6 12');
});

test('an answer goes on when the page that reached the hub is closed, and a stored one is in the database of its site', async ({
  browserWithHub,
  sites,
}) => {
  const first = await visitWithHub(browserWithHub, sites, 'first');
  await ask(first, 'Who?');
  const second = await visitWithHub(browserWithHub, sites, 'first');
  const story = ask(second, 'Tell me a story', { stream: true });
  await second.waitForTimeout(500);
  await first.close();
  expect(await story).toContain('[DONE]');

  const stored = JSON.parse(await ask(second, 'Keep this', { store: true })) as { id: string };
  const read = () =>
    second.evaluate(async (id) => {
      const response = await fetch(`/v1/chat/completions/${id}`, { headers: { authorization: 'Bearer local' } });
      return response.status;
    }, stored.id);
  await expect.poll(read).toBe(200);
});

test('on the page of the hub a person sees which sites have asked, and revokes one, which then uses its own engine', async ({
  browserWithHub,
  sites,
}) => {
  const first = await visitWithHub(browserWithHub, sites, 'first');
  await ask(first, 'Who?');
  const second = await visitWithHub(browserWithHub, sites, 'second');
  await ask(second, 'Who?');
  const hub = await browserWithHub.newPage();
  await hub.goto(`${sites.url('hub')}tabserve-hub-page.html`);
  await expect(hub.getByRole('listitem')).toHaveCount(2);
  expect(await enginesOfHub(browserWithHub, sites)).toHaveLength(1);

  const origin = new URL(sites.url('first')).origin;
  const item = hub.getByRole('listitem').filter({ hasText: origin });
  await expect(item).toContainText('Requests: 1.');
  const story = ask(first, 'Tell me a story', { stream: true });
  await expect.poll(() => first.evaluate(() => window.tabserve.status)).toMatchObject({ hub: { fault: null } });
  await item.getByRole('button').click();
  await expect(item.getByRole('button')).toHaveText('Allow');
  await expect(item.getByRole('button')).toBeFocused();
  expect(await story).toContain('engine_unavailable');
  await expect.poll(() => status(first)).toMatchObject({ hub: { fault: 'no-permission' } });
  expect(await ask(first, 'Who?')).toContain('"content":"6 12');
  expect(await ask(second, 'Who?')).toContain('"content":"6 12');
  expect(await status(second)).toMatchObject({ hub: { fault: null } });
});

test('on the page of the hub a person goes from one limit of a site to the next, and what is no number changes nothing', async ({
  browserWithHub,
  sites,
}) => {
  const first = await visitWithHub(browserWithHub, sites, 'first');
  await ask(first, 'Who?');
  const hub = await browserWithHub.newPage();
  await hub.goto(`${sites.url('hub')}tabserve-hub-page.html`);
  const models = hub.getByLabel('Models');
  const limit = hub.getByLabel('Tokens a minute');
  await models.fill('small');
  await hub.keyboard.press('Tab');
  // Until then the change is stored, and the list read again.
  await hub.waitForTimeout(500);
  await hub.keyboard.type('1,000');
  await hub.keyboard.press('Enter');
  await hub.waitForTimeout(500);
  await hub.keyboard.press('Enter');
  await hub.reload();
  await expect(limit).toHaveValue('1000');
  await expect(models).toHaveValue('small');
  await expect(hub.getByRole('button', { name: 'Revoke' })).toBeVisible();
  await limit.fill('many');
  await limit.blur();
  await expect(limit).toHaveValue('1000');
});

test('when the engine of the hub has ended, the sites use its next one', async ({ browserWithHub, sites }) => {
  const first = await visitWithHub(browserWithHub, sites, 'first');
  const second = await visitWithHub(browserWithHub, sites, 'second');
  await ask(first, 'Who?');
  const [engine] = await enginesOfHub(browserWithHub, sites);
  const hub = await browserWithHub.newPage();
  await hub.goto(`${sites.url('hub')}nested.html`);
  // What the others see of a worker that has died: its lock is free.
  await hub.evaluate((name) => navigator.locks.request(name, { steal: true }, () => {}), engine!);
  for (const page of [first, second]) {
    await expect.poll(() => ask(page, 'Who?')).toContain('"content":"6 12');
    await expect.poll(() => status(page)).toMatchObject({ hub: { fault: null } });
  }
  const engines = await enginesOfHub(browserWithHub, sites);
  expect(engines).toHaveLength(1);
  expect(engines).not.toContain(engine);
});
