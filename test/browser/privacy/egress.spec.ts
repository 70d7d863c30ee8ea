import { chromium, expect, test } from '@playwright/test';
import { inPage } from '../../support/pages/in-page.ts';
import { NetLog } from '../../support/browsers/net-log.ts';
import { openSite } from '../../support/pages/site-page.ts';
import type * as requestsModule from '../in-page/requests.ts';

test('from the first load to the last token, no request leaves the origin @core', async ({
  baseURL,
  launchOptions,
}) => {
  const netLog = new NetLog();
  try {
    const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), netLog.flag] });
    const page = await browser.newPage({ baseURL: baseURL! });
    await openSite(page);
    const requests = inPage<typeof requestsModule>(page, 'requests');
    await requests.ask({ text: 'What is a service worker?', maxTokens: 20 });
    await browser.close();

    const addresses = netLog.requests().map(({ address }) => address);
    expect(addresses.map(({ pathname }) => pathname)).toEqual(
      expect.arrayContaining(['/site-service-worker.js', '/models/pocket/pocket.wasm']),
    );
    expect(addresses.filter(({ origin }) => origin !== new URL(baseURL!).origin)).toEqual([]);
    expect(addresses.filter(({ pathname }) => pathname.startsWith('/v1/'))).toEqual([]);
    // A site without upstreams does not even load the script that can send requests to them.
    expect(addresses.filter(({ pathname }) => pathname === '/tabserve-upstreams.js')).toEqual([]);
  } finally {
    netLog.delete();
  }
});
