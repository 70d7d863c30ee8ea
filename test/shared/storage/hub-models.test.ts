import { afterEach, expect, test, vi } from 'vitest';
import { openHub } from '../../../src/page/engine/open-hub.ts';
import {
  findDeviceModel,
  findEngineModel,
  listDeviceModels,
  listEngineModels,
} from '../../../src/shared/storage/device-models.ts';
import { forgetUnusedHubModels, storeHubModels } from '../../../src/shared/storage/hub-models.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const { mine, openDB } = vi.hoisted(() => {
  const FACTS = { created: 0, ownedBy: 'x', contextWindow: 4096, vocabularySize: 9, defaultTemperature: 1 };
  const mine = { ...FACTS, defaultTopP: 1, images: false, thinking: null, id: 'mine', modelUrl: '', libraryUrl: '' };
  const values = new Map<string, unknown>([['models mine', mine]]);
  const database = {
    get: async (store: string, key: string) => values.get(`${store} ${key}`),
    getAll: async () => [mine],
    put: async (store: string, value: unknown, key: string) => void values.set(`${store} ${key}`, value),
    delete: async (store: string, key: string) => void values.delete(`${store} ${key}`),
  };
  return { mine, openDB: async () => database };
});

vi.mock('idb', () => ({ openDB }));

afterEach(() => {
  vi.unstubAllGlobals();
});

const failToJoin = () =>
  openHub(new URL('https://hub.test/'), null, async () => {
    throw new Error('The hub is away.');
  });

test.each([
  ['are forgotten by an engine of its own, if no page reaches the hub', forgetUnusedHubModels, null, ['mine']],
  ['are forgotten by a page that the hub does not serve, if no page reaches the hub', failToJoin, null, ['mine']],
  ['stay if a page joins an engine of its own while another reaches the hub', forgetUnusedHubModels, 'hub', ['of-hub']],
  ['stay if the hub does not serve a page while another reaches the hub', failToJoin, 'hub', ['of-hub']],
])("the hub's models in the list of a site %s", async (_, happens, held, listed) => {
  const locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('document', { documentElement: { lang: 'en' } });
  await storeHubModels([{ ...mine, id: 'of-hub' }]);
  if (held !== null) void locks.request('tabserve-hub-engine engine#page', () => new Promise(() => {}));
  await happens();
  expect((await listDeviceModels([])).map(({ id }) => id)).toEqual(listed);
  expect((await findDeviceModel('mine', []))?.id).toBe(held === null ? 'mine' : undefined);
});

test("an engine of the site finds the site's downloaded models while a page uses the hub", async () => {
  await storeHubModels([{ ...mine, id: 'of-hub' }]);
  expect((await listDeviceModels([])).map(({ id }) => id)).toEqual(['of-hub']);
  expect((await listEngineModels([])).map(({ id }) => id)).toEqual(['mine']);
  const found = await Promise.all(['mine', 'of-hub'].map((id) => findEngineModel(id, [])));
  expect(found.map((model) => model?.id)).toEqual(['mine', undefined]);
});
