import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DocumentReader } from '../../../../src/engine-worker/documents/reading/document-reader.ts';
import type { PostToPage } from '../../../../src/engine-worker/ports/run-in-page.ts';
import type { DocumentRequest, DocumentResponse } from '../../../../src/shared/documents/document-reading.ts';
import type { PageTaskMessage } from '../../../../src/shared/messaging/messages.ts';
import { MemoryLocks } from '../../../support/fakes/web-locks.ts';

const SITE = 'https://site.test/';

let locks: MemoryLocks;
let pages: PostToPage[];
/** The messages by which pages were asked to start a worker. */
let started: PageTaskMessage[];
/** The response of the server that is asked for the script. */
let script: () => Promise<Response>;

beforeEach(() => {
  locks = new MemoryLocks();
  pages = [];
  started = [];
  script = async () => new Response('', { headers: { 'content-type': 'text/javascript' } });
  vi.stubGlobal('navigator', { locks, languages: ['en'] });
  vi.stubGlobal('fetch', () => script());
});

afterEach(() => vi.unstubAllGlobals());

function reader(): DocumentReader {
  return new DocumentReader({ pages: () => pages, retryDelay: 1 });
}

const read = (name = 'a.pdf') => reader().read(new Blob(['x']), name, SITE);

const text = (words: string, isCut = false): DocumentResponse => ({
  type: 'read',
  document: { text: words, leftOut: [], isCut },
});

/** A page whose worker replies. Null: the worker ends. Undefined: it never replies. */
function page(reply: (request: DocumentRequest) => DocumentResponse | null | undefined): PostToPage {
  return (message) => {
    started.push(message);
    const { port, lockName } = message;
    void locks.request(lockName, async () => {
      port.postMessage({ type: 'started' });
      await new Promise<void>((end) => {
        port.addEventListener('message', ({ data }) => {
          const response = reply(data as DocumentRequest);
          if (response === null) end();
          else if (response !== undefined) port.postMessage(response);
        });
        port.start();
      });
    });
  };
}

const refusing: PostToPage = ({ port }) => port.postMessage({ type: 'failed', message: 'not found' });

test('a page starts the worker of the site, which gets the file with its name', async () => {
  let request: DocumentRequest | undefined;
  pages = [page((given) => ((request = given), text('Krill\f')))];
  expect(await read('whales.pdf')).toBe('Krill\f');
  expect(started).toMatchObject([
    { type: 'start-worker', script: `${SITE}tabserve-document-reader/document-worker.js` },
  ]);
  expect(request).toMatchObject({ name: 'whales.pdf', marksPages: true });
});

test('one worker reads several documents one after the other', async () => {
  pages = [page(() => text('Krill'))];
  const one = reader();
  await one.read(new Blob(['x']), 'a.pdf', SITE);
  await one.read(new Blob(['x']), 'b.pdf', SITE);
  expect(started).toHaveLength(1);
});

test('a document whose page goes away is read in another one', async () => {
  let attempts = 0;
  pages = [page(() => ((attempts += 1) < 3 ? null : text('Krill')))];
  expect(await read()).toBe('Krill');
  expect(attempts).toBe(3);
});

test('a document that ends every worker is given up', async () => {
  pages = [page(() => null)];
  await expect(read()).rejects.toMatchObject({ code: 'invalid_file', message: expect.stringContaining('5 times') });
});

test('a document waits while no page can start a worker', async () => {
  const reading = read();
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  pages = [page(() => text('Krill'))];
  expect(await reading).toBe('Krill');
});

test.each<[string, () => Promise<Response>, object]>([
  [
    'the site lacks the reader',
    async () => new Response('', { status: 404 }),
    { code: 'unsupported_file', message: expect.stringContaining('npx tabserve init') },
  ],
  [
    'the site sends its own page in place of the reader',
    async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    { code: 'unsupported_file' },
  ],
  ['the site is not reached', () => Promise.reject(new TypeError('offline')), { code: 'engine_unavailable' }],
  [
    'the policy of the site forbids the worker',
    async () => new Response('', { headers: { 'content-type': 'text/javascript' } }),
    { code: 'engine_unavailable', message: expect.stringContaining('worker-src') },
  ],
])('the worker cannot be started: %s', async (_, server, error) => {
  script = server;
  pages = [refusing];
  await expect(read()).rejects.toMatchObject(error);
});

test.each<[string, DocumentResponse, object]>([
  ['damaged', { type: 'problem', problem: 'damaged' }, { code: 'invalid_file' }],
  ['locked', { type: 'problem', problem: 'locked' }, { code: 'invalid_file' }],
  ['of an unknown format', { type: 'problem', problem: 'unknownFormat' }, { code: 'unsupported_file' }],
  ['a bomb', { type: 'problem', problem: 'tooComplex' }, { code: 'invalid_file' }],
  ['too long', text('Krill', true), { code: 'invalid_file', message: expect.stringContaining('Split it') }],
  ['not readable by the browser', { type: 'unreadable' }, { code: 'invalid_file' }],
  ['a PDF whose reader cannot be loaded', { type: 'notLoaded' }, { code: 'engine_unavailable' }],
])('a document is told to be %s', async (_, response, error) => {
  pages = [page(() => response)];
  await expect(read()).rejects.toMatchObject(error);
});

test('a worker that could not load the reader of PDFs is not asked again', async () => {
  // A browser may remember a module that could not be loaded as long as the worker lives.
  let workers = 0;
  const without = page(() => ({ type: 'notLoaded' }));
  const withReader = page(() => text('Krill'));
  pages = [(...sent) => ((workers += 1) === 1 ? without : withReader)(...sent)];
  const one = reader();
  await expect(one.read(new Blob(['x']), 'a.pdf', SITE)).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(await one.read(new Blob(['x']), 'a.pdf', SITE)).toBe('Krill');
});

test('a document that takes too long ends its worker, and is told', async () => {
  vi.useFakeTimers();
  try {
    pages = [page(() => undefined)];
    const outcome = read().catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(700_000);
    expect(await outcome).toMatchObject({ code: 'invalid_file', message: expect.stringContaining('too long') });
    const { held } = await locks.query();
    expect(held.map(({ name }) => name)).not.toContain(started[0]!.wanted);
  } finally {
    vi.useRealTimers();
  }
});

test.each<[string, () => PostToPage[]]>([
  ['is read', () => [page(() => undefined)]],
  ['waits for a page', () => []],
])('a document that is no longer wanted while it %s ends its worker at once', async (_, open) => {
  pages = open();
  const unwanted = new AbortController();
  const reading = reader().read(new Blob(['x']), 'a.pdf', SITE, undefined, unwanted.signal);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(started).toHaveLength(pages.length);
  unwanted.abort(new Error('deleted'));
  await expect(reading).rejects.toThrow('deleted');
  const { held } = await locks.query();
  expect(held.map(({ name }) => name)).not.toContain(started[0]?.wanted);
});
