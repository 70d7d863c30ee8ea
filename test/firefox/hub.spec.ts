import { expect, firefox, test, type Page } from '@playwright/test';
import type { Tabserve } from '../../src/page/index.ts';
import { firefoxLaunchOptions } from '../support/browsers/firefox-launch-options.ts';
import { visitWithHub } from '../support/pages/hub-page.ts';
import { serveHubSites } from '../support/sites/hub-sites.ts';

declare const window: { readonly tabserve: Tabserve };

const ask = (page: Page) =>
  page.evaluate(async () => {
    const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
    const body = { model: 'pocket', messages: [{ role: 'user', content: 'Who?' }] };
    const response = await fetch('/v1/chat/completions', { method: 'POST', headers, body: JSON.stringify(body) });
    return response.text();
  });

test('sites of its domain share the engine of the hub, and a foreign one soon uses its own and says why', async ({
  channel,
}) => {
  test.setTimeout(180_000);
  const sites = await serveHubSites('words');
  const hosts = (['hub', 'first', 'second', 'foreign'] as const).map((host) => new URL(sites.url(host)).hostname);
  const browser = await firefox.launch({
    channel: channel!,
    ...firefoxLaunchOptions({
      'network.dns.localDomains': hosts.join(','),
      'dom.securecontext.allowlist': hosts.join(','),
    }),
  });
  try {
    const context = await browser.newContext();
    for (const [host, fault] of [
      ['first', null],
      ['second', null],
      ['foreign', 'no-access'],
    ] as const) {
      const page = await visitWithHub(context, sites, host);
      expect(await page.evaluate(() => window.tabserve.status)).toMatchObject({ hub: { fault } });
      expect(await ask(page)).toContain('"content":"6 12');
    }
    const hub = await context.newPage();
    await hub.goto(`${sites.url('hub')}nested.html`);
    const locks = await hub.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name));
    expect(locks?.filter((name) => name?.startsWith('tabserve-engine '))).toHaveLength(1);
  } finally {
    await browser.close();
    sites.close();
  }
});
