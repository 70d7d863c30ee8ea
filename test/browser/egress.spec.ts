import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, test } from '@playwright/test';
import { inPage } from '../support/in-page.ts';
import { openSite } from '../support/site-page.ts';
import type * as requestsModule from './in-page/requests.ts';

interface NetLog {
  readonly constants: { readonly logEventTypes: Readonly<Record<string, number>> };
  readonly events: readonly {
    readonly type: number;
    readonly params?: { readonly url?: string; readonly initiator?: string };
  }[];
}

/**
 * Every address that code of a site began to fetch from a network, whichever page or worker it ran in. What
 * the browser wants for itself, such as updates, has no site as its initiator.
 */
function requestedAddresses(netLog: string): string[] {
  const { constants, events } = JSON.parse(netLog) as NetLog;
  const started = constants.logEventTypes['URL_REQUEST_START_JOB'];
  return events.flatMap(({ type, params }) =>
    type === started && params?.url && params.initiator?.startsWith('http') ? [params.url] : [],
  );
}

test('from the first load to the last token, no request leaves the origin', async ({ baseURL, launchOptions }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-net-log-'));
  const file = join(folder, 'net-log.json');
  try {
    // The browser's own record: it sees pages, service workers and shared workers alike.
    const browser = await chromium.launch({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), `--log-net-log=${file}`],
    });
    const page = await browser.newPage({ baseURL: baseURL! });
    await openSite(page);
    const requests = inPage<typeof requestsModule>(page, 'requests');
    await requests.ask({ text: 'What is a service worker?', maxTokens: 20 });
    await browser.close();

    const addresses = requestedAddresses(readFileSync(file, 'utf8')).map((address) => new URL(address));
    expect(addresses.map(({ pathname }) => pathname)).toEqual(
      expect.arrayContaining(['/site-service-worker.js', '/models/pocket/pocket.wasm']),
    );
    expect(addresses.filter(({ origin }) => origin !== new URL(baseURL!).origin)).toEqual([]);
    expect(addresses.filter(({ pathname }) => pathname.startsWith('/v1/'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
