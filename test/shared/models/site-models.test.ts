import { expect, test } from 'vitest';
import { builtInModels } from '../../../src/shared/models/built-in-models.ts';
import { readSiteModels, type ModelOptions } from '../../../src/shared/models/site-models.ts';

const SITE = 'https://site.test/shop/';
const KIOSK = {
  id: 'kiosk',
  contextWindow: 4096,
  vocabularySize: 32_000,
  modelUrl: 'models/kiosk',
  libraryUrl: '/models/kiosk.wasm',
} as const;

test('the built-in model declines what it cannot answer, also if a site serves it from elsewhere', () => {
  const [builtIn] = readSiteModels({}, SITE).entries;
  const elsewhere = readSiteModels({ models: [{ ...KIOSK, id: 'pocket' }, KIOSK], builtInModels: [] }, SITE).entries;
  expect(builtIn!.decline).toMatch(/^I do not know that/);
  expect(elsewhere.map(({ decline }) => decline)).toEqual([builtIn!.decline, undefined]);
});

const ids = (options: ModelOptions) => readSiteModels(options, SITE).entries.map(({ id }) => id);

test('without options a site has the built-in models and no mirror', () => {
  expect(readSiteModels({}, SITE)).toEqual({ entries: builtInModels(SITE), catalogueBase: null });
});

test('addresses are relative to the site, and those of folders end with a slash', () => {
  const { entries, catalogueBase } = readSiteModels({ models: [KIOSK], catalogue: { base: '../mirror' } }, SITE);
  expect(entries.at(-1)).toMatchObject({
    id: 'kiosk',
    ofSite: true,
    modelUrl: 'https://site.test/shop/models/kiosk/',
    libraryUrl: 'https://site.test/models/kiosk.wasm',
  });
  expect(catalogueBase).toBe('https://site.test/mirror/');
});

test('a GGUF model needs a name and an address', () => {
  const { entries } = readSiteModels({ models: [{ id: 'small', gguf: '/files/small.gguf' }], builtInModels: [] }, SITE);
  expect(entries).toEqual([
    expect.objectContaining({
      id: 'small',
      format: 'gguf',
      contextWindow: 4096,
      defaultTemperature: 0.8,
      modelUrl: 'https://site.test/files/small.gguf',
      libraryUrl: '',
      ofSite: true,
    }),
  ]);
});

test('a GGUF model with an image encoder takes images', () => {
  const [sees] = readSiteModels(
    { models: [{ id: 'sees', gguf: 'a.gguf', mmproj: '/files/mmproj.gguf' }], builtInModels: [] },
    SITE,
  ).entries;
  expect(sees).toMatchObject({ images: true, mmproj: 'https://site.test/files/mmproj.gguf' });
});

test('the default model comes first, and built-in models can be left out', () => {
  expect(ids({ models: [KIOSK], default: 'kiosk' })).toEqual(['kiosk', 'pocket', 'pocket-embed']);
  expect(ids({ models: [KIOSK], builtInModels: ['pocket-embed'] })).toEqual(['pocket-embed', 'kiosk']);
  expect(ids({ builtInModels: [] })).toEqual([]);
  // Without built-in models, their names can be used for other models.
  expect(ids({ models: [{ ...KIOSK, id: 'pocket' }], builtInModels: [] })).toEqual(['pocket']);
});

test.each([
  'huggingface.co/someone/small/blob/main/a.gguf',
  'https://hf.co/someone/small/resolve/main/a.gguf?download=true',
])('the page of a file on Hugging Face stands for the file: %s', (gguf) => {
  const [small] = readSiteModels({ models: [{ id: 'small', gguf, mmproj: gguf }], builtInModels: [] }, SITE).entries;
  const address = 'https://huggingface.co/someone/small/resolve/main/a.gguf';
  expect(small).toMatchObject({ modelUrl: address, mmproj: address });
});

test('a path with one slash is below the site, and no repository', () => {
  const [small] = readSiteModels({ models: [{ id: 'small', gguf: 'models/small' }], builtInModels: [] }, SITE).entries;
  expect(small!.modelUrl).toBe(`${SITE}models/small`);
});

const wrong: Record<string, readonly [options: unknown, named: string]> = {
  'models that are not a list': [{ models: KIOSK }, '`models`'],
  'a model that is null': [{ models: [null] }, '`models[0].id`'],
  'a model without id': [{ models: [{ ...KIOSK, id: '' }] }, '`models[0].id`'],
  'two models with one id': [{ models: [KIOSK, KIOSK] }, '`models[1].id`'],
  'a model with the id of a built-in one': [{ models: [{ ...KIOSK, id: 'pocket' }] }, '`models[0].id`'],
  'a context window that is not a number': [
    { models: [{ ...KIOSK, contextWindow: '4k' }] },
    '`models[0].contextWindow`',
  ],
  'a missing vocabulary size': [{ models: [{ ...KIOSK, vocabularySize: undefined }] }, '`models[0].vocabularySize`'],
  'a missing package': [{ models: [{ ...KIOSK, modelUrl: undefined }] }, '`models[0].modelUrl`'],
  'a library with a file address': [
    { models: [{ ...KIOSK, libraryUrl: 'file:///kiosk.wasm' }] },
    '`models[0].libraryUrl`',
  ],
  'gguf as a string': [{ gguf: 'yes' }, '`gguf`'],
  'a GGUF file with a file address': [{ models: [{ id: 'small', gguf: 'file:///small.gguf' }] }, '`models[0].gguf`'],
  'a repository on Hugging Face in place of its file': [
    { models: [{ id: 'small', gguf: 'https://huggingface.co/someone/small' }] },
    '`models[0].gguf`',
  ],
  'a repository with a quantization': [{ models: [{ id: 'small', gguf: 'someone/small:Q4_K_M' }] }, '`models[0].gguf`'],
  'a GGUF model with a window of 0': [
    { models: [{ id: 'small', gguf: 'a.gguf', contextWindow: 0 }] },
    '`models[0].contextWindow`',
  ],
  'a GGUF model that answers half a request at once': [
    { models: [{ id: 'small', gguf: 'a.gguf', parallel: 0.5 }] },
    '`models[0].parallel`',
  ],
  'a time until a model is unloaded that is no number': [
    { models: [{ id: 'small', gguf: 'a.gguf', keepAlive: '5m' }] },
    '`models[0].keepAlive`',
  ],
  'a KV cache of 4 bits': [{ models: [{ id: 'small', gguf: 'a.gguf', cacheBits: 4 }] }, '`models[0].cacheBits`'],
  'a package with a KV cache of 8 bits': [{ models: [{ ...KIOSK, cacheBits: 8 }] }, '`models[0].cacheBits`'],
  'a package that answers two requests at once': [{ models: [{ ...KIOSK, parallel: 2 }] }, '`models[0].parallel`'],
  'an image encoder with a file address': [
    { models: [{ id: 'small', gguf: 'a.gguf', mmproj: 'file:///b.gguf' }] },
    '`models[0].mmproj`',
  ],
  'a model with images that answers two requests at once': [
    { models: [{ id: 'small', gguf: 'a.gguf', mmproj: 'b.gguf', parallel: 2 }] },
    '`models[0].parallel`',
  ],
  'an image encoder that is null': [{ models: [{ id: 'small', gguf: 'a.gguf', mmproj: null }] }, '`models[0].mmproj`'],
  'a package with an image encoder': [{ models: [{ ...KIOSK, mmproj: 'b.gguf' }] }, '`models[0].mmproj`'],
  'an embedding model with an image encoder': [
    { models: [{ id: 'small', gguf: 'a.gguf', mmproj: 'b.gguf', embedding: { dimensions: 8 } }] },
    '`models[0].mmproj`',
  ],
  'an unknown built-in model': [{ builtInModels: ['pocket', 'large'] }, '`builtInModels`'],
  'built-in models that are not a list': [{ builtInModels: true }, '`builtInModels`'],
  'subgroups that are not a boolean': [{ subgroups: 'no' as unknown as boolean }, '`subgroups`'],
  'a mirror without an address': [{ catalogue: {} }, '`catalogue.base`'],
  'a default that is not an id': [{ default: 7 }, '`default`'],
};

for (const [fault, [options, named]] of Object.entries(wrong)) {
  test(`${fault}: refused with the name of the option`, () => {
    expect(() => ids(options as ModelOptions)).toThrow(new RegExp(`^\\${named.replace(/[[\].]/g, '\\$&')}`));
  });
}

test('a strict site is marked, and refuses options that name another host', () => {
  expect(readSiteModels({ modelHosts: false, models: [KIOSK] }, SITE).isStrict).toBe(true);
  expect(readSiteModels({ modelHosts: true }, SITE).isStrict).toBeUndefined();
  const foreign: readonly ModelOptions[] = [
    { models: [{ ...KIOSK, modelUrl: 'https://models.example/kiosk' }] },
    { models: [{ ...KIOSK, libraryUrl: 'https://models.example/kiosk.wasm' }] },
    { models: [{ id: 'small', gguf: 'https://site.test:8443/small.gguf' }] },
    { models: [{ id: 'small', gguf: 'hf:owner/repository/small.gguf' }] },
    { models: [{ id: 'sees', gguf: 'a.gguf', mmproj: 'http://site.test/mmproj.gguf' }] },
    { catalogue: { base: 'https://mirror.example/' } },
  ];
  for (const options of foreign) {
    expect(() => readSiteModels(options, SITE)).not.toThrow();
    expect(() => readSiteModels({ ...options, modelHosts: false }, SITE)).toThrow(
      /`modelHosts` must be left out, because http.+ is on another host/,
    );
  }
});
