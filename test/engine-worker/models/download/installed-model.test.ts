import { expect, test } from 'vitest';
import type { DownloadEnvironment } from '../../../../src/engine-worker/models/download/download-environment.ts';
import { downloadModel } from '../../../../src/engine-worker/models/download/download-model.ts';
import { UNKNOWN_VERSION } from '../../../../src/engine-worker/models/download/file-version.ts';
import { PartialFile } from '../../../../src/engine-worker/models/download/partial-file.ts';
import {
  deleteModelFiles,
  inspectModel,
  modelBytes,
} from '../../../../src/engine-worker/models/download/installed-model.ts';
import type { PackageFile } from '../../../../src/engine-worker/models/package/package-file.ts';
import type { ModelSource } from '../../../../src/shared/models/model-management.ts';
import { memoryCaches } from '../../../support/fakes/memory-caches.ts';
import { ggufFile } from '../../../support/samples/gguf-file.ts';
import { ggufSource } from '../../../support/samples/gguf-source.ts';

const webLlm = (folder: string): ModelSource => ({
  id: folder,
  modelUrl: folder,
  libraryUrl: `${folder}library.wasm`,
  manifest: null,
  contextWindow: null,
  images: false,
});

/** A device whose server answers each request with `content`, or with the requested rest of it. */
function world(caches: CacheStorage, content: string): DownloadEnvironment {
  return {
    fetch: async (_, init) => {
      const from = Number(/\d+/.exec(new Headers(init?.headers).get('range') ?? '')?.[0] ?? 0);
      if (from > 0 && from >= content.length)
        return new Response('', { status: 416, headers: { 'content-range': `bytes */${content.length}` } });
      return new Response(content.slice(from), { status: from > 0 ? 206 : 200 });
    },
    caches,
    estimate: async () => ({ usage: 0, quota: 1e9 }),
    exclusively: (_, work) => work(),
    now: () => performance.now(),
    wait: async () => {},
  };
}

/** Returns the text of a GGUF file, whose bytes are all ASCII. @param name Stated in its header. */
const fileOf = (name: string) => new TextDecoder().decode(ggufFile({ 'general.name': name }));

const download = (source: ModelSource, caches: CacheStorage, content: string) =>
  downloadModel(source, world(caches, content), () => {}, new AbortController().signal);

async function keysOf(caches: CacheStorage, name: string): Promise<readonly string[]> {
  return (await (await caches.open(name)).keys()).map(({ url }) => url);
}

const textOf = async (caches: CacheStorage) =>
  Promise.all((await (await caches.open('tabserve/partial')).matchAll()).map((piece) => piece.text()));

/** Stores the beginning of a file, as an interrupted download leaves it. */
async function interrupt(file: Pick<PackageFile, 'url' | 'cache' | 'kind'>, caches: CacheStorage): Promise<void> {
  const partial = await PartialFile.open(caches, { ...file, name: file.url, bytes: null, md5: null });
  await partial.append(new Blob(['first ']), UNKNOWN_VERSION);
  await partial.append(new Blob(['second']), UNKNOWN_VERSION);
}

const ADDRESSES = [
  'https://host.test/a.gguf',
  'https://host.test/a.gguf?download=true',
  'https://host.test/a.gguf?raw',
  'https://host.test/get?path=/models/a.gguf',
  'https://hub.test/api/v1/models/o/r/repo?Revision=master&FilePath=sub/a.gguf',
  'https://bucket.test/a.gguf?Expires=60&response-content-disposition=attachment%3B%20filename%3Da.gguf',
  'https://host.test/a.gguf#part',
  'https://host.test/get?path=/a.gguf#part',
  'https://host.test/sub/a-00001-of-00002.gguf?token=a/b%20c',
];

test.each(ADDRESSES)('deleting a GGUF model frees all bytes of %s, and the next download is new', async (modelUrl) => {
  const caches = memoryCaches();
  await download(ggufSource(modelUrl), caches, fileOf('OLD-CONTENT'));
  await deleteModelFiles(ggufSource(modelUrl), [], caches);
  expect(await keysOf(caches, 'tabserve/partial')).toEqual([]);
  expect(await keysOf(caches, 'tabserve/gguf')).toEqual([]);
  await download(ggufSource(modelUrl), caches, fileOf('NEW-CONTENT'));
  expect(new Set(await textOf(caches))).toEqual(new Set([fileOf('NEW-CONTENT')]));
});

test.each(ADDRESSES)('cancelling the download of %s frees its pieces, also those behind a lost piece', async (url) => {
  const caches = memoryCaches();
  await interrupt({ url, cache: 'tabserve/gguf', kind: 'gguf' }, caches);
  const [first] = await keysOf(caches, 'tabserve/partial');
  await (await caches.open('tabserve/partial')).delete(first!);
  await deleteModelFiles(ggufSource(url), [], caches);
  expect(await keysOf(caches, 'tabserve/partial')).toEqual([]);
});

test('an image encoder behind a query is deleted with its model', async () => {
  const caches = memoryCaches();
  const source = {
    ...ggufSource('https://host.test/get?path=/a.gguf'),
    mmproj: 'https://host.test/get?path=/mmproj.gguf',
  };
  await download(source, caches, fileOf('CONTENT'));
  await deleteModelFiles(source, [], caches);
  expect(await modelBytes(caches)).toBe(0);
});

test('pieces that an earlier version stored are found, and deleted with their model', async () => {
  const caches = memoryCaches();
  const url = 'https://host.test/get?path=/models/a.gguf';
  const cache = await caches.open('tabserve/partial');
  const stored = 'https://host.test/get?path=%2Fmodels%2Fa.gguf&tabserve-piece-from=0';
  await cache.put(stored, new Response('first', { headers: { 'content-length': '5' } }));
  const file = { name: 'a', url, cache: 'tabserve/gguf', kind: 'gguf', bytes: null, md5: null } as const;
  expect((await PartialFile.open(caches, file)).bytes).toBe(5);
  await deleteModelFiles(ggufSource(url), [], caches);
  expect(await cache.keys()).toEqual([]);
});

test.each(['etag', 'last-modified'])(
  'pieces of an older version, by their %s, that a worker could not delete any more are no rest of a new one',
  async (header) => {
    const caches = memoryCaches();
    const url = 'https://host.test/a.gguf';
    const cache = await caches.open('tabserve/partial');
    for (const [from, version] of [
      [0, '2'],
      [5, '2'],
      [10, '1'],
    ] as const)
      await cache.put(
        `${url}?tabserve-piece-from=${from}`,
        new Response('piece', { headers: { 'content-length': '5', [header]: version } }),
      );
    const file = { name: 'a', url, cache: 'tabserve/gguf', kind: 'gguf', bytes: null, md5: null } as const;
    expect((await PartialFile.open(caches, file)).bytes).toBe(10);
  },
);

test.each([
  ['https://host.test/get?path=/a.gguf', 'https://host.test/get?path=/a.gguf2'],
  ['https://host.test/a.gguf', 'https://host.test/a.gguf?revision=2'],
])('deleting %s leaves the model of another address, %s, complete, even if it is not named', async (one, other) => {
  const caches = memoryCaches();
  await download(ggufSource(one), caches, fileOf('ONE'));
  await download(ggufSource(other), caches, fileOf('OTHER'));
  await deleteModelFiles(ggufSource(one), [], caches);
  expect(await inspectModel(ggufSource(other), caches)).toMatchObject({ missing: [], bytes: fileOf('OTHER').length });
  expect(await textOf(caches)).toEqual([fileOf('OTHER')]);
});

test('a file that two models share stays until both are deleted', async () => {
  const caches = memoryCaches();
  const [one, other] = [
    ggufSource('https://host.test/get?f=/a.gguf'),
    { ...ggufSource('https://host.test/get?f=/a.gguf'), id: 'b' },
  ];
  await download(one, caches, fileOf('SHARED'));
  await deleteModelFiles(one, [other], caches);
  expect(await textOf(caches)).toEqual([fileOf('SHARED')]);
  await deleteModelFiles(other, [], caches);
  expect(await keysOf(caches, 'tabserve/partial')).toEqual([]);
});

test("cancelling a WebLLM download frees the pieces of its weights and of its library, but no other model's", async () => {
  const caches = memoryCaches();
  const source = { ...webLlm('https://host.test/a/'), libraryUrl: 'https://libs.test/get?name=x/a.wasm' };
  const inside = webLlm('https://host.test/a/b/');
  await interrupt({ url: 'https://host.test/a/shard_0.bin', cache: 'webllm/model', kind: 'data' }, caches);
  await interrupt({ url: source.libraryUrl, cache: 'webllm/wasm', kind: 'wasm' }, caches);
  await interrupt({ url: 'https://host.test/a/b/shard_0.bin', cache: 'webllm/model', kind: 'data' }, caches);
  await deleteModelFiles(source, [inside], caches);
  expect(await keysOf(caches, 'tabserve/partial')).toEqual([
    'https://host.test/a/b/shard_0.bin?tabserve-piece-from=0',
    'https://host.test/a/b/shard_0.bin?tabserve-piece-from=6',
  ]);
});

test('a library is deleted with the last model that uses it', async () => {
  const caches = memoryCaches();
  const libraryUrl = 'https://libs.test/a.wasm';
  const [one, other] = [webLlm('https://host.test/a/'), webLlm('https://host.test/b/')].map((source) => ({
    ...source,
    libraryUrl,
  }));
  await (await caches.open('webllm/wasm')).put(libraryUrl, new Response('wasm'));
  await deleteModelFiles(one!, [other!], caches);
  expect(await keysOf(caches, 'webllm/wasm')).toEqual([libraryUrl]);
  await deleteModelFiles(other!, [], caches);
  expect(await keysOf(caches, 'webllm/wasm')).toEqual([]);
});
