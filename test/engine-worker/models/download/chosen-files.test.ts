import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { cachedBlob } from '../../../../src/engine-worker/models/download/cached-file.ts';
import { ChosenFiles } from '../../../../src/engine-worker/models/download/chosen-files.ts';
import type { DownloadEnvironment } from '../../../../src/engine-worker/models/download/download-environment.ts';
import { DownloadError } from '../../../../src/engine-worker/models/download/download-error.ts';
import { downloadModel } from '../../../../src/engine-worker/models/download/download-model.ts';
import { PIECE_BYTES } from '../../../../src/engine-worker/models/download/download-file.ts';
import {
  deleteModelFiles,
  inspectModel,
  modelBytes,
} from '../../../../src/engine-worker/models/download/installed-model.ts';
import type { TransferReport } from '../../../../src/engine-worker/models/download/transfer-progress.ts';
import type { GgufFacts } from '../../../../src/shared/models/model-facts.ts';
import type { ModelSource } from '../../../../src/shared/models/model-management.ts';
import { memoryCaches } from '../../../support/fakes/memory-caches.ts';
import { ggufFile } from '../../../support/samples/gguf-file.ts';
import { ggufSource } from '../../../support/samples/gguf-source.ts';

const SITE = 'https://site.test/';
const CONTENT = ggufFile({}, 3 * PIECE_BYTES + 5).map((byte, index) => (index < 1000 ? byte : index * 7));
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');

const chosen = () => new File([CONTENT], 'own.gguf', { lastModified: 3 });
const FACTS = { bytes: CONTENT.length, sha256: null } as GgufFacts;

function sourceOf(modelUrl: string, facts: Partial<GgufFacts> = {}): ModelSource {
  return ggufSource(modelUrl, { id: 'own', gguf: { ...FACTS, ...facts } });
}

function environment(files: ChosenFiles, caches: CacheStorage): DownloadEnvironment {
  return {
    fetch: files.fetchWith(async () => Promise.reject(new Error('Nothing may be fetched.'))),
    caches,
    estimate: async () => ({ usage: 0, quota: 1e9 }),
    exclusively: (_, work) => work(),
    now: () => performance.now(),
    wait: async (_, signal) => signal.throwIfAborted(),
  };
}

/** A stream that fails after the first bytes, as when the file is deleted while it is read. */
function vanishingStream(error: Error = new DOMException('', 'NotReadableError')): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent > 1.5 * PIECE_BYTES) controller.error(error);
      else controller.enqueue(CONTENT.slice(sent, (sent += 2 ** 20)));
    },
  });
}

test('a chosen file is copied, checked and stored in pieces; deleting it frees them all', async () => {
  const [files, caches] = [new ChosenFiles(), memoryCaches()];
  const source = sourceOf((await files.add([chosen()], SITE))[0]!);
  const { files: copied } = await downloadModel(source, environment(files, caches), () => {}, AbortSignal.any([]));
  expect(await inspectModel(source, caches)).toEqual({ bytes: CONTENT.length, missing: [], sha256: SHA256 });
  const blob = await cachedBlob(copied[0]!, caches);
  expect(
    createHash('sha256')
      .update(new Uint8Array(await blob!.arrayBuffer()))
      .digest('hex'),
  ).toBe(SHA256);
  await deleteModelFiles(source, [], caches);
  expect(await modelBytes(caches)).toBe(0);
});

test('a copy resumes once the same file is chosen again, and until then says what is missing', async () => {
  const caches = memoryCaches();
  const files = new ChosenFiles();
  const source = sourceOf((await files.add([chosen()], SITE))[0]!);
  const vanishing = { ...environment(files, caches), fetch: async () => new Response(vanishingStream()) };
  await expect(downloadModel(source, vanishing, () => {}, AbortSignal.any([]))).rejects.toMatchObject({
    failure: { cause: 'unreadable' },
  });

  const next = new ChosenFiles();
  const failure = await downloadModel(source, environment(next, caches), () => {}, AbortSignal.any([])).catch(
    (thrown: unknown) => thrown,
  );
  expect(failure).toBeInstanceOf(DownloadError);
  expect((failure as DownloadError).failure).toMatchObject({
    cause: 'unreadable',
    remedy: expect.stringMatching(/Choose the same file again/),
  });

  expect(await next.add([chosen()], SITE)).toEqual([source.modelUrl]);
  const received: number[] = [];
  await downloadModel(
    source,
    environment(next, caches),
    (read) => received.push(read().receivedBytes),
    AbortSignal.any([]),
  );
  expect(Math.min(...received)).toBeGreaterThanOrEqual(PIECE_BYTES);
  expect(await inspectModel(source, caches)).toMatchObject({ missing: [], sha256: SHA256 });
});

test.each([true, false])(
  'a copy of a file that is gone ends soon, also where the browser does not say so (network: %s)',
  async (online) => {
    const [files, caches] = [new ChosenFiles(), memoryCaches()];
    const source = sourceOf((await files.add([chosen()], SITE))[0]!);
    let seconds = 0;
    const vanishing: DownloadEnvironment = {
      ...environment(files, caches),
      fetch: async () => new Response(vanishingStream(new TypeError('Load failed'))),
      isOnline: () => online,
      wait: async (milliseconds) => {
        if ((seconds += milliseconds / 1000) > 100) throw new Error('still waiting');
      },
    };
    await expect(downloadModel(source, vanishing, () => {}, AbortSignal.any([]))).rejects.toBeInstanceOf(DownloadError);
  },
);

test('a copy of unknown size that was paused before it was checked is not made again', async () => {
  const [files, caches, pause] = [new ChosenFiles(), memoryCaches(), new AbortController()];
  const source = sourceOf((await files.add([chosen()], SITE))[0]!, { bytes: null });
  const pauseAtEnd = (read: () => TransferReport) => read().receivedBytes === CONTENT.length && pause.abort();
  const copying = downloadModel(source, environment(files, caches), pauseAtEnd, pause.signal);
  await expect(copying).rejects.toMatchObject({ name: 'AbortError' });
  const ranges: (string | null)[] = [];
  const { fetch } = environment(files, caches);
  const listening: typeof fetch = (input, init) => {
    ranges.push(new Headers(init?.headers).get('range'));
    return fetch(input, init);
  };
  const again = { ...environment(files, caches), fetch: listening };
  await downloadModel(source, again, () => {}, AbortSignal.any([]));
  expect(ranges).toEqual([`bytes=${CONTENT.length}-`]);
  expect(await inspectModel(source, caches)).toMatchObject({ missing: [], sha256: SHA256 });
});

test("a file with another checksum than its publisher's is refused, and nothing of it is kept", async () => {
  const [files, caches] = [new ChosenFiles(), memoryCaches()];
  const source = sourceOf((await files.add([chosen()], SITE))[0]!, { sha256: 'ab'.repeat(32) });
  await expect(downloadModel(source, environment(files, caches), () => {}, AbortSignal.any([]))).rejects.toMatchObject({
    failure: { cause: 'integrity' },
  });
  expect(await modelBytes(caches)).toBe(0);
});

test('a lost piece is copied again', async () => {
  const [files, caches] = [new ChosenFiles(), memoryCaches()];
  const source = sourceOf((await files.add([chosen()], SITE))[0]!);
  const { files: copied } = await downloadModel(source, environment(files, caches), () => {}, AbortSignal.any([]));
  const partial = await caches.open('tabserve/partial');
  await partial.delete((await partial.keys())[0]!);
  expect(await cachedBlob(copied[0]!, caches)).toBeUndefined();
  await downloadModel(source, environment(files, caches), () => {}, AbortSignal.any([]));
  expect((await cachedBlob(copied[0]!, caches))?.size).toBe(CONTENT.length);
});

const DATE = { lastModified: 3 };

test.each([
  ['its first byte', 0],
  ['a byte in the middle', CONTENT.length / 2],
  ['its last byte', CONTENT.length - 1],
])('two files of one name, size and date that differ in %s are two', async (_, at) => {
  // The samples in the middle do not cover every byte.
  const files = new ChosenFiles();
  const other = new Uint8Array(CONTENT);
  for (let byte = Math.floor(at); byte < Math.min(CONTENT.length, at + 2 ** 21); byte++) other[byte]! ^= 1;
  const [one, two] = [new File([CONTENT], 'own.gguf', DATE), new File([other], 'own.gguf', DATE)];
  expect(two.size).toBe(one.size);
  expect(await files.add([one], SITE)).not.toEqual(await files.add([two], SITE));
});

test('a file has the same address after a copy has given it another date', async () => {
  const files = new ChosenFiles();
  expect(await files.add([new File([CONTENT], 'own.gguf', { lastModified: 9 })], SITE)).toEqual(
    await files.add([chosen()], SITE),
  );
});

const damaged: Readonly<Record<string, readonly [content: BlobPart, sentence: RegExp]>> = {
  'a file that ends one byte early': [ggufFile().slice(0, -1), /ends 1 byte too early/],
  'a web page': ['<!doctype html><title>Sign in</title>', /found: HTML/],
  'a Git LFS pointer': ['version https://git-lfs.github.com/spec/v1\n', /found: Git-LFS pointer/],
};

for (const [what, [content, sentence]] of Object.entries(damaged)) {
  test(`${what} is not stored in place of a GGUF file, although all its bytes arrived`, async () => {
    const caches = memoryCaches();
    const source = ggufSource('https://models.test/own.gguf', { id: 'own' });
    const served = { ...environment(new ChosenFiles(), caches), fetch: async () => new Response(content) };
    await expect(downloadModel(source, served, () => {}, AbortSignal.any([]))).rejects.toMatchObject({
      failure: { cause: 'content', file: 'own.gguf', message: expect.stringMatching(sentence) },
    });
    expect(await modelBytes(caches)).toBe(0);
    expect((await inspectModel(source, caches)).missing).toEqual(['own.gguf']);
  });
}
