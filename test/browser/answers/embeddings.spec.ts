import { expect } from '@playwright/test';
import { builtInModels } from '../../../src/shared/models/built-in-models.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { ask } from '../../support/pages/models-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import { pageStatus } from '../../support/pages/site-page.ts';
import type * as clientsModule from '../in-page/embedding-clients.ts';

const TEXTS = ['Where do whales live?', 'Whales live in the sea.', 'A model library is a WebAssembly file.'];
const [, { embedding: FACTS }] = builtInModels('https://site.test/');

const rounded = (vectors: readonly number[][]) => vectors.map((vector) => vector.map((value) => value.toFixed(4)));

const CLIENTS = ['openai 7', 'openai 7, floats', 'openai 6', 'ai', 'ai, compatible', 'LangChain'];

let expected: number[][] | null = null;

for (const name of CLIENTS) {
  test(`${name} gets the vectors of texts`, async ({ site }) => {
    const vectors = await inPage<typeof clientsModule>(site, 'embedding-clients').embedWith(name, TEXTS);
    expect(vectors.map(({ length }) => length)).toEqual(TEXTS.map(() => FACTS?.dimensions));
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    expected ??= vectors;
    expect(rounded(vectors)).toEqual(rounded(expected));
  });
}

test('a model of the wrong kind is refused with the name of a suitable one', async ({ site }) => {
  const clients = inPage<typeof clientsModule>(site, 'embedding-clients');
  const { status, message } = await clients.refusal();
  expect(status).toBe(400);
  expect(message).toContain('Use `pocket-embed`.');
  expect(await ask(site, 'pocket-embed')).toEqual({ status: 400, text: 'unsupported_value' });
});

test('simultaneous chat and embedding requests do not affect each other, and no model is loaded twice @core', async ({
  site,
}) => {
  const clients = inPage<typeof clientsModule>(site, 'embedding-clients');
  const alone = { vectors: await clients.embedWith('openai 7', TEXTS), text: await ask(site, 'pocket') };
  const before = await pageStatus(site);
  expect(before).toMatchObject({ state: 'ready', model: 'pocket', embeddingModel: 'pocket-embed' });
  const many = Array.from({ length: 40 }, (_, index) => `${TEXTS[index % 3]} ${index}`);
  const [text, vectors] = await Promise.all([
    ask(site, 'pocket'),
    clients.embedWith('openai 7', [...TEXTS, ...many]),
    ask(site, 'pocket', { question: 'What is a service worker?' }),
  ]);
  expect(text).toEqual(alone.text);
  expect(rounded(vectors.slice(0, 3))).toEqual(rounded(alone.vectors));
  // Loading a model resets this count.
  const tokensRead = (status: typeof before) => (status?.state === 'ready' ? status.promptCache.promptTokens : 0);
  expect(tokensRead(await pageStatus(site))).toBeGreaterThan(tokensRead(before));
});
