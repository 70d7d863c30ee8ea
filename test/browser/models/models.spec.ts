import { EngineWorkerTarget } from '../../support/browsers/engine-workers.ts';
import {
  builtInPackage,
  expect,
  sharedTest as test,
  SLOWLY,
  test as untouched,
} from '../../support/sites/model-site.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { ask, ModelsPage, usableModels } from '../../support/pages/models-page.ts';
import { pageStatus } from '../../support/pages/site-page.ts';

test('lists the built-in models and the whole catalogue, with search and filters', async ({ site }) => {
  const manager = await ModelsPage.open(site);
  await expect(manager.card('Pocket').getByText('Built in', { exact: true })).toBeVisible();
  await expect(manager.card('Pocket').getByText('In use')).toBeVisible();
  await expect(site.getByText(/of 173 models/)).toBeVisible();
  // Families are collapsed, so the screen stays short, also on a phone.
  const height = () =>
    site.evaluate(() => document.querySelector('chat-app')!.shadowRoot!.querySelector('main')!.scrollHeight);
  expect(await height()).toBeLessThan(4000);

  const show = site.getByRole('combobox', { name: 'Show' });
  await show.selectOption('Everything');
  await expect(site.getByText('173 of 173 models')).toBeVisible();
  await site.setViewportSize({ width: 390, height: 844 });
  expect(await height()).toBeLessThan(8000);
  await site.setViewportSize({ width: 1280, height: 720 });
  await site.getByRole('heading', { name: 'Llama 3.2', exact: true }).click();
  const card = manager.card('Llama 3.2 1B (q4f32_1)');
  await expect(card).toContainText('Llama-3.2-1B-Instruct-q4f32_1-MLC');
  await expect(card).toContainText('about 705 MB');

  const search = site.getByRole('searchbox', { name: 'Search', exact: true });
  await search.fill('qwen3 0.6b q4f32');
  await expect(site.getByText('1 of 173 models')).toBeVisible();
  const found = manager.card('Qwen3 0.6B');
  for (const words of ['600 million', 'Apache 2.0', 'thinks before it answers', '4,096 tokens', 'Slow here'])
    await expect(found).toContainText(words);

  // Chromium's simulated GPU has no 16-bit numbers, so these models cannot or may not run here, and say why.
  await search.fill('SmolLM2 360M q4f16');
  await expect(manager.card('SmolLM2 360M')).toContainText('shader-f16');
  await expect(manager.button('Download SmolLM2 360M')).toBeDisabled();
  await show.selectOption('Also slow or doubtful ones');
  await expect(site.getByText('0 of 173 models').or(site.getByText('No model matches.'))).toBeVisible();
  await search.fill('Qwen3 4B q4f16');
  await expect(manager.card('Qwen3 4B')).toContainText('May not run here');
  await show.selectOption('What suits this device');
  await expect(site.getByText('No model matches.')).toBeVisible();

  // In another order than that of families, the models are listed twelve at a time.
  await search.fill('');
  const order = site.getByRole('combobox', { name: 'Order' });
  await order.selectOption('Smallest first');
  await show.selectOption('Everything');
  const catalogue = site.getByRole('region', { name: 'More models' });
  await expect(catalogue.getByRole('article')).toHaveCount(12);
  await catalogue.getByRole('button', { name: 'Show 12 more' }).click();
  await expect(catalogue.getByRole('article')).toHaveCount(24);
  await order.selectOption('By family');

  await site.getByRole('combobox', { name: 'Abilities' }).selectOption('Images');
  await expect(site.getByText('4 of 173 models')).toBeVisible();
  await site.getByRole('combobox', { name: 'Abilities' }).selectOption('Embeddings');
  await expect(manager.card('Snowflake Arctic Embed S (q0f32, b4)')).toContainText('writes nothing');
});

untouched(
  'a model from another server is downloaded, loaded, asked, unloaded and deleted @core',
  async ({ site, models }) => {
    models.server.add('/second/', builtInPackage());
    const manager = await ModelsPage.open(site);
    await manager.add('second', `${models.origin}/second/`);
    await manager.arrived('second');
    expect(await usableModels(site)).toEqual(['pocket', 'pocket-embed', 'second']);

    models.server.requests.length = 0;
    await manager.button('Load second').click();
    await expect(manager.card('second').getByText('In use')).toBeVisible();
    expect(await ask(site, 'second')).toEqual(await ask(site, 'pocket'));
    // WebLLM finds all files in the caches that the download has filled.
    expect(models.server.requests).toEqual([]);

    await manager.button('Unload').click();
    await expect(site.getByText('No model is loaded.')).toBeVisible();
    await manager.button('Delete second').click();
    await manager.confirm();
    await expect(manager.card('second')).toBeHidden();
    expect(await usableModels(site)).toEqual(['pocket', 'pocket-embed']);
    expect(await ask(site, 'second')).toEqual({ status: 404, text: 'model_not_found' });
  },
);

untouched(
  'a new chat uses the model that was loaded on the Models screen; an older chat keeps its model, and warns before it replaces the loaded one',
  async ({ site, models }) => {
    models.server.add('/second/', builtInPackage());
    const chat = new ChatPage(site);
    const select = site.getByRole('combobox', { name: 'Model', exact: true });
    await chat.ask('What is 27 + 35?');
    await expect(site.getByRole('article', { name: 'Pocket answered' })).toBeVisible();

    const manager = await ModelsPage.open(site);
    await manager.add('second', `${models.origin}/second/`);
    await manager.arrived('second');
    await manager.button('Load second').click();
    await expect(manager.card('second').getByText('In use')).toBeVisible();
    await site.getByRole('link', { name: 'New chat' }).click();
    await expect(select).toHaveValue('second');
    await chat.ask('What is the capital of France?');
    await expect(site.getByRole('article', { name: 'second answered' })).toBeVisible();
    await expect(site.getByText('Your next question loads it')).toBeHidden();

    await chat.chatInList('What is 27 + 35?').click();
    await expect(select).toHaveValue('pocket');
    await expect(site.getByText('This chat asks Pocket. Your next question loads it in place of second')).toBeVisible();
    await chat.ask('What is 3 + 4?');
    await expect(site.getByText('Your next question loads it')).toBeHidden();

    // Pocket is loaded now, so the other chat offers to use it.
    await chat.chatInList('What is the capital of France?').click();
    await manager.button('Use Pocket here').click();
    await expect(select).toHaveValue('pocket');
    await expect(site.getByText('Your next question loads it')).toBeHidden();

    // A model that the user chooses below a chat is loaded immediately, also by the next page.
    await select.selectOption('second');
    await site.getByRole('link', { name: 'New chat' }).click();
    await expect(select).toHaveValue('second');
    // The reload waits until the model is loaded, because otherwise only the next question would load it.
    await expect.poll(() => pageStatus(site)).toMatchObject({ state: 'ready', model: 'second' });
    await site.reload();
    await expect(select).toHaveValue('second');
    await ModelsPage.open(site);
    await expect(manager.card('second').getByText('In use')).toBeVisible();
    await manager.button('Delete second').click();
    await manager.confirm();
    await site.getByRole('link', { name: 'New chat' }).click();
    await expect(select).toHaveValue('pocket');
  },
);

test('a download shows its progress, pauses, and resumes within the file @firefox', async ({ site, models }) => {
  models.server.add('/slow/', builtInPackage());
  models.server.bytesPerSecond = SLOWLY;
  const manager = await ModelsPage.open(site);
  await manager.add('slow', `${models.origin}/slow/`);
  await expect(manager.card('slow')).toContainText(/Downloading · .* of 5\.\d\sMB/);
  await expect(manager.card('slow')).toContainText(/[kM]B\/s · \d+\s(s|min) left/);
  expect(await usableModels(site)).not.toContain('slow');

  const summary = manager.card('slow').locator('summary').filter({ hasText: 'Files' });
  await summary.focus();
  await site.keyboard.press('Enter');
  const shard = manager.card('slow').getByRole('listitem').filter({ hasText: 'params_shard_0.bin' });
  await expect(shard).toContainText(/of 4\.\d+\sMB/);

  await manager.button('Pause the download of slow').click();
  await expect(manager.card('slow').getByText('Paused ·')).toBeVisible();
  await expect(manager.button('Resume the download of slow')).toBeFocused();
  models.server.requests.length = 0;
  models.server.bytesPerSecond = null;
  // Only the bytes can show then that it is the same file.
  models.server.exposesHeaders = false;
  await manager.button('Resume the download of slow').click();
  await manager.arrived('slow');
  const shards = models.server.requests.filter(({ path }) => path.endsWith('params_shard_0.bin'));
  expect(shards.map(({ range }) => range)).not.toContain(null);
  expect(shards.length).toBeGreaterThan(1);
});

untouched(
  'a download whose page was closed is shown as paused by the next page, and can be resumed',
  async ({ site, models, context, browser }) => {
    models.server.add('/slow/', builtInPackage());
    models.server.bytesPerSecond = SLOWLY;
    const manager = await ModelsPage.open(site);
    await manager.add('slow', `${models.origin}/slow/`);
    await expect(manager.card('slow').getByText('Files: 4 of 5 done')).toBeVisible();
    // Some browsers keep a SharedWorker alive for a while after its last page, so this ends the engine.
    const engine = await EngineWorkerTarget.attach(browser);
    await site.close();
    await engine.evaluate('void setTimeout(() => self.close())');
    await expect.poll(() => EngineWorkerTarget.list(browser)).toEqual([]);

    models.server.bytesPerSecond = null;
    const page = await context.newPage();
    await page.goto(models.url);
    const again = await ModelsPage.open(page);
    await expect(again.card('slow').getByText('Paused ·')).toBeVisible();
    models.server.requests.length = 0;
    await again.button('Resume the download of slow').click();
    await again.arrived('slow');
    // The small files had arrived completely and were kept.
    expect(models.server.requests.filter(({ path }) => path.endsWith('.json'))).toEqual([]);
    expect(await usableModels(page)).toEqual(['pocket', 'pocket-embed', 'slow']);
  },
);

untouched(
  'a deletion that the end of the browser interrupts is finished when the site is opened again',
  async ({ site, models, browser, context }) => {
    models.server.add('/second/', builtInPackage());
    const manager = await ModelsPage.open(site);
    await manager.add('second', `${models.origin}/second/`);
    await manager.arrived('second');
    const engine = await EngineWorkerTarget.attach(browser);
    await engine.evaluate('void (Cache.prototype.delete = () => new Promise(() => {}))');
    await manager.button('Delete second').click();
    await manager.confirm();
    await expect(manager.card('second')).toBeHidden();
    await site.close();
    await engine.evaluate('void setTimeout(() => self.close())');
    await expect.poll(() => EngineWorkerTarget.list(browser)).toEqual([]);

    const page = await context.newPage();
    await page.goto(models.url);
    const kept = () =>
      page.evaluate(async (origin) => {
        const names = (await caches.keys()).filter((name) => name.startsWith('webllm/'));
        const files = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return files.flat().filter(({ url }) => url.startsWith(origin)).length;
      }, `${models.origin}/second/`);
    await expect.poll(kept).toBe(0);
    expect(await usableModels(page)).toEqual(['pocket', 'pocket-embed']);
  },
);

test('a missing file is named with its cause and a remedy, and a retry succeeds once it is there', async ({
  site,
  models,
}) => {
  const files = builtInPackage();
  models.server.add('/broken/', files);
  models.server.files.delete('/broken/params_shard_0.bin');
  const manager = await ModelsPage.open(site);
  await manager.add('broken', `${models.origin}/broken/`);
  const { host } = new URL(models.origin);
  await expect(manager.card('broken')).toContainText(`Stopped`);
  await expect(manager.card('broken')).toContainText(
    `${host} answered 404 for params_shard_0.bin. The package does not have this file`,
  );
  expect(await usableModels(site)).not.toContain('broken');

  models.server.files.set('/broken/params_shard_0.bin', files.get('params_shard_0.bin')!);
  await manager.button('Try again to download broken').click();
  await manager.arrived('broken');
});

test('a redirect to a host that the policy does not allow is reported as such', async ({ site, models }) => {
  models.server.add('/redirected/', builtInPackage());
  const headers = { location: 'http://127.0.0.1:1/params_shard_0.bin' };
  models.server.faults.push({ file: 'params_shard_0.bin', kind: 'status', status: 302, headers });
  const manager = await ModelsPage.open(site);
  await manager.add('redirected', `${models.origin}/redirected/`);
  const { host } = new URL(models.origin);
  await expect(manager.card('redirected')).toContainText(
    `${host} redirects params_shard_0.bin to a host that this site's Content-Security-Policy does not allow.`,
  );
  await expect(manager.card('redirected')).toContainText('add its origin to the directive connect-src');
});

test('broken connections and server errors during a download are retried automatically', async ({ site, models }) => {
  models.server.add('/flaky/', builtInPackage());
  models.server.faults.push(
    { file: 'params_shard_0.bin', kind: 'drop', after: 1_000_000, times: 2 },
    { file: 'tokenizer.json', kind: 'status', status: 500, times: 1 },
  );
  const manager = await ModelsPage.open(site);
  await manager.add('flaky', `${models.origin}/flaky/`);
  await manager.arrived('flaky');
  const shard = models.server.requests.filter(({ path, method }) => method === 'GET' && path.endsWith('shard_0.bin'));
  expect(shard.map(({ range }) => range)).toEqual([null, 'bytes=1000000-', 'bytes=2000000-']);
});

test('a file with a wrong checksum never becomes part of a model', async ({ site, models }) => {
  models.server.add('/damaged/', builtInPackage());
  models.server.faults.push({ file: 'params_shard_0.bin', kind: 'corrupt' });
  const manager = await ModelsPage.open(site);
  await manager.add('damaged', `${models.origin}/damaged/`);
  await expect(manager.card('damaged')).toContainText('params_shard_0.bin arrived with the checksum');
  const cached = await site.evaluate(
    async (address) => (await (await caches.open('webllm/model')).match(address)) !== undefined,
    `${models.origin}/damaged/params_shard_0.bin`,
  );
  expect(cached).toBe(false);
});

test('cancelling a download asks first, then deletes the received bytes', async ({ site, models }) => {
  models.server.add('/unwanted/', builtInPackage());
  models.server.bytesPerSecond = SLOWLY;
  const manager = await ModelsPage.open(site);
  await manager.add('unwanted', `${models.origin}/unwanted/`);
  await expect(manager.card('unwanted').getByText('Downloading ·')).toBeVisible();
  await manager.button('Cancel the download of unwanted').click();
  await manager.button('Keep').click();
  await expect(site.getByRole('dialog')).toBeHidden();
  await expect(manager.card('unwanted').getByText('Downloading ·')).toBeVisible();
  await manager.button('Cancel the download of unwanted').click();
  await manager.confirm();
  await expect(manager.card('unwanted')).toBeHidden();
  const left = await site.evaluate(async (origin) => {
    const names = await caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().filter(({ url }) => url.startsWith(`${origin}/unwanted/`)).length;
  }, models.origin);
  expect(left).toBe(0);
});

test('the form marks invalid fields, and says if the policy forbids an address', async ({ site }) => {
  const manager = await ModelsPage.open(site);
  await manager.button('Add and download').click();
  await expect(site.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(site.getByText('A name has 1 to 128 letters')).toBeVisible();

  await site.getByLabel('Name', { exact: true }).fill('elsewhere');
  await site.getByLabel('Address of the package').fill('https://elsewhere.test/model/');
  await site.getByLabel('Address of the library').fill('https://elsewhere.test/model/library.wasm');
  await manager.button('Add and download').click();
  await expect(
    site
      .getByText(/Content-Security-Policy/)
      .filter({ hasText: 'elsewhere.test' })
      .first(),
  ).toBeVisible();
  await expect(site.getByLabel('Name', { exact: true })).toHaveValue('elsewhere');
  await expect(manager.card('elsewhere')).toBeHidden();
});

test('two tabs show the same download', async ({ site, models, context }) => {
  models.server.add('/seen-twice/', builtInPackage());
  models.server.bytesPerSecond = SLOWLY;
  const manager = await ModelsPage.open(site);
  const page = await context.newPage();
  await page.goto(models.url);
  const other = await ModelsPage.open(page);
  await manager.add('seen-twice', `${models.origin}/seen-twice/`);
  await expect(other.card('seen-twice').getByText('Downloading ·')).toBeVisible();
  await other.button('Pause the download of seen-twice').click();
  await expect(manager.card('seen-twice').getByText('Paused ·')).toBeVisible();
});
