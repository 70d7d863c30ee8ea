import { expect, test } from '../support/model-site.ts';
import { ask, usableModels } from '../support/models-page.ts';
import { siteReady } from '../support/site-page.ts';

test('an example runs against the endpoint and shows the raw event stream, and the log gets a record of it', async ({
  site,
}) => {
  await siteReady(site);
  await site.getByRole('link', { name: 'For developers' }).click();
  await expect(site.getByText(/^http:\/\/localhost:\d+\/v1$/)).toBeVisible();
  await site.getByRole('button', { name: 'Run', exact: true }).click();
  const raw = site.getByRole('region', { name: 'What came back, byte for byte' });
  await expect(raw).toContainText('data: [DONE]');
  await expect(raw).toContainText('"object":"chat.completion.chunk"');
  await expect(site.getByText(/^200 · text\/event-stream; charset=utf-8 · req_[0-9a-f]{32}$/)).toBeVisible();

  const record = site.getByRole('listitem').filter({ hasText: 'POST /v1/chat/completions' }).first();
  await expect(record).toContainText(/200.*complete, streamed/s);
  await expect(record).toContainText(/Key\s*local/);
  await expect(record).toContainText(/Model\s*pocket/);
  await expect(record).toContainText(/Tokens in and out\s*\d+ \+ \d+/);
  await expect(record).toContainText(/tokens\/s/);
  await expect(record.getByText('Answer', { exact: true })).toBeHidden();
});

test('questions and answers are in the log only while that is switched on', async ({ site }) => {
  await siteReady(site);
  await site.getByRole('link', { name: 'For developers' }).click();
  await site.getByLabel('Also keep questions and answers').check();
  await expect.poll(() => site.evaluate(keepsContent)).toBe(true);
  const { text } = await ask(site, 'pocket');
  const record = site.getByRole('listitem').filter({ hasText: 'POST /v1/chat/completions' }).first();
  await record.getByText('Answer', { exact: true }).click();
  await expect(record.getByRole('group', { name: 'Answer' })).toHaveText(text);
  await site.getByLabel('Also keep questions and answers').uncheck();
  await expect(record.getByText('Answer', { exact: true })).toBeHidden();
  await site.getByRole('button', { name: 'Clear the log' }).click();
  await expect(site.getByText('No request yet.')).toBeVisible();
});

test('a key is shown once, works for its models only, and is refused from the moment it is revoked', async ({
  site,
}) => {
  await siteReady(site);
  await site.getByRole('link', { name: 'For developers' }).click();
  await site.getByRole('button', { name: 'Make a key' }).click();
  await expect(site.getByText('Give the key a name')).toBeVisible();
  await site.getByLabel('Name', { exact: true }).fill('notebook');
  await site.getByLabel('Only these').check();
  await site.getByRole('button', { name: 'Make a key' }).click();
  await expect(site.getByText('Choose at least one model')).toBeVisible();
  await site.getByLabel('pocket', { exact: true }).check();
  await site.getByRole('button', { name: 'Make a key' }).click();

  const key = await site.getByRole('status', { name: 'The new key' }).innerText();
  expect(key).toMatch(/^ts-[0-9a-f]{48}$/);
  // The example uses the new key at once.
  await expect(site.getByLabel('Key', { exact: true })).toHaveValue(key);
  expect(await usableModels(site, key)).toEqual(['pocket']);
  await expect(site.getByRole('listitem').filter({ hasText: 'GET /v1/models' }).first()).toContainText('notebook');

  await site.getByRole('button', { name: 'I have copied it' }).click();
  await expect(site.getByRole('status', { name: 'The new key' })).toBeHidden();
  await site.reload();
  await expect(site.getByText(`${key.slice(0, 7)}… · pocket`)).toBeVisible();
  expect(await site.getByText(key).count()).toBe(0);

  await site.getByRole('button', { name: 'Revoke the key notebook' }).click();
  await site.locator('wa-dialog[open]').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(site.getByText('No keys of your own yet.')).toBeVisible();
  expect(await ask(site, 'pocket', { key })).toEqual({ status: 401, text: 'invalid_api_key' });
});

test('every example names the address, the model and the key in force', async ({ site, models }) => {
  await siteReady(site);
  await site.getByRole('link', { name: 'For developers' }).click();
  await site.getByLabel('Key', { exact: true }).fill("a'key");
  for (const client of ['fetch', 'openai', 'AI SDK', 'LangChain']) {
    await site.getByRole('radio', { name: client }).check({ force: true });
    const code = site.locator('code-snippet pre');
    await expect(code).toContainText(`${models.url}v1`);
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
