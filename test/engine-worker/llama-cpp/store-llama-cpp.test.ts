import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeLlamaCpp } from '../../../src/engine-worker/llama-cpp/store-llama-cpp.ts';
import { LLAMA_CPP_CACHE, llamaCppFiles } from '../../../src/shared/models/llama-cpp-files.ts';
import { memoryCaches } from '../../support/fakes/memory-caches.ts';

const FOLDER = 'https://site.test/assets/llama-cpp-123456/';
const { wasm, ...others } = llamaCppFiles(FOLDER, false);
const page = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });

/** Files that the server does not have yet. It sends a page in their place. */
let missing: readonly string[];

beforeEach(() => {
  missing = [];
  vi.stubGlobal('caches', memoryCaches());
  vi.stubGlobal('fetch', async (address: string) =>
    missing.includes(address) ? page() : new Response('file', { headers: { 'content-type': 'text/javascript' } }),
  );
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function kept(): Promise<Readonly<Record<string, string>>> {
  const cache = await caches.open(LLAMA_CPP_CACHE);
  const files = (await cache.keys()).map(async ({ url }) => [url, await (await cache.match(url))!.text()] as const);
  return Object.fromEntries(await Promise.all(files));
}

const ALL = Object.fromEntries(Object.values({ ...others, wasm }).map((address) => [address, 'file']));

test('the files of this build are kept, those of earlier ones go', async () => {
  await (
    await caches.open(LLAMA_CPP_CACHE)
  ).put('https://site.test/assets/llama-cpp-000000/wllama.js', new Response(''));
  await storeLlamaCpp(FOLDER, false);
  expect(await kept()).toEqual(ALL);
});

test('a page in place of a file of llama.cpp is not kept, and the next load keeps the file', async () => {
  missing = [wasm];
  await storeLlamaCpp(FOLDER, false);
  expect(Object.values(await kept())).not.toContain('<!doctype html>');
  missing = [];
  await storeLlamaCpp(FOLDER, false);
  expect(await kept()).toEqual(ALL);
});

test('a page that was kept in place of a file is replaced', async () => {
  await (await caches.open(LLAMA_CPP_CACHE)).put(wasm, page());
  await storeLlamaCpp(FOLDER, false);
  expect(await kept()).toEqual(ALL);
});

test('without network the files that are kept stay', async () => {
  await storeLlamaCpp(FOLDER, false);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await storeLlamaCpp(FOLDER, false);
  await storeLlamaCpp(FOLDER, true);
  expect(await kept()).toEqual(ALL);
});
