import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { DownloadEnvironment } from '../../../../src/engine-worker/models/download/download-environment.ts';
import { DownloadError } from '../../../../src/engine-worker/models/download/download-error.ts';
import { downloadModel } from '../../../../src/engine-worker/models/download/download-model.ts';
import { downloadFile, PIECE_BYTES } from '../../../../src/engine-worker/models/download/download-file.ts';
import { UNKNOWN_VERSION } from '../../../../src/engine-worker/models/download/file-version.ts';
import { PartialFile } from '../../../../src/engine-worker/models/download/partial-file.ts';
import type { PackageFile } from '../../../../src/engine-worker/models/package/package-file.ts';
import { packageSize } from '../../../../src/engine-worker/models/download/package-size.ts';
import { engineSentences } from '../../../../src/engine-worker/strings/say.ts';
import { wordsOf } from '../../../../src/shared/coded-sentence.ts';
import type { TransferReport } from '../../../../src/engine-worker/models/download/transfer-progress.ts';
import type { ModelSource } from '../../../../src/shared/models/model-management.ts';
import { FaultyModelServer, type Fault } from '../../../support/sites/faulty-model-server.ts';
import { memoryCaches } from '../../../support/fakes/memory-caches.ts';
import { ggufFile } from '../../../support/samples/gguf-file.ts';
import { md5, smallModelPackage } from '../../../support/sites/small-model-package.ts';

const BASE = 'https://models.test/pack/';
const SOURCE: ModelSource = {
  id: 'test-1B-q4f32_1',
  modelUrl: BASE,
  libraryUrl: `${BASE}library.wasm`,
  manifest: null,
  contextWindow: null,
  images: false,
};

let server: FaultyModelServer;
let caches: ReturnType<typeof memoryCaches>;
let pauses: number[];
let reports: TransferReport[];

beforeEach(() => {
  server = new FaultyModelServer();
  caches = memoryCaches();
  pauses = [];
  reports = [];
});

function environment(changes: Partial<DownloadEnvironment> = {}): DownloadEnvironment {
  let time = 0;
  return {
    fetch: server.fetch,
    caches,
    estimate: async () => ({ usage: 0, quota: 1e9 }),
    exclusively: (_, work) => work(),
    now: () => (time += 10),
    wait: async (milliseconds, signal) => {
      signal.throwIfAborted();
      pauses.push(milliseconds);
    },
    ...changes,
  };
}

function download(changes: Partial<DownloadEnvironment> = {}, signal = new AbortController().signal) {
  return downloadModel(SOURCE, environment(changes), (read) => reports.push(read()), signal);
}

async function failureOf(work: Promise<unknown>) {
  const thrown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(thrown instanceof DownloadError)) throw new Error(`Expected a DownloadError, got ${String(thrown)}`);
  return thrown.failure;
}

async function cached(name: string, file: string): Promise<Uint8Array | undefined> {
  const response = await (await caches.open(name)).match(BASE + file);
  return response && new Uint8Array(await response.arrayBuffer());
}

async function partialPieces(): Promise<number> {
  return (await (await caches.open('tabserve/partial')).keys()).length;
}

test('stores every file where WebLLM looks for it, byte for byte', async () => {
  const files = smallModelPackage();
  server.add('/pack/', files);
  await download();
  const places = {
    'webllm/config': ['mlc-chat-config.json'],
    'webllm/wasm': ['library.wasm'],
    'webllm/model': [
      'tensor-cache.json',
      'tokenizer.json',
      'params_shard_0.bin',
      'params_shard_1.bin',
      'params_shard_2.bin',
    ],
  };
  for (const [cache, names] of Object.entries(places)) {
    for (const name of names) expect(md5((await cached(cache, name))!)).toBe(md5(files.get(name)!));
    expect(await (await caches.open(cache)).keys()).toHaveLength(names.length);
  }
  expect(await partialPieces()).toBe(0);
});

test('requests no file twice, and none at all if everything is stored', async () => {
  server.add('/pack/', smallModelPackage());
  await download();
  expect(server.requests).toHaveLength(7);
  await download();
  expect(server.requests).toHaveLength(7);
});

test('a simultaneous load and repair of one model fetch each file once', async () => {
  server.add('/pack/', smallModelPackage());
  await Promise.all([download(), download()]);
  expect(server.requests).toHaveLength(7);
});

test('if one of two downloads of the same files is aborted, the other resumes where it stopped', async () => {
  const files = smallModelPackage();
  server.add('/pack/', files);
  const leaving = new AbortController();
  const given = downloadModel(
    SOURCE,
    environment(),
    (read) => {
      if (read().receivedBytes > 200_000) leaving.abort();
    },
    leaving.signal,
  );
  const other = download();
  await expect(given).rejects.toMatchObject({ name: 'AbortError' });
  await other;
  expect(md5((await cached('webllm/model', 'params_shard_0.bin'))!)).toBe(md5(files.get('params_shard_0.bin')!));
  const bytes = (path: string) => server.requests.filter((request) => request.path.endsWith(path) && !request.range);
  expect(bytes('params_shard_0.bin')).toHaveLength(1);
});

test('resumes within a file by a range request after the connection broke', async () => {
  const files = smallModelPackage({ shards: [300_000] });
  server.add('/pack/', files);
  server.faults.push({ file: 'params_shard_0.bin', kind: 'drop', after: 100_000, times: 2 });
  await download();
  const shard = server.requests.filter(({ path }) => path.endsWith('shard_0.bin'));
  expect(shard.map(({ range }) => range)).toEqual([null, 'bytes=100000-', 'bytes=200000-']);
  expect(md5((await cached('webllm/model', 'params_shard_0.bin'))!)).toBe(md5(files.get('params_shard_0.bin')!));
});

test('receives a file from its start, and reports it, if the server ignores ranges', async () => {
  const files = smallModelPackage({ shards: [300_000] });
  server.add('/pack/', files);
  server.ranges = false;
  server.faults.push({ file: 'params_shard_0.bin', kind: 'drop', after: 100_000, times: 1 });
  await download();
  expect(md5((await cached('webllm/model', 'params_shard_0.bin'))!)).toBe(md5(files.get('params_shard_0.bin')!));
  expect(reports.at(-1)!.files.find(({ file }) => file === 'params_shard_0.bin')!.resumable).toBe(false);
});

/** A `fetch` of a server whose ETag no page may read, and which ignores ranges the first time. */
function ignoringOnce(): typeof fetch {
  let times = 0;
  return async (input, init) => {
    if (new Headers(init?.headers).has('range')) server.ranges = times++ > 0;
    const response = await server.fetch(input, init);
    response.headers.delete('etag');
    return response;
  };
}

test.each([
  ['breaks before', 50_000],
  ['breaks behind', 150_000],
])(
  'what has arrived of a file stays if its server ignores a range once, and its connection %s the end of it',
  async (_, after) => {
    const files = smallModelPackage({ shards: [300_000] });
    server.add('/pack/', files);
    server.faults.push(
      { file: 'params_shard_0.bin', kind: 'drop', after: 100_000, times: 1 },
      { file: 'params_shard_0.bin', kind: 'drop', after, times: 1 },
    );
    await download({ fetch: ignoringOnce() });
    const shard = server.requests.filter(({ path }) => path.endsWith('shard_0.bin'));
    expect(shard[1]!.range).toBe('bytes=100000-');
    expect(shard[2]!.range).toBe(`bytes=${Math.max(100_000, after)}-`);
    expect(md5((await cached('webllm/model', 'params_shard_0.bin'))!)).toBe(md5(files.get('params_shard_0.bin')!));
  },
);

test.each([200_000, 90_000])(
  'a file that was replaced by one of %i bytes is not mixed with it on a server that ignores ranges',
  async (length) => {
    server.ranges = false;
    expect(await downloadReplaced(wasmOf(2, length), () => {})).toContain('bytes=100000-');
  },
);

test('a file of unknown size is complete only when all has arrived that its server states', async () => {
  const bytes = new Uint8Array(1_000_000).fill(7);
  bytes.set(ggufFile());
  server.files.set('/a.gguf', bytes);
  server.faults.push({ file: 'a.gguf', kind: 'drop', after: 200_000, times: 1 });
  // Some servers send a part of the rest only.
  const sparing: typeof fetch = async (input, init) => {
    const { body, status, headers } = await server.fetch(input, init);
    if (status !== 206) return new Response(body, { status, headers });
    const part = (await new Response(body).arrayBuffer()).slice(0, 300_000);
    headers.set('content-length', String(part.byteLength));
    return new Response(part, { status, headers });
  };
  const source = { ...SOURCE, format: 'gguf', modelUrl: GGUF.url, libraryUrl: '' } as const;
  await downloadModel(source, environment({ fetch: sparing }), () => {}, new AbortController().signal);
  expect((await PartialFile.open(caches, GGUF)).bytes).toBe(1_000_000);
  expect(server.requests.map(({ range }) => range)).toEqual([null, 'bytes=200000-', 'bytes=500000-', 'bytes=800000-']);
});

test('keeps the received bytes across a pause and a worker restart', async () => {
  const files = smallModelPackage({ shards: [PIECE_BYTES + 500_000] });
  server.add('/pack/', files);
  const pause = new AbortController();
  const paused = downloadModel(
    SOURCE,
    environment(),
    (read) => {
      if (read().receivedBytes > PIECE_BYTES + 200_000) pause.abort();
    },
    pause.signal,
  );
  await expect(paused).rejects.toMatchObject({ name: 'AbortError' });
  expect(await partialPieces()).toBeGreaterThan(0);

  server.requests.length = 0;
  await download();
  const [resumed] = server.requests.filter(({ path }) => path.endsWith('shard_0.bin'));
  expect(Number(/\d+/.exec(resumed!.range!)![0])).toBeGreaterThan(PIECE_BYTES);
  expect(md5((await cached('webllm/model', 'params_shard_0.bin'))!)).toBe(md5(files.get('params_shard_0.bin')!));
  expect(await partialPieces()).toBe(0);
});

test('does not append the rest of a changed file to the start of the old one', async () => {
  server.add('/pack/', smallModelPackage());
  const old = new Uint8Array([0x00, 0x61, 0x73, 0x6d, ...Array.from({ length: 200_000 }, () => 1)]);
  const changed = new Uint8Array([0x00, 0x61, 0x73, 0x6d, ...Array.from({ length: 300_000 }, () => 2)]);
  server.files.set('/pack/library.wasm', old);
  server.faults.push({ file: 'library.wasm', kind: 'drop', after: 100_000, times: 1 });
  await download({
    async wait() {
      server.files.set('/pack/library.wasm', changed);
    },
  });
  expect(md5((await cached('webllm/wasm', 'library.wasm'))!)).toBe(md5(changed));
});

const wasmOf = (byte: number, length = 200_000) =>
  new Uint8Array([0x00, 0x61, 0x73, 0x6d, ...Array.from({ length: length - 4 }, () => byte)]);

/**
 * Downloads a library whose connection breaks, `times` times. Then it is replaced.
 * @param replaced What the server has from then on.
 * @param show Changes the headers that a page of another origin may read. `time` is 1, and one more after each break.
 */
async function downloadReplaced(
  replaced: Uint8Array<ArrayBuffer>,
  show: (headers: Headers, time: number) => void,
  after = 100_000,
  times = 1,
): Promise<readonly (string | null)[]> {
  server.add('/pack/', smallModelPackage());
  server.files.set('/pack/library.wasm', wasmOf(1));
  server.faults.push({ file: 'library.wasm', kind: 'drop', after, times });
  let time = 1;
  await download({
    async fetch(input, init) {
      const { body, status, headers } = await server.fetch(input, init);
      for (const name of ['etag', 'content-range']) headers.delete(name);
      show(headers, time);
      return new Response(body, { status, headers });
    },
    async wait() {
      time++;
      server.files.set('/pack/library.wasm', replaced);
    },
  });
  expect(md5((await cached('webllm/wasm', 'library.wasm'))!)).toBe(md5(replaced));
  return server.requests.filter(({ path }) => path.endsWith('library.wasm')).map(({ range }) => range);
}

const dated = (headers: Headers, day: number) => headers.set('last-modified', `Thu, 0${day} Jan 2026 00:00:00 GMT`);

const showLate = (headers: Headers, time: number) => {
  dated(headers, time);
  if (time > 1) headers.set('etag', '"a"');
};

const GGUF = {
  name: 'a',
  url: 'https://models.test/a.gguf',
  cache: 'tabserve/gguf',
  kind: 'gguf',
  bytes: null,
  md5: null,
} as const;

/** Stores the beginning of a file, as a download does that is then interrupted. */
async function storePieces(file: PackageFile, bytes: Uint8Array<ArrayBuffer>, length: number): Promise<void> {
  const partial = await PartialFile.open(caches, file);
  for (let at = 0; at < bytes.length; at += length)
    await partial.append(new Blob([bytes.slice(at, at + length)]), UNKNOWN_VERSION);
}

test.each<[string, (headers: Headers, time: number) => void]>([
  ['its ETag', (headers, time) => headers.set('etag', `"${time}"`)],
  ['its ETag, whatever its date,', (headers, time) => (headers.set('etag', `W/"${time}"`), dated(headers, 1))],
  ['its date', (headers, time) => dated(headers, time)],
  [
    'its date, because the ETag came late',
    (headers, time) => (dated(headers, time), time > 1 && headers.set('etag', '1')),
  ],
  ['its bytes alone', () => {}],
])('a file that was replaced by one of the same size, which %s shows, is not mixed with it', async (_, show) => {
  expect((await downloadReplaced(wasmOf(2), show)).at(-1)).toBe(null);
});

test.each([4, 40_000, 80_000])(
  'a file that was replaced by one with the same bytes before the break is not mixed with it: byte %i differs',
  async (place) => {
    const other = wasmOf(1, 600_000);
    other.fill(2, place, place + 30_000);
    expect((await downloadReplaced(other, dated, 300_000)).at(-1)).toBe(null);
  },
);

test.each<[string, (headers: Headers, time: number) => void]>([
  ['shows nothing', () => {}],
  ['shows its date', (headers) => dated(headers, 1)],
  ['shows another date each time, as mirrors do', dated],
  ['shows an ETag only later, and another date each time', showLate],
  ['has another ETag for what it compresses', (headers, time) => headers.set('etag', time === 1 ? '"a-gzip"' : '"a"')],
  ['has a weak ETag for what it compresses', (headers, time) => headers.set('etag', time === 1 ? 'W/"a"' : '"a"')],
])('a file is resumed on a server that %s', async (_, show) => {
  // The connection breaks again after it was resumed.
  const ranges = await downloadReplaced(wasmOf(1), show, 70_000, 5);
  expect(ranges.filter((range) => range === null)).toEqual([null]);
  expect(ranges).toContain('bytes=140000-');
});

test('to compare the end of a file with the one on its server, only its last pieces are read', async () => {
  const bytes = new Uint8Array(40 * 10_000).fill(7);
  await storePieces(GGUF, bytes, 10_000);
  const read = vi.spyOn(Response.prototype, 'blob');
  onTestFinished(() => read.mockRestore());
  const end = (await PartialFile.open(caches, GGUF)).read(bytes.length - 2 ** 16, bytes.length);
  expect(await end).toEqual(bytes.slice(-(2 ** 16)));
  expect(read).toHaveBeenCalledTimes(7);
});

test.each([
  ['has the file of the listed size', 150_000, undefined],
  ['has one of the stored size', 200_000, 'size'],
])(
  'a stored beginning that is longer than the listed file does not stay for ever: its server %s',
  async (_, size, cause) => {
    await storePieces(GGUF, new Uint8Array(200_000).fill(7), 100_000);
    server.files.set('/a.gguf', new Uint8Array(size).fill(7));
    const withoutRange: typeof fetch = async (input, init) => {
      const response = await server.fetch(input, init);
      for (const name of ['etag', 'content-range']) response.headers.delete(name);
      return response;
    };
    const file = { ...GGUF, kind: 'data' as const, bytes: 150_000 };
    const { signal } = new AbortController();
    const options = { fetch: withoutRange, caches, signal, requireFree: async () => {}, report: () => {} };
    const thrown = await downloadFile(file, options).catch((error: unknown) => error as DownloadError);
    expect(thrown?.failure.cause).toBe(cause);
  },
);

test('a file of unknown size that had arrived completely is not fetched again, even if its server hides its size', async () => {
  const ranges = await downloadReplaced(wasmOf(1), () => {}, 200_000);
  expect(ranges.filter((range) => range === null)).toEqual([null]);
});

test('a page in place of the rest of a file ends the download, and nothing that has arrived is lost', async () => {
  const files = smallModelPackage({ shards: [300_000] });
  server.add('/pack/', files);
  server.faults.push({ file: 'params_shard_0.bin', kind: 'drop', after: 100_000, times: 1 });
  const page = new Response('<!doctype html>Sign in', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  const withPage: typeof fetch = async (input, init) =>
    new Headers(init?.headers).has('range') ? page : server.fetch(input, init);
  expect(await failureOf(download({ fetch: withPage }))).toMatchObject({
    file: 'params_shard_0.bin',
    cause: 'content',
    // No English words go into the sentences of another language.
    sentences: [{ values: ['params_shard_0.bin'] }, { code: 'openAddress' }],
  });
  await download();
  const ranges = server.requests.filter(({ path }) => path.endsWith('shard_0.bin')).map(({ range }) => range);
  expect(ranges).toEqual([null, 'bytes=100000-']);
  expect(md5((await cached('webllm/model', 'params_shard_0.bin'))!)).toBe(md5(files.get('params_shard_0.bin')!));
});

test.each([400_000, 250_000, 50_000])(
  'a file of 300,000 bytes that has %i on its server by now is not fetched again in vain',
  async (length) => {
    server.add('/pack/', smallModelPackage({ shards: [300_000] }));
    server.faults.push({ file: 'params_shard_0.bin', kind: 'drop', after: 100_000, times: 1 });
    const replace = async () => void server.files.set('/pack/params_shard_0.bin', new Uint8Array(length));
    expect(await failureOf(download({ wait: replace }))).toMatchObject({
      file: 'params_shard_0.bin',
      cause: 'size',
      remedy: expect.stringContaining('has changed in the meantime'),
    });
    const ranges = server.requests.filter(({ path }) => path.endsWith('shard_0.bin')).map(({ range }) => range);
    expect(ranges).toEqual([null, 'bytes=100000-']);
  },
);

test('waits longer after each failure, or as long as the server requests, then resumes', async () => {
  server.add('/pack/', smallModelPackage({ shards: [1000] }));
  server.faults.push(
    { file: 'params_shard_0.bin', kind: 'status', status: 500, times: 3 },
    { file: 'params_shard_0.bin', kind: 'status', status: 429, headers: { 'retry-after': '7' }, times: 1 },
  );
  await download();
  expect(pauses).toEqual([1000, 2000, 4000, 7000]);
});

test.each([0, 1, 4])(
  'fetches a file once more if its checksum is wrong, also after the connection broke %i times',
  async (breaks) => {
    const files = smallModelPackage({ shards: [300_000] });
    server.add('/pack/', files);
    server.faults.push(
      { file: 'params_shard_0.bin', kind: 'drop', after: 100_000, times: Math.min(breaks, 1) },
      { file: 'params_shard_0.bin', kind: 'drop', after: 0, times: Math.max(0, breaks - 1) },
      { file: 'params_shard_0.bin', kind: 'corrupt', times: 1 },
      { file: 'params_shard_0.bin', kind: 'drop', after: 10_000, times: 20 },
    );
    await download();
    expect(md5((await cached('webllm/model', 'params_shard_0.bin'))!)).toBe(md5(files.get('params_shard_0.bin')!));
  },
);

/** A `fetch` without a network while `isGone` says so for an address. */
function withoutNetwork(isGone: (address: string) => boolean): typeof fetch {
  return async (input, init) => {
    if (isGone(String(input))) throw new TypeError('Failed to fetch');
    return server.fetch(input, init);
  };
}

test.each([
  ['six hours without a network, of which the browser knows', false, 360],
  ['a tunnel of 20 minutes that the browser does not notice', true, 20],
])('a download survives %s, and says meanwhile what it waits for', async (_, looksOnline, minutes) => {
  server.add('/pack/', smallModelPackage());
  await download();
  // The network is lost before the second of the weights' files.
  await (await caches.open('webllm/model')).delete(`${BASE}params_shard_1.bin`);
  let seconds = 0;
  const isGone = () => seconds < minutes * 60;
  await download({
    fetch: withoutNetwork(isGone),
    isOnline: () => looksOnline || !isGone(),
    wait: async (milliseconds) => void (seconds += milliseconds / 1000),
  });
  expect(seconds).toBeGreaterThanOrEqual(minutes * 60);
  expect(reports.some(({ failure }) => failure?.cause === 'network')).toBe(true);
  expect(reports.at(-1)).toMatchObject({ failure: null });
  expect(await cached('webllm/model', 'params_shard_1.bin')).toBeDefined();
});

const eventOf = (network: EventTarget) =>
  new Promise<void>((resolve) => network.addEventListener('online', () => resolve(), { once: true }));

test('while a download waits for the network, a load of the same model says at once that it is gone', async () => {
  server.add('/pack/', smallModelPackage());
  await download();
  await (await caches.open('webllm/model')).delete(`${BASE}params_shard_1.bin`);
  let isGone = true;
  const network = new EventTarget();
  const fetch = withoutNetwork(() => isGone);
  const waiting = download({ fetch, isOnline: () => !isGone, wait: () => eventOf(network) });
  await vi.waitFor(() => expect(reports.at(-1)?.failure?.cause).toBe('network'));
  expect(await failureOf(download({ fetch }))).toMatchObject({ cause: 'network' });
  isGone = false;
  network.dispatchEvent(new Event('online'));
  await waiting;
  expect(await cached('webllm/model', 'params_shard_1.bin')).toBeDefined();
});

test.each<[string, (address: string) => boolean]>([
  ['never answers', () => true],
  ['sends the lists, and lets nobody have the library', (address) => address.endsWith('.wasm')],
  ['sends the lists, and lets nobody have the weights', (address) => address.endsWith('.bin')],
])('a download that can wait for the network says within a minute that a server %s', async (_, isGone) => {
  server.add('/pack/', smallModelPackage());
  let seconds = 0;
  const failing = download({
    fetch: withoutNetwork(isGone),
    isOnline: () => true,
    wait: async (milliseconds) => void (seconds += milliseconds / 1000),
  });
  expect(await failureOf(failing)).toMatchObject({ cause: 'network' });
  expect(seconds).toBeLessThan(100);
});

test('a download that can wait for the network says within a minute that a server has errors, also without a network', async () => {
  server.add('/pack/', smallModelPackage());
  server.faults.push({ file: 'params_shard_1.bin', kind: 'status', status: 503 });
  expect(await failureOf(download({ isOnline: () => false }))).toMatchObject({ cause: 'http' });
  expect(pauses).toHaveLength(5);
});

test('an unreliable connection that delivers a little each time is never given up', async () => {
  server.add('/pack/', smallModelPackage({ shards: [64 * 1024 * 12] }));
  server.faults.push({ file: 'params_shard_0.bin', kind: 'drop', after: 64 * 1024, times: 11 });
  await download();
  expect(await cached('webllm/model', 'params_shard_0.bin')).toHaveLength(64 * 1024 * 12);
});

/** Advances the fake clock until the work is done, for at most ten minutes. */
async function inScriptedTime<Result>(work: () => Promise<Result>): Promise<Result | 'still under way'> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let outcome: Result | 'still under way' = 'still under way';
  const stop = new AbortController();
  const done = work()
    .then((result) => (outcome = result))
    .finally(() => stop.abort());
  done.catch(() => undefined);
  for (let second = 0; second < 600 && !stop.signal.aborted; second++) await vi.advanceTimersByTimeAsync(1000);
  return stop.signal.aborted ? done : outcome;
}

test.each<Fault>([
  { file: 'params_shard_0.bin', kind: 'stall', after: 1024, times: 2 },
  { file: 'params_shard_0.bin', kind: 'stall', after: 0, times: 2 },
  { file: 'params_shard_0.bin', kind: 'silence', times: 2 },
  { file: 'mlc-chat-config.json', kind: 'stall', after: 10, times: 1 },
])('a transfer that stalls ($kind in $file after $after bytes) is aborted and resumed', async (fault) => {
  const files = smallModelPackage();
  server.add('/pack/', files);
  server.faults.push(fault);
  await inScriptedTime(() => download());
  expect(md5((await cached('webllm/model', 'params_shard_0.bin'))!)).toBe(md5(files.get('params_shard_0.bin')!));
});

test('a server that stays silent fails the download with an error that says so', async () => {
  server.add('/pack/', smallModelPackage());
  server.faults.push({ file: 'params_shard_0.bin', kind: 'silence' });
  expect(await inScriptedTime(() => failureOf(download()))).toMatchObject({
    file: 'params_shard_0.bin',
    cause: 'network',
    message: 'models.test sent no part of params_shard_0.bin for 30 seconds.',
  });
});

test('a server that sends a packet every 25 seconds is not aborted', async () => {
  server.add('/pack/', smallModelPackage());
  server.packetDelay = 25_000;
  await inScriptedTime(() => download());
  expect(server.requests).toHaveLength(7);
  expect(await cached('webllm/model', 'params_shard_0.bin')).toHaveLength(300_000);
});

test('requesting the size of a package has a timeout', async () => {
  server.add('/pack/', smallModelPackage());
  server.faults.push({ file: 'tensor-cache.json', kind: 'stall', after: 10 });
  const size = () => failureOf(packageSize(SOURCE, server.fetch));
  expect(await inScriptedTime(size)).toMatchObject({ file: 'tensor-cache.json', cause: 'network' });
});

interface FailingCase {
  readonly name: string;
  readonly fault: Fault;
  readonly cause: string;
  readonly message: RegExp;
}

const failing: readonly FailingCase[] = [
  {
    name: 'a missing file',
    fault: { file: 'params_shard_1.bin', kind: 'status', status: 404 },
    cause: 'http',
    message: /answered 404 for params_shard_1\.bin/,
  },
  {
    name: 'a file behind a sign-in',
    fault: { file: 'tokenizer.json', kind: 'status', status: 401 },
    cause: 'http',
    message: /answered 401 for tokenizer\.json/,
  },
  {
    name: 'a server whose errors persist',
    fault: { file: 'library.wasm', kind: 'status', status: 503 },
    cause: 'http',
    message: /answered 503 for library\.wasm/,
  },
  {
    name: 'a shard that is damaged each time',
    fault: { file: 'params_shard_0.bin', kind: 'corrupt' },
    cause: 'integrity',
    message: /params_shard_0\.bin arrived with the checksum/,
  },
  {
    name: 'a shard that is too short each time',
    fault: { file: 'params_shard_2.bin', kind: 'truncate', after: 1000 },
    cause: 'size',
    message: /params_shard_2\.bin ended after/,
  },
  {
    name: 'a shard that is too long',
    fault: { file: 'params_shard_2.bin', kind: 'replace', body: 'x'.repeat(60_000) },
    cause: 'size',
    message: /larger than the 50,000 bytes/,
  },
  {
    name: 'an HTML page instead of the library',
    fault: { file: 'library.wasm', kind: 'replace', body: '<!doctype html>' },
    cause: 'content',
    message: /library\.wasm is not a WebAssembly library/,
  },
  {
    name: 'an HTML page instead of the tokenizer',
    fault: { file: 'tokenizer.json', kind: 'replace', body: '<!doctype html>' },
    cause: 'content',
    message: /tokenizer\.json is not JSON/,
  },
  {
    name: 'an HTML page instead of the configuration',
    fault: { file: 'mlc-chat-config.json', kind: 'replace', body: '<!doctype html>' },
    cause: 'content',
    message: /mlc-chat-config\.json is not JSON/,
  },
  {
    name: 'a configuration of another kind',
    fault: { file: 'mlc-chat-config.json', kind: 'replace', body: '{"tokenizer_files":[]}' },
    cause: 'content',
    message: /context_window_size/,
  },
  {
    name: 'a connection that breaks at once each time',
    fault: { file: 'params_shard_0.bin', kind: 'drop', after: 0 },
    cause: 'network',
    message: /connection to models\.test failed while fetching params_shard_0\.bin/,
  },
];

test.each(failing)('$name ends the download with the file and the cause', async ({ fault, cause, message }) => {
  server.add('/pack/', smallModelPackage());
  server.faults.push(fault);
  const failure = await failureOf(download());
  expect(failure).toMatchObject({ file: fault.file, cause, message: expect.stringMatching(message) });
  expect(failure.remedy).toMatch(/\w+.*\.$/);
  const said = failure.sentences?.map((sentence) => wordsOf(sentence, engineSentences));
  expect(said).toEqual([failure.message, failure.remedy]);
  expect((await cached('webllm/model', fault.file)) ?? (await cached('webllm/wasm', fault.file))).toBeUndefined();
});

/** A weights list with one file whose length is wrong. */
const weightsAt = (dataPath: string) => JSON.stringify({ records: [{ dataPath, nbytes: 1 }] });

test.each([
  ['a path with dots', '../other/params_shard_0.bin'],
  ['escaped dots', 'x/%2E%2e/../../other/params_shard_0.bin'],
  ['an absolute path', '/other/params_shard_0.bin'],
  ['an address', 'https://models.test/other/params_shard_0.bin'],
  ['an address without a scheme', '//models.test/other/params_shard_0.bin'],
  ['an address of another host', 'https://elsewhere.test/params_shard_0.bin'],
])('a package that names the file of another model by %s is refused, and that file stays', async (_, path) => {
  server.add('/pack/', smallModelPackage());
  server.add('/other/', smallModelPackage());
  const other = { ...SOURCE, id: 'other', modelUrl: 'https://models.test/other/' };
  await downloadModel(other, environment(), () => {}, new AbortController().signal);
  server.faults.push({ file: 'tensor-cache.json', kind: 'replace', body: weightsAt(path) });
  const failure = await failureOf(download());
  expect(failure).toMatchObject({ file: 'tensor-cache.json', cause: 'content' });
  expect(failure.message).toContain('names a file outside its own package');
  const cache = await caches.open('webllm/model');
  expect(await cache.match('https://models.test/other/params_shard_0.bin')).toBeDefined();
});

test('a list of too many files is refused before its records are read', async () => {
  server.add('/pack/', smallModelPackage());
  const body = JSON.stringify({ records: Array.from({ length: 200_000 }, () => 0) });
  server.faults.push({ file: 'tensor-cache.json', kind: 'replace', body });
  const { message } = await failureOf(download());
  expect(message).toContain('more than 5000 files');
});

test('a failed download resumes once the cause is gone, without fetching stored bytes again', async () => {
  server.add('/pack/', smallModelPackage());
  server.faults.push({ file: 'params_shard_2.bin', kind: 'status', status: 404, times: 1 });
  await failureOf(download());
  server.requests.length = 0;
  await download();
  expect(server.requests.some(({ path }) => path.endsWith('mlc-chat-config.json'))).toBe(false);
  expect(await cached('webllm/model', 'params_shard_2.bin')).toHaveLength(50_000);
});

test('refuses before the first shard if the browser has too little space', async () => {
  server.add('/pack/', smallModelPackage());
  const failure = await failureOf(download({ estimate: async () => ({ usage: 900_000, quota: 1_000_000 }) }));
  expect(failure).toMatchObject({ file: null, cause: 'quota', message: expect.stringContaining('1 MB') });
  expect(server.requests.some(({ path }) => path.includes('shard'))).toBe(false);
});

test('names the file if the browser runs out of space despite its estimate', async () => {
  server.add('/pack/', smallModelPackage());
  caches.quota = 400_000;
  const failure = await failureOf(download());
  expect(failure).toMatchObject({ cause: 'quota', file: expect.stringMatching(/^params_shard_/) });
});

test('keeps the files that fit before the space ran out, and goes on with the others when there is room', async () => {
  server.add('/pack/', smallModelPackage());
  caches.quota = 400_000;
  await failureOf(download());
  const kept = (await (await caches.open('webllm/model')).keys()).map(({ url }) => url);
  expect(kept).toContain(`${BASE}params_shard_0.bin`);
  caches.quota = Infinity;
  server.requests.length = 0;
  await download();
  expect(server.requests.length).toBeGreaterThan(0);
  expect(server.requests.filter(({ path }) => kept.includes(new URL(path, BASE).href))).toEqual([]);
});

test('replaces an entry of the wrong length, which WebLLM leaves after a broken download', async () => {
  server.add('/pack/', smallModelPackage());
  const poisoned = new Response(new Uint8Array(10), { headers: { 'content-length': '10' } });
  await (await caches.open('webllm/model')).put(`${BASE}params_shard_0.bin`, poisoned);
  await download();
  expect(await cached('webllm/model', 'params_shard_0.bin')).toHaveLength(300_000);
});

test('uses files that WebLLM cached from a compressing server', async () => {
  const files = smallModelPackage();
  server.add('/pack/', files);
  for (const [name, cache] of [
    ['mlc-chat-config.json', 'webllm/config'],
    ['tensor-cache.json', 'webllm/model'],
  ] as const) {
    const response = new Response(files.get(name)!, {
      headers: { 'content-encoding': 'gzip', 'content-length': '99' },
    });
    await (await caches.open(cache)).put(BASE + name, response);
  }
  await download();
  expect(await cached('webllm/model', 'params_shard_0.bin')).toHaveLength(300_000);
  expect(server.requests.some(({ path }) => path.endsWith('.json') && !path.includes('tokenizer'))).toBe(false);
});

test('reports bytes that only grow and end at the sum of all files', async () => {
  const files = smallModelPackage();
  server.add('/pack/', files);
  await download();
  const received = reports.map(({ receivedBytes }) => receivedBytes);
  expect(received).toEqual(received.toSorted((a, b) => a - b));
  const sum = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  expect(reports.at(-1)).toMatchObject({ receivedBytes: sum, totalBytes: sum });
  expect(reports.at(-1)!.files.every(({ state }) => state === 'done')).toBe(true);
});

test('a list with invalid JSON content is fetched again if it was stored, and is not stored again', async () => {
  const files = smallModelPackage();
  server.add('/pack/', files);
  await download();
  await (await caches.open('webllm/model')).put(`${BASE}tensor-cache.json`, new Response('{"records": [1]}'));
  await download();
  expect(await cached('webllm/model', 'tensor-cache.json')).toEqual(files.get('tensor-cache.json'));

  await (await caches.open('webllm/model')).delete(`${BASE}tensor-cache.json`);
  server.faults.push({ file: 'tensor-cache.json', kind: 'replace', body: '{"records": [1]}', times: 1 });
  expect(await failureOf(download())).toMatchObject({ file: 'tensor-cache.json', cause: 'content' });
  expect(await cached('webllm/model', 'tensor-cache.json')).toBeUndefined();
  await download();
});
