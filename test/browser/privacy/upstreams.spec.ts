import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, test as base, type Page } from '@playwright/test';
import OpenAI from 'openai';
import { createBridgeServer } from '../../../src/command-line/bridge/bridge-server.ts';
import { listen } from '../../../src/command-line/http-server/listen.ts';
import { createPageFetch } from '../../../src/command-line/browser/page-fetch.ts';
import { serveBuiltSite, type Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import type { Upstream } from '../../../src/shared/upstreams/upstream.ts';
import { WEATHER_TOOL } from '../../support/clients/chat-client.ts';
import { inPage, type InPage } from '../../support/pages/in-page.ts';
import { NetLog } from '../../support/browsers/net-log.ts';
import { RECORDED, startStandInUpstream, type StandInUpstream } from '../../support/sites/stand-in-upstream.ts';
import { buildTestSite } from '../../support/sites/test-site.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import type * as upstreamsModule from '../in-page/upstreams.ts';
import { everythingStored } from '../../support/pages/everything-stored.ts';
import { openControlled } from '../../support/pages/site-page.ts';

interface Beyond {
  readonly site: Site;
  readonly server: StandInUpstream;
}

/** A site that names one upstream, in a browser that can run no model. */
const test = base.extend<{ options: Partial<Upstream>; beyond: Beyond }, { folder: string }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  folder: [async ({}, use) => use(await buildTestSite()), { scope: 'worker' }],
  options: [{}, { option: true }],
  beyond: async ({ folder, options }, use) => {
    const server = await startStandInUpstream({ key: 'right-key' });
    const upstream: Upstream = {
      name: 'desk',
      baseUrl: server.baseUrl,
      models: ['big-*', 'pocket'],
      when: 'prefer-local',
      modelNames: { pocket: 'big-chat' },
      timeout: 3,
      ...options,
    };
    const site = await serveBuiltSite({ folder, upstreams: [upstream], onProcessor: false });
    await use({ site, server });
    await site.close();
    await server.close();
  },
});
test.use(WITHOUT_GPU);

/** The functions are in a property, because `await` on a proxy would call its `then`. */
async function open(page: Page, { site }: Beyond): Promise<{ readonly upstreams: InPage<typeof upstreamsModule> }> {
  await openControlled(page, site.url);
  return { upstreams: inPage<typeof upstreamsModule>(page, 'upstreams') };
}

test('nothing is sent before the user agrees, then exactly the request, and nothing afterwards', async ({
  beyond,
  launchOptions,
}) => {
  const netLog = new NetLog();
  try {
    const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), netLog.flag] });
    const page = await browser.newPage();
    const { upstreams } = await open(page, beyond);
    expect(await upstreams.ask({ model: 'big-chat' })).toMatchObject({
      status: 404,
      failure: expect.stringMatching(/desk/),
    });
    expect(await upstreams.ask({ model: 'pocket', stream: true })).toMatchObject({ status: 503 });
    expect(beyond.server.requests).toEqual([]);

    await upstreams.allowUpstream('desk', { key: 'right-key' });
    // The page requests the list of models as soon as the upstream is allowed.
    await expect.poll(() => beyond.server.requests.map(({ path }) => path)).toEqual(['/v1/models']);
    expect(await upstreams.ask({ model: 'big-chat' })).toMatchObject({ engine: 'upstream:desk', failure: null });
    expect(await upstreams.ask({ model: 'pocket', stream: true })).toMatchObject({
      engine: 'upstream:desk',
      failure: null,
    });

    await upstreams.revokeUpstream('desk');
    expect(await upstreams.ask({ model: 'big-chat' })).toMatchObject({ status: 404 });
    expect(await upstreams.readDatabases()).not.toContain('right-key');
    await browser.close();

    const asked = beyond.server.requests.map(({ method, path }) => `${method} ${path}`);
    expect(asked).toEqual(['GET /v1/models', 'POST /v1/chat/completions', 'POST /v1/chat/completions']);
    const left = netLog.requests().filter(({ address }) => address.origin !== new URL(beyond.site.url).origin);
    expect(new Set(left.map(({ address }) => address.origin))).toEqual(new Set([beyond.server.origin]));
    const seen = left.filter(({ method }) => method !== 'OPTIONS');
    expect(seen.map(({ method, address }) => `${method} ${address.pathname}`)).toEqual(asked);
  } finally {
    netLog.delete();
  }
});

test('a browser without WebGPU is offered the upstream, and answers show where they were computed', async ({
  page,
  beyond,
}) => {
  await page.goto(beyond.site.url);
  await expect(page.getByText(`desk (${beyond.server.origin}) can answer in its place`)).toBeVisible();
  const promise = page.getByText('What you ask stays on this device');
  await expect(promise).toBeVisible();
  await page.getByRole('link', { name: 'More about it' }).click();
  await page.getByLabel('Key of this server').fill('right-key');
  await page.getByRole('button', { name: 'Allow desk' }).last().click();
  await expect(page.getByText('With the key you typed.')).toBeVisible();

  await page.getByRole('link', { name: 'New chat' }).first().click();
  await page.getByLabel('Model', { exact: true }).selectOption({ label: 'big-chat (desk)' });
  const goesTo = `Goes to desk (${new URL(beyond.server.origin).host})`;
  await expect(page.locator('message-composer').getByText(goesTo, { exact: true })).toBeVisible();
  await expect(page.locator('first-questions')).toContainText(`What you ask goes to desk`);
  await expect(promise).toBeHidden();
  await expect(page.getByText('is running on')).toBeHidden();
  await page.getByLabel('Your question').fill('What is a token?');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.locator('conversation-header').getByText(goesTo, { exact: true })).toBeVisible();
  const answer = page.getByRole('article', { name: /answered/ });
  await expect(answer).toContainText('by desk, not on this device');

  await page.getByRole('link', { name: 'Privacy' }).click();
  const { body } = beyond.server.requests.find(({ method }) => method === 'POST')!;
  const sent = page.getByRole('list', { name: 'What was sent' }).getByRole('listitem');
  await expect(sent.filter({ hasText: 'POST' })).toContainText(`${beyond.server.baseUrl}/chat/completions`);
  await expect(sent.filter({ hasText: 'POST' })).toContainText(`${body.length} `);

  await page.getByRole('button', { name: 'Stop allowing desk' }).click();
  await expect(page.getByText('Not allowed: nothing is sent there.')).toBeVisible();
});

test('a temporary chat that an upstream answers leaves every storage unchanged, and is listed until the page is closed', async ({
  page,
  beyond,
}) => {
  const { upstreams } = await open(page, beyond);
  await upstreams.allowUpstream('desk', { key: 'right-key' });
  await page.goto(`${beyond.site.url}#/`);
  await page.reload();
  const field = page.getByLabel('Your question');
  const answer = page.getByRole('article', { name: /answered/ });
  const ask = async (question: string) => {
    await page.getByLabel('Model', { exact: true }).selectOption({ label: 'big-chat (desk)' });
    await field.fill(question);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(answer).toContainText('by desk, not on this device');
    await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  };
  // Loads what the first chat of any kind stores.
  await ask('What is kept?');
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await expect(page.getByRole('complementary', { name: 'Temporary chat' })).toBeVisible();
  const before = await everythingStored(page);
  expect(before).toContain('/chat/completions');
  const requests = beyond.server.requests.length;
  await ask('Who keeps this?');
  // Reads the list of models again, for which the upstream is asked once a minute.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(answer).toHaveCount(1);
  expect(beyond.server.requests.length).toBeGreaterThan(requests);
  expect(beyond.server.requests.at(-1)!.body).toContain('Who keeps this?');
  expect(await everythingStored(page)).toBe(before);

  await page.getByRole('link', { name: 'Privacy' }).click();
  const sent = page.getByRole('list', { name: 'What was sent' }).getByRole('listitem').filter({ hasText: 'POST' });
  await expect(sent).toHaveCount(2);
  await expect(page.getByText('You have allowed servers to answer:')).toContainText(new URL(beyond.server.origin).host);
  await expect(page.getByText('sends your questions and the answers to no server')).toHaveCount(0);
  await page.reload();
  await expect(sent).toHaveCount(1);
});

test('the official client works with an upstream: chat, stream, tools, retries after errors, and every kind of abort', async ({
  page,
  beyond,
}) => {
  const { server } = beyond;
  const { ask, allowUpstream } = (await open(page, beyond)).upstreams;
  const requestsDuring = async (asked: upstreamsModule.Asked) => {
    const before = server.requests.length;
    const outcome = await ask(asked);
    return { ...outcome, requests: server.requests.slice(before).filter(({ method }) => method === 'POST').length };
  };
  await allowUpstream('desk', { key: 'wrong-key' });
  expect(await requestsDuring({ model: 'big-chat' })).toMatchObject({ status: 401, requests: 1 });
  await allowUpstream('desk', { key: 'right-key' });

  const recorded = JSON.parse(RECORDED['chat']!.body).choices[0].message.content;
  const whole = { engine: 'upstream:desk', failure: null, requests: 1 };
  expect(await requestsDuring({ model: 'big-chat' })).toMatchObject({ ...whole, said: [recorded] });
  const streamed = await requestsDuring({ model: 'big-chat', stream: true });
  expect(streamed).toMatchObject(whole);
  expect(streamed.said.length).toBeGreaterThan(1);
  for (const stream of [false, true]) {
    expect(await requestsDuring({ model: 'big-chat', stream, tools: true })).toMatchObject({
      ...whole,
      said: [WEATHER_TOOL.name],
    });
  }

  expect(await requestsDuring({ model: 'big-busy', maxRetries: 2 })).toMatchObject({ ...whole, requests: 3 });
  expect(await requestsDuring({ model: 'big-broken', maxRetries: 1 })).toMatchObject({ status: 500, requests: 2 });
  for (const model of ['big-cut', 'big-ends', 'big-stalls']) {
    const outcome = await requestsDuring({ model, stream: true, maxRetries: 2 });
    expect(outcome).toMatchObject({ engine: 'upstream:desk', failure: expect.stringMatching(/desk/), requests: 1 });
  }
  expect(await requestsDuring({ model: 'big-silent' })).toMatchObject({ status: 504, requests: 1 });
  const left = server.left;
  expect(await ask({ model: 'big-stalls', stream: true, leaveAfter: 1 })).toMatchObject({ failure: null });
  await expect.poll(() => server.left).toBe(left + 1);
});

test('the bridge forwards the responses of an upstream, and the disconnection of a client', async ({
  page,
  beyond,
}) => {
  const { allowUpstream } = (await open(page, beyond)).upstreams;
  await allowUpstream('desk', { key: 'right-key' });
  const bridge = createBridgeServer({
    fetch: createPageFetch(page),
    callers: { loopback: true, allowedOrigins: [] },
    report: () => {},
  });
  try {
    const client = new OpenAI({ apiKey: 'local', baseURL: `${await listen(bridge, 0, '127.0.0.1')}v1`, maxRetries: 2 });
    const messages = [{ role: 'user' as const, content: 'What is a token?' }];
    const { data, response } = await client.chat.completions.create({ model: 'big-busy', messages }).withResponse();
    expect(response.headers.get('x-tabserve-engine')).toBe('upstream:desk');
    expect(data.choices[0]!.message.content).toBe(JSON.parse(RECORDED['chat']!.body).choices[0].message.content);
    const { left } = beyond.server;
    const stream = await client.chat.completions.create({ model: 'big-stalls', messages, stream: true });
    for await (const _ of stream) break;
    await expect.poll(() => beyond.server.left).toBe(left + 1);
  } finally {
    bridge.closeAllConnections();
    bridge.close();
  }
});

test('without the response header that allows the upstream, the browser blocks its requests', async ({
  page,
  beyond,
  folder,
}) => {
  // The site's script names an upstream, but its Content-Security-Policy was not changed.
  const copy = mkdtempSync(join(tmpdir(), 'tabserve-forgetful-'));
  cpSync(folder, copy, { recursive: true });
  const script = join(copy, 'site-service-worker.js');
  const upstreams = [{ name: 'desk', baseUrl: beyond.server.baseUrl, models: ['big-*'], when: 'upstream' }];
  writeFileSync(script, `self.tabserve = ${JSON.stringify({ upstreams })};\n${readFileSync(script, 'utf8')}`);
  const site = await serveBuiltSite({ folder: copy });
  try {
    const { allowUpstream, ask } = (await open(page, { ...beyond, site })).upstreams;
    await allowUpstream('desk', { key: 'right-key' });
    expect(await ask({ model: 'big-chat' })).toMatchObject({
      status: 502,
      failure: expect.stringMatching(/Content-Security-Policy/),
    });
    expect(beyond.server.requests).toEqual([]);
  } finally {
    await site.close();
    rmSync(copy, { recursive: true, force: true });
  }
});
