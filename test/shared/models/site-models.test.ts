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

test('the default model comes first, and built-in models can be left out', () => {
  expect(ids({ models: [KIOSK], default: 'kiosk' })).toEqual(['kiosk', 'pocket', 'pocket-embed']);
  expect(ids({ models: [KIOSK], builtInModels: ['pocket-embed'] })).toEqual(['pocket-embed', 'kiosk']);
  expect(ids({ builtInModels: [] })).toEqual([]);
  // A name that is free then may be used for another model.
  expect(ids({ models: [{ ...KIOSK, id: 'pocket' }], builtInModels: [] })).toEqual(['pocket']);
});

const wrong: Record<string, readonly [options: unknown, named: string]> = {
  'models that are no list': [{ models: KIOSK }, '`models`'],
  'a model that is nothing': [{ models: [null] }, '`models[0].id`'],
  'a model without id': [{ models: [{ ...KIOSK, id: '' }] }, '`models[0].id`'],
  'two models of one id': [{ models: [KIOSK, KIOSK] }, '`models[1].id`'],
  'a model called as a built-in one': [{ models: [{ ...KIOSK, id: 'pocket' }] }, '`models[0].id`'],
  'a window that is no number': [{ models: [{ ...KIOSK, contextWindow: '4k' }] }, '`models[0].contextWindow`'],
  'a missing vocabulary size': [{ models: [{ ...KIOSK, vocabularySize: undefined }] }, '`models[0].vocabularySize`'],
  'a missing package': [{ models: [{ ...KIOSK, modelUrl: undefined }] }, '`models[0].modelUrl`'],
  'a library on a disk': [{ models: [{ ...KIOSK, libraryUrl: 'file:///kiosk.wasm' }] }, '`models[0].libraryUrl`'],
  'llama.cpp as a text': [{ gguf: 'yes' }, '`gguf`'],
  'a GGUF file on a disk': [{ models: [{ id: 'small', gguf: 'file:///small.gguf' }] }, '`models[0].gguf`'],
  'a GGUF model with a window of 0': [
    { models: [{ id: 'small', gguf: 'a.gguf', contextWindow: 0 }] },
    '`models[0].contextWindow`',
  ],
  'an unknown built-in model': [{ builtInModels: ['pocket', 'large'] }, '`builtInModels`'],
  'built-in models that are no list': [{ builtInModels: true }, '`builtInModels`'],
  'subgroups that are no switch': [{ subgroups: 'no' as unknown as boolean }, '`subgroups`'],
  'a mirror without an address': [{ catalogue: {} }, '`catalogue.base`'],
  'a default that is no id': [{ default: 7 }, '`default`'],
};

for (const [fault, [options, named]] of Object.entries(wrong)) {
  test(`${fault}: refused with the name of the option`, () => {
    expect(() => ids(options as ModelOptions)).toThrow(new RegExp(`^\\${named.replace(/[[\].]/g, '\\$&')}`));
  });
}
