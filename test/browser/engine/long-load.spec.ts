import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serveSite, type Site } from '../../../src/command-line/commands/serve-site.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { reachState } from '../../support/pages/site-page.ts';
import { startSlowProxy } from '../../support/sites/slow-proxy.ts';
import { buildTestSite } from '../../support/sites/test-site.ts';
import type * as openaiModule from '../in-page/openai.ts';

type Client = typeof openaiModule;

let folder: string;
let site: Site;

test.beforeAll(async () => {
  folder = await buildTestSite();
  site = await serveSite({ folder });
});

test.afterAll(() => site.close());

const SHARD = 'models/pocket/params_shard_0.bin';

for (const file of [SHARD, 'models/pocket/pocket.wasm']) {
  test(`without ${file} a stock client that asks for a JSON answer hears the status and the code`, async ({ page }) => {
    const path = join(folder, file);
    const intact = readFileSync(path);
    rmSync(path);
    try {
      await page.goto(site.url);
      await page.waitForFunction(() => navigator.serviceWorker.controller);
      const failure = await inPage<Client>(page, 'openai').failure('local', 'pocket');
      expect(failure).toMatchObject({ name: 'InternalServerError', status: 503, code: 'model_load_failed' });
      expect(failure!.message).toContain(file.split('/').at(-1));
    } finally {
      writeFileSync(path, intact);
    }
  });
}

test('without WebGPU a stock client that asks for a JSON answer hears the status and the code', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'gpu'));
  await page.goto(site.url);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const failure = await inPage<Client>(page, 'openai').failure('local', 'pocket');
  expect(failure).toMatchObject({ name: 'InternalServerError', status: 503, code: 'gpu_unavailable' });
});

test('a stock client gets its JSON answer and its stream although the weights need more than a minute', async ({
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
