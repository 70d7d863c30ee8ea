import { expect, test } from 'vitest';
import { OVERFLOW_BYTES, withOverflow } from '../../../../src/engine-worker/models/download/overflow-caches.ts';
import { memoryCaches } from '../../../support/fakes/memory-caches.ts';

const SITE = 'https://site.test';
const FILE = `${SITE}/models/pocket/params_shard_0.bin`;

function response(bytes: number, headers: HeadersInit = { 'content-length': String(bytes) }): Response {
  return new Response(new Uint8Array(bytes), { headers });
}

async function openFull() {
  const disk = memoryCaches({ quota: 0 });
  return { disk, cache: await withOverflow(disk, SITE).open('webllm/model') };
}

test('a small file of this site that does not fit on the device is kept in memory, and can be deleted', async () => {
  const { disk, cache } = await openFull();
  await cache.put(FILE, response(1000));
  const kept = await cache.match(new Request(FILE));
  expect(kept?.headers.get('content-length')).toBe('1000');
  expect((await kept?.arrayBuffer())?.byteLength).toBe(1000);
  expect(await (await disk.open('webllm/model')).keys()).toEqual([]);
  expect((await cache.keys()).map(({ url }) => url)).toEqual([FILE]);
  expect(await cache.matchAll()).toHaveLength(1);
  expect(await cache.delete(FILE)).toBe(true);
  expect(await cache.match(FILE)).toBeUndefined();
});

test('a file is stored on the device if there is space, and then takes no memory', async () => {
  const { disk, cache } = await openFull();
  await cache.put(FILE, response(1000));
  disk.quota = 10_000;
  await cache.put(FILE, response(2000));
  expect(await cache.matchAll()).toHaveLength(1);
  expect((await (await disk.open('webllm/model')).match(FILE))?.headers.get('content-length')).toBe('2000');
});

test.each([
  { what: 'of another origin', address: 'https://models.test/params_shard_0.bin', body: response(1000) },
  { what: 'of unknown length', address: FILE, body: response(1000, {}) },
  { what: 'that is too large', address: FILE, body: response(1, { 'content-length': String(OVERFLOW_BYTES + 1) }) },
])('a file $what fails if there is no space', async ({ address, body }) => {
  const { cache } = await openFull();
  await expect(cache.put(address, body)).rejects.toMatchObject({ name: 'QuotaExceededError' });
  expect(await cache.match(address)).toBeUndefined();
});

test('the memory holds a limited number of bytes, across all caches', async () => {
  const caches = withOverflow(memoryCaches({ quota: 0 }), SITE);
  const [weights, configs] = [await caches.open('webllm/model'), await caches.open('webllm/config')];
  await weights.put(FILE, response(OVERFLOW_BYTES - 10));
  await expect(configs.put(`${SITE}/config.json`, response(11))).rejects.toMatchObject({ name: 'QuotaExceededError' });
  await configs.put(`${SITE}/config.json`, response(10));
});

test('a body that breaks off leaves nothing in memory', async () => {
  const { cache } = await openFull();
  const broken = new ReadableStream({ pull: (body) => body.error(new TypeError('damaged')) });
  const put = cache.put(FILE, new Response(broken, { headers: { 'content-length': '1000' } }));
  await expect(put).rejects.toThrow(TypeError);
  expect(await cache.match(FILE)).toBeUndefined();
});
