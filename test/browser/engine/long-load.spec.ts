import { expect, test } from '@playwright/test';
import type { Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { reachState } from '../../support/pages/site-page.ts';
import { startSlowProxy } from '../../support/sites/slow-proxy.ts';
import { startTestSite } from '../../support/sites/test-site.ts';
import type * as openaiModule from '../in-page/openai.ts';

type Client = typeof openaiModule;

let site: Site;

test.beforeAll(async () => {
  site = await startTestSite();
});

test.afterAll(() => site.close());

const SHARD = 'models/pocket/params_shard_0.bin';

test('an unmodified client gets its JSON answer and its stream although loading takes more than a minute', async ({
  page,
}) => {
  test.slow();
  const slow = await startSlowProxy({ site: site.url, file: SHARD, time: 66_000 });
  try {
    await page.goto(slow.url);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await reachState(page, 'loading');
    const client = inPage<Client>(page, 'openai');
    const [completion, pieces] = await Promise.all([client.complete('Hello'), client.stream('Hello')]);
    expect(completion.choices[0]!.message.content).toMatch(/\w/);
    expect(pieces.join('')).toBe(completion.choices[0]!.message.content);
  } finally {
    await page.close();
    await slow.close();
  }
});
