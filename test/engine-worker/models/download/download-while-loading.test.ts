import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { downloadWhileLoading } from '../../../../src/engine-worker/models/download/download-while-loading.ts';
import { BUILT_IN_MODEL_ID, builtInModel } from '../../../../src/shared/models/built-in-models.ts';
import { memoryCaches } from '../../../support/fakes/memory-caches.ts';
import { FaultyModelServer } from '../../../support/sites/faulty-model-server.ts';
import { md5, smallModelPackage } from '../../../support/sites/small-model-package.ts';

const SITE = 'https://site.test/';
const entry = (folder: string) => ({
  ...builtInModel(SITE),
  id: folder === '' ? BUILT_IN_MODEL_ID : folder,
  modelUrl: `${SITE}models/${folder}`,
  libraryUrl: `${SITE}models/${folder}library.wasm`,
});

let server: FaultyModelServer;

beforeEach(() => {
  server = new FaultyModelServer();
  vi.stubGlobal('caches', memoryCaches());
  vi.stubGlobal('fetch', server.fetch);
  vi.stubGlobal('location', new URL(SITE));
  vi.stubGlobal('navigator', { storage: { estimate: async () => ({ usage: 0, quota: 1e9 }) } });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Loads a model of the site. @returns the names of the files that are fetched as a whole. */
async function load(folder = ''): Promise<readonly string[]> {
  server.requests.length = 0;
  await downloadWhileLoading(entry(folder), null, () => {}, new AbortController().signal);
  return server.requests.map(({ path }) => path.split('/').at(-1)!).toSorted();
}

async function cached(cache: string, name: string): Promise<string | undefined> {
  const response = await (await caches.open(cache)).match(`${SITE}models/${name}`);
  return response && md5(new Uint8Array(await response.arrayBuffer()));
}

const WEIGHTS = ['params_shard_0.bin', 'params_shard_1.bin', 'params_shard_2.bin'];
const SMALL = ['library.wasm', 'mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json'];

test('a new configuration of a package is fetched without its weights, and not those of a model in a folder of it', async () => {
  const files = smallModelPackage();
  server.add('/models/', files);
  server.add('/models/inner/', smallModelPackage());
  await load();
  await load('inner/');
  const config = new TextEncoder().encode(
    new TextDecoder().decode(files.get('mlc-chat-config.json')!).replace('0.6', '0.7'),
  );
  server.files.set('/models/mlc-chat-config.json', config);
  expect(await load()).toEqual(SMALL);
  expect(await cached('webllm/config', 'mlc-chat-config.json')).toBe(md5(config));
  expect(await load()).toEqual(SMALL);
  expect(await load('inner/')).toEqual(SMALL);
});

test('of a new version of a package the weights are fetched whose checksums have changed', async () => {
  const [old, now] = [smallModelPackage(), smallModelPackage()];
  server.add('/models/', old);
  await load();
  const records = [old, now].map(
    (files) => JSON.parse(new TextDecoder().decode(files.get('tensor-cache.json'))) as { records: object[] },
  );
  const list = { ...records[1]!, records: [records[0]!.records[0], ...records[1]!.records.slice(1)] };
  now.set('tensor-cache.json', new TextEncoder().encode(JSON.stringify(list)));
  now.set('params_shard_0.bin', old.get('params_shard_0.bin')!);
  server.add('/models/', now);
  expect(await load()).toEqual([...SMALL, ...WEIGHTS.slice(1)].toSorted());
  for (const name of WEIGHTS) expect(await cached('webllm/model', name)).toBe(md5(now.get(name)!));
});

test.each([1, 2, 3, 4, 5])(
  'the next load completes a new version if the worker dies at deletion %i of the old one',
  async (at) => {
    server.add('/models/', smallModelPackage());
    await load();
    const now = smallModelPackage({ tokenizer: 'tokenizer.json' });
    now.set('tokenizer.json', new TextEncoder().encode('{}'));
    server.add('/models/', now);
    const device = globalThis.caches;
    let deletions = 0;
    const hanging = (cache: Cache) => (key: RequestInfo | URL) =>
      ++deletions < at ? cache.delete(key) : new Promise<never>(() => {});
    const open = async (name: string) => {
      const cache = await device.open(name);
      return { ...cache, delete: hanging(cache) };
    };
    vi.stubGlobal('caches', { ...device, open });
    void load();
    await vi.waitFor(() => expect(deletions).toBe(at));
    vi.stubGlobal('caches', device);
    await load();
    for (const name of [...WEIGHTS, 'tensor-cache.json', 'tokenizer.json'])
      expect(await cached('webllm/model', name)).toBe(md5(now.get(name)!));
  },
);

test.each(SMALL)('a page in place of %s is no new version, and the model stays usable', async (file) => {
  const files = smallModelPackage();
  server.add('/models/', files);
  await load();
  server.faults.push({ file, kind: 'replace', body: '<!doctype html>Back soon' });
  expect(await load()).toEqual(SMALL);
  for (const [name, cache] of [
    ['library.wasm', 'webllm/wasm'],
    ['mlc-chat-config.json', 'webllm/config'],
    ['params_shard_0.bin', 'webllm/model'],
  ] as const)
    expect(await cached(cache, name)).toBe(md5(files.get(name)!));
});
