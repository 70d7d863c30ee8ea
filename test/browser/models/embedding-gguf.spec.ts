import type { Page } from '@playwright/test';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { ModelsPage } from '../../support/pages/models-page.ts';
import { pageStatus, reachState } from '../../support/pages/site-page.ts';
import { tinyBert } from '../../support/samples/tiny-bert.ts';
import { expect, test } from '../../support/sites/model-site.ts';

test.use(WITHOUT_GPU);

const bert = tinyBert();

/** Adds a model by choosing its file on the Models screen. */
async function addModel(site: Page, model = bert, ability = 'compares texts by meaning'): Promise<ModelsPage> {
  // Without WebGPU the built-in chat model runs in llama.cpp, too, so the models are loaded beside each other.
  await reachState(site, 'ready');
  const models = await ModelsPage.open(site);
  const [chooser] = await Promise.all([site.waitForEvent('filechooser'), models.button('Choose a file…').click()]);
  const buffer = Buffer.from(await model.file.arrayBuffer());
  await chooser.setFiles({ name: 'tiny.gguf', mimeType: 'application/octet-stream', buffer });
  const offer = site.getByRole('group', { name: 'Tiny BERT' });
  await expect(offer).toContainText('Suits this device');
  await expect(offer).toContainText(`no, it ${ability}`);
  await offer.getByRole('button', { name: /^Copy it here/ }).click();
  await models.arrived('tiny');
  return models;
}

interface Reply {
  readonly status: number;
  readonly engine: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

function post(page: Page, path: string, body: object): Promise<Reply> {
  return page.evaluate(
    async ({ path, body }) => {
      const response = await fetch(path, {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return {
        status: response.status,
        engine: response.headers.get('x-tabserve-engine'),
        body: (await response.json()) as Record<string, unknown>,
      };
    },
    { path, body },
  );
}

const embed = (page: Page, fields: object) => post(page, '/v1/embeddings', { model: 'tiny', ...fields });

/** Returns the vectors of a response, and their distance from reference vectors. */
const vectorsOf = ({ body }: Reply) => (body['data'] as { embedding: number[] }[]).map(({ embedding }) => embedding);
const distance = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((value, index) => value - other[index]!));

/** Allowed error. llama.cpp rounds, because it reads the activation function from a table of 16-bit numbers. */
const PRECISION = 1e-3;

test('an embedding model in a GGUF file computes correct vectors on the CPU, beside the chat model and offline @core', async ({
  site,
}) => {
  test.setTimeout(300_000);
  const models = await addModel(site);
  await expect(models.card('tiny')).toContainText('compares texts by meaning');
  const { tabserve } = await site.evaluate(
    async () =>
      (await (await fetch('/v1/models/tiny', { headers: { authorization: 'Bearer local' } })).json()) as {
        tabserve: object;
      },
  );
  expect(tabserve).toMatchObject({
    dimensions: 32,
    context_window: 64,
    capabilities: { chat: false, embeddings: true },
  });

  const tokens = bert.tokens('the sea is blue');
  const reply = await embed(site, { input: ['the sea', 'the sea is blue'] });
  expect(reply).toMatchObject({ status: 200, engine: expect.stringMatching(/^local; llama\.cpp; cpu; threads=\d+$/) });
  expect(reply.body['usage']).toEqual({ prompt_tokens: 10, total_tokens: 10 });
  const vectors = vectorsOf(reply);
  expect(distance(vectors[0]!, bert.embed(bert.tokens('the sea')))).toBeLessThan(PRECISION);
  expect(distance(vectors[1]!, bert.embed(tokens))).toBeLessThan(PRECISION);
  expect(await embed(site, { input: tokens })).toMatchObject({ status: 400, body: { error: { param: 'input' } } });
  const { body } = await embed(site, { input: 'the sea', encoding_format: 'base64', dimensions: 32 });
  const bytes = Buffer.from((body['data'] as { embedding: string }[])[0]!.embedding, 'base64');
  expect([...new Float32Array(Uint8Array.from(bytes).buffer)]).toEqual(vectors[0]!.map(Math.fround));
  expect(await pageStatus(site)).toMatchObject({ state: 'ready', model: 'pocket', embeddingModel: 'tiny' });

  const ranked = await post(site, '/v1/rerank', { model: 'tiny', query: 'the sea', documents: ['a b c', 'the sea'] });
  expect(ranked.body['results']).toMatchObject([{ index: 1, relevance_score: expect.closeTo(1) }, { index: 0 }]);

  await site.context().setOffline(true);
  await site.reload();
  await site.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect(vectorsOf(await embed(site, { input: 'the sea' }))).toEqual([vectors[0]]);
  await ModelsPage.open(site);
  await models.button('Delete tiny').click();
  await models.confirm();
  await expect(models.card('tiny')).toBeHidden();
  expect(await embed(site, { input: 'the sea' })).toMatchObject({ status: 404 });
});

const CHAT = { messages: [{ role: 'user', content: 'Hello' }] };

test('an unsupported request to an embedding model in a GGUF file is refused with the reason, and the next one is answered', async ({
  site,
}) => {
  test.setTimeout(300_000);
  await addModel(site);
  const refused: readonly (readonly [path: string, fields: object, error: object])[] = [
    [
      'embeddings',
      { input: ['the', 'the '.repeat(70)] },
      { code: 'context_length_exceeded', param: 'input[1]', message: expect.stringContaining('72 tokens') },
    ],
    ['embeddings', { input: [2, 5, 9, 3] }, { code: 'unsupported_value', param: 'input' }],
    ['embeddings', { input: 'the', dimensions: 16 }, { param: 'dimensions' }],
    ['chat/completions', CHAT, { param: 'model', message: expect.stringContaining('computes embeddings') }],
    ['embeddings', { model: 'pocket', input: 'the' }, { param: 'model' }],
  ];
  for (const [path, fields, error] of refused) {
    const { status, body } = await post(site, `/v1/${path}`, { model: 'tiny', ...fields });
    expect([status, body]).toMatchObject([400, { error }]);
  }
  expect(await embed(site, { input: 'the sea' })).toMatchObject({ status: 200 });
  expect(await post(site, '/v1/chat/completions', { model: 'pocket', ...CHAT })).toMatchObject({ status: 200 });
});

test('a reranking model in a GGUF file computes correct scores', async ({ site }) => {
  test.setTimeout(300_000);
  const ranker = tinyBert({ ranks: true, entries: { 'bert.pooling_type': 4 } });
  await addModel(site, ranker, 'orders texts by what a query asks');
  const documents = ['is blue', 'and deep', 'a b c'];
  const { status, body } = await post(site, '/v1/rerank', { model: 'tiny', query: 'the sea', documents });
  expect(status).toBe(200);
  const scores = (body['results'] as { index: number; relevance_score: number }[]).map(
    ({ index, relevance_score: score }) => Math.abs(score - ranker.rank('the sea', documents[index]!)) < PRECISION,
  );
  expect(scores).toEqual([true, true, true]);
  const tooLong = { model: 'tiny', query: 'the sea', documents: ['a', 'the '.repeat(70)] };
  expect(await post(site, '/v1/rerank', tooLong)).toMatchObject({
    status: 400,
    body: { error: { code: 'context_length_exceeded', param: 'documents[1]' } },
  });
  expect(await embed(site, { input: 'the sea' })).toMatchObject({ status: 400, body: { error: { param: 'model' } } });
});
