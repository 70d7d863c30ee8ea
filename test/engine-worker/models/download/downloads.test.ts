import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contentError, httpError } from '../../../../src/engine-worker/models/download/download-error.ts';
import { downloadModel } from '../../../../src/engine-worker/models/download/download-model.ts';
import { Downloads } from '../../../../src/engine-worker/models/download/downloads.ts';
import { readModelPackage } from '../../../../src/engine-worker/models/download/model-package.ts';
import type { DownloadProgress } from '../../../../src/shared/models/model-management.ts';
import { memoryCaches } from '../../../support/fakes/memory-caches.ts';
import { memoryRecords } from '../../../support/fakes/memory-records.ts';
import { ggufSource } from '../../../support/samples/gguf-source.ts';

vi.mock('../../../../src/engine-worker/models/download/download-model.ts', () => ({
  downloadModel: vi.fn<typeof downloadModel>(),
}));

const SOURCE = ggufSource('https://host.test/a.gguf', { id: 'm' });
const FILE = {
  name: 'a.gguf',
  url: SOURCE.modelUrl,
  cache: 'tabserve/gguf',
  kind: 'gguf',
  bytes: 5,
  md5: null,
} as const;
const REPORT = { files: [], receivedBytes: 5, totalBytes: 5, bytesPerSecond: 0, secondsLeft: null, failure: null };

let records: ReturnType<typeof memoryRecords>;
let downloads: Downloads;
/** The progress that the pages were sent. */
let seen: DownloadProgress[];

/** Makes every write take this long and, as in one store of IndexedDB, wait for those before it. */
function slowDatabase(milliseconds: number): void {
  let last: Promise<unknown> = Promise.resolve();
  const slow =
    <Item>(write: (item: Item) => Promise<void>) =>
    (item: Item) => {
      const done = last.then(async () => {
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        return write(item);
      });
      last = done.catch(() => {});
      return done;
    };
  records.putDownload = slow(records.putDownload);
  records.finishDownload = slow(records.finishDownload);
  records.deleteDownload = slow(records.deleteDownload);
}

/** All bytes arrive at once. After the time that the file's check takes, `end` decides how the download ends. */
function checkingFor(milliseconds: number, end: () => void = () => {}): void {
  vi.mocked(downloadModel).mockImplementation(async (source, _, report) => {
    report(() => REPORT);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    end();
    return readModelPackage(source, () => Promise.reject(new Error('A GGUF model has no lists.')));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  records = memoryRecords();
  seen = [];
  downloads = new Downloads({
    environment: {
      fetch,
      caches: memoryCaches(),
      estimate: async () => ({ usage: 0, quota: 1e9 }),
      exclusively: (_, work) => work(),
      now: () => Date.now(),
      wait: async () => {},
    },
    records,
    announce: (event) => void (event.type === 'progress' && seen.push(event.progress)),
  });
});

afterEach(() => {
  vi.useRealTimers();
});

/**
 * Milliseconds after which a check ends so that the next report, each second, and save, every three, would fall into the
 * last write of the database.
 */
const ENDS = [5500, 5750];

test.each(ENDS)('a model whose check ends after %i ms is installed, and is no paused download', async (end) => {
  slowDatabase(300);
  checkingFor(end);
  void downloads.start(SOURCE);
  await vi.advanceTimersByTimeAsync(20_000);
  expect((await records.models()).map(({ id }) => id)).toEqual(['m']);
  expect([...(await downloads.all()).values()]).toEqual([]);
});

test.each(ENDS)("a site's model whose check ends after %i ms leaves no paused download", async (end) => {
  slowDatabase(300);
  checkingFor(end);
  void downloads.start(SOURCE, true);
  await vi.advanceTimersByTimeAsync(20_000);
  expect([...(await downloads.all()).values()]).toEqual([]);
});

test.each(ENDS)('a download that fails after %i ms still says why when the worker has restarted', async (end) => {
  slowDatabase(300);
  checkingFor(end, () => {
    throw contentError(FILE, 'as GGUF');
  });
  void downloads.start(SOURCE);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await records.downloads()).toMatchObject([{ id: 'm', failure: { cause: 'content' } }]);
});

test.each([
  ['pauses', 'paused'],
  ['fails', 'failed'],
])('a download that is started again while it %s starts again', async (how, phase) => {
  slowDatabase(300);
  vi.mocked(downloadModel).mockImplementationOnce(async (_, __, ___, signal) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    signal.throwIfAborted();
    throw contentError(FILE, 'as GGUF');
  });
  void downloads.start(SOURCE);
  await vi.advanceTimersByTimeAsync(500);
  if (how === 'pauses') void downloads.pause('m');
  await vi.advanceTimersByTimeAsync(810);
  expect(seen.at(-1)?.phase).toBe(phase);
  checkingFor(1000);
  void downloads.start(SOURCE);
  await vi.advanceTimersByTimeAsync(20_000);
  expect((await records.models()).map(({ id }) => id)).toEqual(['m']);
});

test('a report that arrives while the end of a download is stored changes nothing', async () => {
  slowDatabase(300);
  let late: (() => void) | undefined;
  vi.mocked(downloadModel).mockImplementation(async (source, _, report) => {
    late = () => report(() => REPORT);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    return readModelPackage(source, () => Promise.reject(new Error('A GGUF model has no lists.')));
  });
  void downloads.start(SOURCE);
  await vi.advanceTimersByTimeAsync(4400);
  late!();
  await vi.advanceTimersByTimeAsync(20_000);
  expect((await records.models()).map(({ id }) => id)).toEqual(['m']);
  expect(await records.downloads()).toEqual([]);
});

test('a download that goes on with the library without subgroups shows its own progress only', async () => {
  const libraryUrl = 'https://host.test/sg32/a.wasm';
  const library = { ...FILE, name: 'a.wasm', url: libraryUrl };
  vi.mocked(downloadModel).mockImplementationOnce(async (_, __, report) => {
    report(() => REPORT);
    throw httpError(library, new Response(null, { status: 404 }));
  });
  vi.mocked(downloadModel).mockImplementationOnce((_, __, report) => {
    report(() => ({ ...REPORT, receivedBytes: 7, totalBytes: 9 }));
    return new Promise(() => {});
  });
  await downloads.start({ ...SOURCE, libraryUrl });
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await downloads.all()).get('m')).toMatchObject({ receivedBytes: 7, totalBytes: 9 });
  expect(seen.slice(-5).map(({ receivedBytes }) => receivedBytes)).toEqual([7, 7, 7, 7, 7]);
});
