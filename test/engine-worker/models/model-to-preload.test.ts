import { expect, test } from 'vitest';
import { modelToPreload } from '../../../src/engine-worker/models/model-to-preload.ts';
import { readSiteModels } from '../../../src/shared/models/site-models.ts';

const SITE = 'https://site.test/';
const GGUF = [
  { id: 'small', gguf: 'small.gguf' },
  { id: 'other', gguf: 'other.gguf' },
];
const withGguf = readSiteModels({ models: GGUF }, SITE).entries;
const builtInOnly = readSiteModels({ gguf: true }, SITE).entries;

test.for([
  ['the built-in model stays with WebGPU', 'pocket', withGguf, true, 'pocket'],
  ["the site's own GGUF model replaces the built-in one without WebGPU", 'pocket', withGguf, false, 'small'],
  ['a chosen GGUF model stays', 'other', withGguf, false, 'other'],
  ['the built-in model stays if the site has no GGUF model', 'pocket', builtInOnly, false, 'pocket'],
  ['a chat model does not replace an embedding model', 'pocket-embed', withGguf, false, 'pocket-embed'],
] as const)('%s', ([, wanted, models, hasGpu, expected]) => {
  const model = models.find(({ id }) => id === wanted)!;
  expect(modelToPreload(model, models, hasGpu).id).toBe(expected);
});
