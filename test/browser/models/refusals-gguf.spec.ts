import type { Page } from '@playwright/test';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { ModelsPage } from '../../support/pages/models-page.ts';
import { reachState } from '../../support/pages/site-page.ts';
import { tinyChatModel } from '../../support/samples/tiny-vision-model.ts';
import { expect, test } from '../../support/sites/model-site.ts';

test.use(WITHOUT_GPU);

/** A chat template that refuses some messages, as those of many models do. */
const CAREFUL =
  "{%- for m in messages -%}{%- if 'forbidden' in m.content -%}{{ raise_exception('memory of this is\\nforbidden') }}{%- endif -%}{{ m.role }}: {{ m.content }} {% endfor -%}assistant: ";

/** Adds a small model with a chat template by choosing its file on the Models screen. */
async function addModel(site: Page, template: string): Promise<void> {
  const models = await ModelsPage.open(site);
  const [chooser] = await Promise.all([site.waitForEvent('filechooser'), models.button('Choose a file…').click()]);
  const buffer = Buffer.from(await tinyChatModel({ template }).arrayBuffer());
  await chooser.setFiles({ name: 'tiny.gguf', mimeType: 'application/octet-stream', buffer });
  await site.getByRole('button', { name: /^Copy it here/ }).click();
  await models.arrived('tiny');
}

/** Asks for one token. */
const ask = (page: Page, content: string, fields: object = {}) =>
  page.evaluate(
    async ({ content, fields }) => {
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tiny', max_tokens: 1, messages: [{ role: 'user', content }], ...fields }),
      });
      const { error } = (await response.json()) as { error?: { code: string; message: string; param: string | null } };
      return { status: response.status, retry: response.headers.get('x-should-retry'), ...error };
    },
    { content, fields },
  );

test('a request that a chat template refuses gets its sentence, with and without logprobs, and the model goes on', async ({
  site,
}) => {
  test.setTimeout(200_000);
  await reachState(site, 'ready');
  await addModel(site, CAREFUL);
  for (const fields of [{}, { logprobs: true }]) {
    expect(await ask(site, 'Hello', fields)).toMatchObject({ status: 200 });
    expect(await ask(site, 'forbidden', fields)).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'messages',
      message: expect.stringMatching(
        /^`messages`: the chat template of tiny refuses them: memory of this is\sforbidden$/,
      ),
    });
  }
  expect(await ask(site, 'Hello')).toMatchObject({ status: 200 });
});

test('a model whose chat template is broken does not load, and the error has the complaint of llama.cpp', async ({
  site,
}) => {
  test.setTimeout(200_000);
  await reachState(site, 'ready');
  await addModel(site, '{%- for m in messages -%}{{ m.content | trimm }}{% endfor -%}');
  for (let time = 0; time < 2; time++) {
    expect(await ask(site, 'Hello')).toMatchObject({
      status: 503,
      retry: 'false',
      code: 'model_load_failed',
      message: expect.stringMatching(/^llama\.cpp could not load the model \(chat template: .*trimm/),
    });
  }
});
