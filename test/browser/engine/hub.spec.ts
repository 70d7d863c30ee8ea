import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import { openPartitionedBrowser, serveHubSites, type HubHost, type HubSites } from '../../support/sites/hub-sites.ts';

declare const window: { readonly tabserve: Tabserve };

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

/** Opens a site that names the hub, and waits until its endpoint is ready. */
async function visit(context: BrowserContext, sites: HubSites, host: HubHost): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${sites.url(host)}?hub=${encodeURIComponent(sites.url('hub'))}`);
  await page.evaluate(() => window.tabserve.ready);
  return page;
}

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
  const names = await page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name ?? '') ?? []);
  await page.close();
  return names.filter((name) => name.startsWith('tabserve-engine '));
}

test('two sites of its domain share the engine of the hub without being allowed', async ({ browserWithHub, sites }) => {
  const first = await visit(browserWithHub, sites, 'first');
  expect(await ask(first, 'How are you?')).toContain('"content":"14 28');
  expect(await status(first)).toMatchObject({ state: 'ready', hub: { fault: null } });
  const second = await visit(browserWithHub, sites, 'second');
  expect(await ask(second, 'How are you?', { stream: true })).toContain('[DONE]');
  expect(await status(second)).toMatchObject({ state: 'ready', hub: { fault: null } });
  expect(await enginesOfHub(browserWithHub, sites)).toHaveLength(1);
});
