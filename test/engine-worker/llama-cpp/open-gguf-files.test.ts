import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openGgufFiles } from '../../../src/engine-worker/llama-cpp/open-gguf-files.ts';
import { PIECE_BYTES } from '../../../src/engine-worker/models/download/download-file.ts';
import { withOverflow } from '../../../src/engine-worker/models/download/overflow-caches.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { memoryCaches } from '../../support/fakes/memory-caches.ts';
import { ggufFile } from '../../support/samples/gguf-file.ts';

vi.mock('../../../src/engine-worker/models/download/download-environment.ts', () => ({
  BROWSER_ENVIRONMENT: {
    fetch: async () => new Response(await packetsOf(content)),
    get caches() {
      return caches;
    },
    estimate: async () => ({ usage: 0, quota: 1e9 }),
    exclusively: (_: string, work: () => Promise<unknown>) => work(),
    now: () => performance.now(),
    wait: async () => {},
  },
}));

/** What the server sends. */
let content: BlobPart;

async function packetsOf(content: BlobPart): Promise<ReadableStream> {
  const bytes = new Uint8Array(await new Blob([content]).arrayBuffer());
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent < bytes.length) controller.enqueue(bytes.slice(sent, (sent += 2 ** 20)));
      else controller.close();
    },
  });
}

beforeEach(() => {
  vi.stubGlobal('caches', memoryCaches());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const entryAt = (modelUrl: string): ModelEntry => ({
  id: 'a',
  created: 0,
  ownedBy: 'host.test',
  contextWindow: 4096,
  vocabularySize: 100,
  defaultTemperature: 1,
  defaultTopP: 1,
  images: false,
  thinking: null,
  format: 'gguf',
  modelUrl,
  libraryUrl: '',
});

test.each(['https://host.test/a.gguf', 'https://host.test/get?path=/models/a.gguf'])(
  'an invalid file of %s is deleted completely, and the next load fetches a new one',
  async (address) => {
    const open = () => openGgufFiles(entryAt(address), () => {}, new AbortController().signal);
    content = '<!doctype html>';
    await expect(open()).rejects.toMatchObject({ code: 'model_load_failed' });
    expect(await (await caches.open('tabserve/partial')).keys()).toEqual([]);
    expect(await (await caches.open('tabserve/gguf')).keys()).toEqual([]);
    content = ggufFile();
    const [file] = await open();
    expect(file!.size).toBe(ggufFile().length);
  },
);

test('a new version of the built-in model replaces the earlier one, and no other file', async () => {
  content = ggufFile();
  const folder = 'https://host.test/models';
  for (const [file, ofPackage] of [
    ['pocket.gguf?1', true],
    // A site may give its own model the same id.
    ['other.gguf?1', false],
    ['other.gguf?2', false],
    ['pocket.gguf?2', true],
  ] as const) {
    const entry = { ...entryAt(`${folder}/${file}`), id: 'pocket' };
    const model = ofPackage ? { ...entry, ggufUrl: entry.modelUrl } : entry;
    await openGgufFiles(model, () => {}, new AbortController().signal);
  }
  const kept = (await (await caches.open('tabserve/gguf')).keys()).map(({ url }) => url.slice(folder.length));
  expect(kept.toSorted()).toEqual(['/other.gguf?1', '/other.gguf?2', '/pocket.gguf?2']);
  expect(await (await caches.open('tabserve/partial')).keys()).toHaveLength(3);
});

test('a load reports how far its files are checked, so that it does not count as stuck', async () => {
  content = ggufFile({}, 3 * PIECE_BYTES);
  const told: string[] = [];
  await openGgufFiles(entryAt('https://host.test/a.gguf'), ({ text }) => void told.push(text), AbortSignal.any([]));
  const shares = told.filter((text) => text.startsWith('Checking what was downloaded'));
  expect(new Set(shares).size).toBe(shares.length);
  expect(shares.length).toBeGreaterThan(2);
  expect(shares.at(-1)).toContain('100');
});

const refuseToStore = () => Promise.reject(new DOMException('The device is full.', 'QuotaExceededError'));

test('the built-in model is kept in memory if the device has no room, not even for the mark of a complete file', async () => {
  content = ggufFile();
  const device = memoryCaches();
  const full = {
    ...device,
    open: async (name: string) => Object.assign(await device.open(name), { put: refuseToStore }),
  };
  vi.stubGlobal('caches', withOverflow(full, 'https://host.test'));
  const model = { ...entryAt('https://host.test/models/pocket.gguf?1'), id: 'pocket' };
  const [file] = await openGgufFiles(model, () => {}, new AbortController().signal);
  expect(file!.size).toBe(ggufFile().length);
});

const GONE = /can no longer be read from your disk\. Its copy on this device was deleted: load the model again\./;

/** Caches in which the mark of a complete file is read in its own way once it has been found `times` times. */
function cachesReading(times: number, read: () => Promise<undefined>) {
  const device = memoryCaches();
  let found = 0;
  const match = async (cache: Cache, key: RequestInfo | URL) => {
    const response = await cache.match(key);
    return response === undefined || ++found <= times ? response : read();
  };
  return {
    ...device,
    open: async (name: string) => {
      const cache = await device.open(name);
      const isMark = name === 'tabserve/gguf';
      return isMark ? { ...cache, match: (key: RequestInfo | URL) => match(cache, key) } : cache;
    },
  };
}

const leave = () => Promise.resolve(undefined);
const fail = () => Promise.reject(new DOMException('Unexpected internal error.', 'UnknownError'));

test.each([
  ['has left the cache', 0, leave],
  ['leaves the cache after its download', 1, leave],
  ['cannot be read from the cache', 0, fail],
  ['cannot be read after its download', 1, fail],
])('a file that %s while it is opened fails the load with what to do', async (_, times, read) => {
  content = ggufFile();
  vi.stubGlobal('caches', cachesReading(times, read));
  await expect(
    openGgufFiles(entryAt('https://host.test/a.gguf'), () => {}, new AbortController().signal),
  ).rejects.toMatchObject({ code: 'model_load_failed', message: expect.stringMatching(GONE) });
});
