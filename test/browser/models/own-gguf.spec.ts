import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { localModels, MODELS_FOLDER } from '../../../src/command-line/local-models.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { ask, ModelsPage, usableModels } from '../../support/pages/models-page.ts';
import { reachState, siteReady } from '../../support/pages/site-page.ts';
import { ggufFile } from '../../support/samples/gguf-file.ts';
import { IMAGE_TOKENS, splitChatModel, tinyChatModel, tinyMmproj } from '../../support/samples/tiny-vision-model.ts';
import { expect, test } from '../../support/sites/model-site.ts';

const smollm2 = localModels().find(({ id }) => id === 'smollm2');

/** Chooses files on the Models screen. */
async function choose(page: Page, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  await expect(page.locator('add-gguf input[type=file]'), 'where iOS keeps the chosen files').toBeAttached();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file…' }).click(),
  ]);
  await chooser.setFiles(files);
}

async function look(page: Page, address: string): Promise<void> {
  await page.getByLabel('Or its address').fill(address);
  await page.getByRole('button', { name: 'Check it' }).click();
}

const storedBytes = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const sizes = await Promise.all(
      names
        .filter((name) => /gguf|partial/.test(name))
        .map(async (name) =>
          (await (await caches.open(name)).matchAll()).map((entry) => Number(entry.headers.get('content-length'))),
        ),
    );
    return sizes.flat().reduce((sum, bytes) => sum + bytes, 0);
  });

/** The two files of a split model. */
const splitFiles = () =>
  Promise.all(splitChatModel().map((file, index) => modelFile(`big-0000${index + 1}-of-00002.gguf`, file)));

const modelFile = async (name: string, file: Blob) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(await file.arrayBuffer()),
});

/** Returns the context window of a model in `GET /v1/models`. */
const windowTold = (page: Page, id: string) =>
  page.evaluate(async (id) => {
    const response = await fetch(`/v1/models/${id}`, { headers: { authorization: 'Bearer local' } });
    return ((await response.json()) as { context_window: number }).context_window;
  }, id);

test('a chosen GGUF file shows its facts before it is copied, answers, survives a reload without network, and is deleted completely @core', async ({
  site,
}) => {
  test.skip(smollm2 === undefined, 'SmolLM2 is not here: `npm run model -- smollm2` fetches it.');
  test.setTimeout(400_000);
  await reachState(site, 'ready');
  const models = await ModelsPage.open(site);
  await choose(site, join(MODELS_FOLDER, smollm2!.file));
  const offer = site.getByRole('group', { name: /SmolLM2/i });
  for (const words of [
    'Suits this device',
    '98 MB',
    '135 million',
    'Q4_1',
    'llama',
    '4,096 tokens here, of 8,192',
    'yes, as its file says',
  ])
    await expect(offer).toContainText(words);
  expect(await storedBytes(site)).toBe(0);
  expect(await usableModels(site)).toEqual(['pocket', 'pocket-embed']);

  await models.button('Copy it here, 98 MB').click();
  const id = 'SmolLM2-135M-Instruct.Q4_1';
  await models.arrived(id);
  await expect(models.card(id)).toContainText('b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53');
  await expect(models.card(id).getByText('In use')).toBeVisible({ timeout: 120_000 });
  const answer = await ask(site, id, { question: 'Write one sentence about the sea.' });
  expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/\w+ \w+/) });

  const window = models.card(id).getByLabel('Context window');
  await expect(window.getByRole('option')).toContainText([/^2,048 tokens/, /^4,096 tokens/, /^8,192 tokens/]);
  await window.selectOption('2048');
  await expect.poll(() => windowTold(site, id)).toBe(2048);
  const tooLong = await ask(site, id, { question: 'word '.repeat(2100) });
  expect(tooLong).toEqual({ status: 400, text: 'context_length_exceeded' });
  await window.selectOption('8192');
  await expect.poll(() => windowTold(site, id)).toBe(8192);
  expect(await ask(site, id, { question: 'word '.repeat(20) })).toMatchObject({ status: 200 });

  await site.context().setOffline(true);
  await site.reload();
  await site.getByRole('link', { name: 'New chat' }).click();
  const chat = new ChatPage(site);
  await expect(site.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue(id);
  expect(await chat.ask('Say hello.')).toMatch(/\w+/);

  await ModelsPage.open(site);
  await models.button(`Delete ${id}`).click();
  await models.confirm();
  await expect(models.card(id)).toBeHidden();
  expect(await storedBytes(site)).toBe(0);
});

test('a GGUF file that is dropped on a chat is offered as a model, and other files become attachments', async ({
  site,
}) => {
  await reachState(site, 'ready');
  await expect(site.getByText('Works offline', { exact: true })).toBeVisible();
  await dropFiles(site, [{ name: 'Tiny.gguf', parts: [[...ggufFile()]] }]);
  await expect(site.getByRole('dialog', { name: 'A GGUF model of your own' })).toBeVisible();
  const dialog = site.locator('wa-dialog[open]');
  await expect(dialog.getByRole('group', { name: 'Tiny' })).toContainText('apache-2.0');
  await site.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await ModelsPage.open(site);
  await dropFiles(site, [{ name: 'page.gguf', parts: ['<html>'] }]);
  await expect(dialog.getByRole('alert')).toContainText('The file is not a GGUF file');
});

test('the parts of a split model are chosen together, and answer; a missing one is named', async ({ site }) => {
  test.setTimeout(300_000);
  await reachState(site, 'ready');
  const models = await ModelsPage.open(site);
  const [first, second] = await splitFiles();
  await choose(site, [second!]);
  await expect(site.getByRole('alert')).toContainText('these are missing: big-00001-of-00002.gguf');
  await choose(site, [second!, first!]);
  await site.getByRole('button', { name: /^Copy it here/ }).click();
  await models.arrived('big');
  expect(await usableModels(site)).toContain('big');
  expect(await ask(site, 'big', { question: 'Hello' })).toMatchObject({ status: 200 });
});

/** Asks a model about a picture of one colour. @returns the status and the number of tokens of the prompt. */
const askAboutPicture = (page: Page, model: string) =>
  page.evaluate(async (model) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 32 });
    canvas.getContext('2d')!.fillRect(0, 0, 20, 20);
    const content = [{ type: 'image_url', image_url: { url: canvas.toDataURL('image/webp') } }];
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 2, messages: [{ role: 'user', content }] }),
    });
    const { usage } = (await response.json()) as { usage?: { prompt_tokens: number } };
    return { status: response.status, tokens: usage?.prompt_tokens };
  }, model);

test('a model that is chosen together with its image encoder sees images, also without network, and is deleted with it', async ({
  site,
}) => {
  test.setTimeout(300_000);
  await reachState(site, 'ready');
  const models = await ModelsPage.open(site);
  const mmproj = await modelFile('mmproj.gguf', tinyMmproj());
  await choose(site, [mmproj]);
  const alone = site.getByRole('group', { name: 'Tiny Sight' });
  await expect(alone).toContainText('Cannot run here');
  await expect(alone).toContainText('Choose it together with the file of its model');
  await expect(site.getByRole('button', { name: /^Copy it here/ })).toBeHidden();
  await models.button('Choose another').click();

  await choose(site, [mmproj, await modelFile('tiny.gguf', tinyChatModel())]);
  const offer = site.getByRole('group', { name: 'Tiny Vision' });
  await expect(offer).toContainText('Suits this device');
  await expect(offer).toContainText('yes, by its second file');
  await site.getByRole('button', { name: /^Copy it here/ }).click();
  await models.arrived('tiny');
  const asked = await askAboutPicture(site, 'tiny');
  expect(asked).toEqual({ status: 200, tokens: expect.any(Number) });
  expect(asked.tokens).toBeGreaterThan(IMAGE_TOKENS.mlp);

  await site.context().setOffline(true);
  await site.reload();
  await site.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect(await askAboutPicture(site, 'tiny')).toEqual(asked);
  await ModelsPage.open(site);
  await models.button('Delete tiny').click();
  await models.confirm();
  await expect(models.card('tiny')).toBeHidden();
  expect(await storedBytes(site)).toBe(0);
});

test('an address is requested only when the user confirms; the download pauses and resumes within the file after a reload', async ({
  site,
  models,
}) => {
  const bytes = ggufFile({}, 20 * 2 ** 20);
  models.server.add('/models/', new Map([['tiny.gguf', bytes]]));
  await reachState(site, 'ready');
  const manager = await ModelsPage.open(site);
  await site.getByLabel('Or its address').fill(`${models.origin}/models/tiny.gguf`);
  await site.getByRole('heading', { name: 'Models', exact: true }).click();
  expect(models.server.requests).toEqual([]);
  await manager.button('Check it').click();
  await expect(site.getByRole('group', { name: 'Tiny' })).toContainText('21 MB');
  expect(models.server.requests.filter(({ method }) => method === 'GET')).toEqual([
    { method: 'GET', path: '/models/tiny.gguf', range: 'bytes=0-1048575' },
  ]);

  models.server.bytesPerSecond = 6e6;
  await manager.button('Download it, 21 MB').click();
  await expect(manager.card('tiny')).toContainText(/Downloading · (9|1\d)[\d.]*\sMB of 21\sMB/);
  await manager.button('Pause the download of tiny').click();
  await expect(manager.card('tiny')).toContainText('Paused');
  await site.reload();
  await ModelsPage.open(site);
  models.server.bytesPerSecond = null;
  models.server.requests.length = 0;
  await manager.button('Resume the download of tiny').click();
  await manager.arrived('tiny');
  const [request] = models.server.requests.filter(({ method }) => method === 'GET');
  expect(Number(/^bytes=(\d+)-$/.exec(request?.range ?? '')?.[1])).toBeGreaterThan(8e6);
});

test('a wrong address keeps the typed text, stores nothing, and can be corrected', async ({ site, models }) => {
  models.server.add('/models/', new Map([['tiny.gguf', ggufFile()]]));
  await reachState(site, 'ready');
  const manager = await ModelsPage.open(site);
  const field = site.getByLabel('Or its address');
  await look(site, `${models.origin}/models/tinny.gguf`);
  await expect(site.getByRole('alert')).toContainText('This file could not be looked at.');
  await site.getByRole('alert').getByText('Details').click();
  await expect(site.getByRole('alert')).toContainText('answered 404 for tinny.gguf');
  await expect(field).toHaveValue(`${models.origin}/models/tinny.gguf`);
  await expect(site.getByRole('article', { name: /tin/ })).toBeHidden();

  await look(site, 'http://not-in-the-policy.test/x.gguf');
  await expect(site.getByRole('alert')).toContainText('Content-Security-Policy');
  await look(site, `${models.origin}/models/tiny.gguf`);
  await site.getByRole('button', { name: /^Download it/ }).click();
  await manager.arrived('tiny');
});

test('a download that finds less room than the browser told says so and what to do, and nothing of it is left when it is cancelled', async ({
  site,
  models,
  context,
}) => {
  models.server.add('/models/', new Map([['tiny.gguf', ggufFile({}, 20 * 2 ** 20)]]));
  // The page's own files are stored before, because they would count towards the limit below.
  await siteReady(site);
  const manager = await ModelsPage.open(site);
  const devTools = await context.newCDPSession(site);
  const { origin } = new URL(models.url);
  const { usage = 0 } = await site.evaluate(() => navigator.storage.estimate());
  await devTools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 4_000_000 });
  await look(site, `${models.origin}/models/tiny.gguf`);
  await manager.button('Download it, 21 MB').click();
  const card = manager.card('tiny');
  await expect(card.getByRole('alert')).toHaveText(
    'This device has no room left for it. Delete a model that you do not need, then resume.',
  );
  await expect(card).toContainText('0 B of 21 MB');
  await expect(site.getByText('tiny is on its way.')).toBeHidden();
  expect(await usableModels(site)).not.toContain('tiny');
  // Chromium tells of ten gibibytes, however little room there is.
  const { quota = 0 } = await site.evaluate(() => navigator.storage.estimate());
  expect(quota).toBeGreaterThan(2 ** 30);
  await expect(site.locator('storage-panel').getByRole('paragraph').first()).toBeVisible();
  await expect(site.locator('storage-panel')).not.toContainText(/free of/);

  await manager.button('Cancel the download of tiny').click();
  await manager.confirm();
  await expect(card).toBeHidden();
  await expect.poll(() => storedBytes(site)).toBe(0);
  await devTools.send('Storage.overrideQuotaForOrigin', { origin });
});
