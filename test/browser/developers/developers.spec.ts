import { readdirSync, readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { ask, usableModels } from '../../support/pages/models-page.ts';
import { test } from '../../support/pages/shared-context.ts';
import { openSite } from '../../support/pages/site-page.ts';

test('an example runs against the endpoint and shows the raw event stream, and the log gets a record of it @core', async ({
  page,
}) => {
  await openSite(page);
  await page.getByRole('link', { name: 'For developers' }).click();
  await expect(page.getByText(/^http:\/\/localhost:\d+\/v1$/)).toBeVisible();
  // The second click of a double click does not stop it.
  await page.getByRole('button', { name: 'Run', exact: true }).dblclick();
  const raw = page.getByRole('region', { name: 'Raw response' });
  await expect(raw).toContainText('data: [DONE]');
  await expect(raw).toContainText('"object":"chat.completion.chunk"');
  await expect(page.getByText(/^200 · text\/event-stream; charset=utf-8 · req_[0-9a-f]{32}$/)).toBeVisible();

  const record = page.getByRole('listitem').filter({ hasText: 'POST /v1/chat/completions' }).first();
  await expect(record).toContainText(/200.*complete, streamed/s);
  await expect(record).toContainText(/Key\s*local/);
  await expect(record).toContainText(/Model\s*pocket/);
  await expect(record).toContainText(/Tokens in and out\s*\d+ \+ \d+/);
  await expect(record).toContainText(/tokens\/s/);
  await expect(record.getByText('Answer', { exact: true })).toBeHidden();
});

test('the libraries of the page are named with their licences', async ({ page }) => {
  const folder = new URL('../../../src/', import.meta.url);
  const scripts = ['chat', 'engine-worker', 'page', 'service-worker', 'shared'].flatMap((part) =>
    readdirSync(new URL(part, folder), { recursive: true, encoding: 'utf8' })
      // Leaves out the examples, which import packages that the page does not contain.
      .filter((file) => file.endsWith('.ts') && !file.endsWith('snippets.ts'))
      .map((file) => readFileSync(new URL(`${part}/${file}`, folder), 'utf8')),
  );
  // Finds imports of packages, except those of types only.
  const imported = scripts.flatMap((script) => [
    ...script.matchAll(/(?:^import (?!type)(?:[^;']*? from )?|\bimport\()'((?:@[^/']+\/)?[^./'][^/']*)/gm),
  ]);
  const libraries = new Set(imported.map(([, name]) => name!));
  expect([...libraries]).toEqual(expect.arrayContaining(['@mlc-ai/web-llm', 'lit', 'idb', 'dompurify']));

  await page.goto('/#/developers');
  const link = page.getByRole('link', { name: 'Libraries that this page contains' });
  const response = await page.request.get(await link.evaluate((element) => (element as HTMLAnchorElement).href));
  const notices = await response.text();
  expect([...libraries].filter((name) => !new RegExp(`^## ${name} \\d`, 'm').test(notices))).toEqual([]);
  expect(notices.match(/Permission is hereby granted|Apache License/g)!.length).toBeGreaterThan(10);
});

test("the request log omits the page's own requests, and contains a question of the chat", async ({ page }) => {
  const chat = await ChatPage.open(page);
  const records = page.getByRole('listitem').filter({ hasText: /(GET|POST|OPTIONS|HEAD) \/v1\// });
  // There may be earlier requests in the log.
  await ask(page, 'pocket');
  await page.getByRole('link', { name: 'For developers' }).click();
  await page.getByRole('button', { name: 'Clear the log' }).click();
  await expect(page.getByText('No request yet.')).toBeVisible();

  await page.getByRole('link', { name: 'New chat' }).click();
  await chat.ask('What is 27 + 35?');
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();
  await page.getByRole('link', { name: 'For developers' }).click();
  await expect(records).toHaveCount(1);
  await expect(records).toContainText('POST /v1/chat/completions');
});

test('questions and answers are logged only while that is switched on', async ({ page }) => {
  await openSite(page);
  await page.getByRole('link', { name: 'For developers' }).click();
  await page.getByLabel('Also keep questions and answers').check();
  await expect.poll(() => page.evaluate(keepsContent)).toBe(true);
  const { text } = await ask(page, 'pocket');
  const record = page.getByRole('listitem').filter({ hasText: 'POST /v1/chat/completions' }).first();
  await record.getByText('Answer', { exact: true }).click();
  await expect(record.getByRole('group', { name: 'Answer' })).toHaveText(text);
  await page.getByLabel('Also keep questions and answers').uncheck();
  await expect(record.getByText('Answer', { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Clear the log' }).click();
  await expect(page.getByText('No request yet.')).toBeVisible();
});

test('a key is shown once, works for its models only, and is refused as soon as it is revoked @core', async ({
  page,
}) => {
  await openSite(page);
  await page.getByRole('link', { name: 'For developers' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByText('Give the key a name')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('notebook');
  await page.getByLabel('Only these').check();
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByText('Choose at least one model')).toBeVisible();
  await page.getByLabel('pocket', { exact: true }).check();
  await page.getByRole('button', { name: 'Create key' }).click();

  const key = await page.getByRole('status', { name: 'The new key' }).innerText();
  expect(key).toMatch(/^ts-[0-9a-f]{48}$/);
  // The example uses the new key immediately.
  await expect(page.getByLabel('Key', { exact: true })).toHaveValue(key);
  expect(await usableModels(page, key)).toEqual(['pocket']);
  await expect(page.getByRole('listitem').filter({ hasText: 'GET /v1/models' }).first()).toContainText('notebook');

  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expect(page.getByRole('status', { name: 'The new key' })).toBeHidden();
  await page.reload();
  await expect(page.getByText(`${key.slice(0, 7)}… · pocket`)).toBeVisible();
  expect(await page.getByText(key).count()).toBe(0);

  await page.getByRole('button', { name: 'Revoke the key notebook' }).click();
  await page.locator('wa-dialog[open]').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByText('You have no keys of your own yet.')).toBeVisible();
  expect(await ask(page, 'pocket', { key })).toEqual({ status: 401, text: 'invalid_api_key' });
});

test('a double click, and two presses of Enter, make one key each', async ({ page }) => {
  await openSite(page);
  await page.getByRole('link', { name: 'For developers' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('clicked');
  await page.getByRole('button', { name: 'Create key' }).dblclick();
  await expect(page.getByRole('button', { name: 'Revoke the key clicked' })).toHaveCount(1);
  await expect(page.getByText('Give the key a name')).toBeHidden();
  await name.fill('pressed');
  await name.evaluate((field: HTMLInputElement) => {
    field.form?.requestSubmit();
    field.form?.requestSubmit();
  });
  await expect(page.getByRole('button', { name: 'Revoke the key pressed' })).toHaveCount(1);
});

test('every example contains the current address, model and key', async ({ page, baseURL }) => {
  await openSite(page);
  await page.getByRole('link', { name: 'For developers' }).click();
  await page.getByLabel('Key', { exact: true }).fill("a'key");
  for (const client of ['fetch', 'openai', 'AI SDK', 'LangChain']) {
    await page.getByRole('radio', { name: client }).check({ force: true });
    const code = page.locator('code-snippet pre');
    await expect(code).toContainText(new URL('v1', baseURL).href);
    await expect(code).toContainText('pocket');
    await expect(code).toContainText("a\\'key");
  }
});

function keepsContent(): Promise<boolean> {
  return new Promise((resolve) => {
    const request = indexedDB.open('tabserve');
    request.addEventListener('success', () => {
      const get = request.result.transaction('settings').objectStore('settings').get('record-content');
      get.addEventListener('success', () => {
        request.result.close();
        resolve(get.result === true);
      });
    });
  });
}
