import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unzipSync, zipSync } from 'fflate';
import { ApiError } from '../../../src/shared/api-error.ts';
import { listFiles, addDocument, addFile, deleteFile } from '../../../src/chat/api/collection-files.ts';
import { readCollection, searchCollection } from '../../../src/chat/api/collections.ts';
import { createCollection, pauseIndexing } from '../../../src/chat/api/edit-collections.ts';
import { readArchiveMark } from '../../../src/chat/documents/archive/archive-mark.ts';
import { importArchive } from '../../../src/chat/documents/archive/import-archive.ts';
import { ZipArchive } from '../../../src/chat/common/open-zip.ts';
import { writeArchive } from '../../../src/chat/documents/archive/write-archive.ts';
import { adderOf } from '../../../src/chat/documents/document-adder.ts';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const { signal } = new AbortController();
const nothing = () => {};
let endpoint: DocumentEndpoint;

/** Lets the page talk to another device. */
function use(device: DocumentEndpoint): void {
  endpoint = device;
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) =>
    endpoint.app.fetch(new Request(`https://tabserve.test${path}`, { ...init, signal: null })),
  );
}

beforeEach(() => {
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('navigator', { locks: new MemoryLocks(), languages: ['en'] });
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, nothing);
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  use(new DocumentEndpoint());
});
afterEach(() => vi.unstubAllGlobals());

const embedded = () => endpoint.completions.requests.reduce((sum, count) => sum + count, 0);
const WHALES = Array.from({ length: 12 }, (_, index) => `# Part ${index}\n\nwhale${index} ${'sea '.repeat(200)}`).join(
  '\n\n',
);

async function archiveOf(id: string): Promise<Blob> {
  return (await writeArchive(await readCollection(id, signal), signal, nothing)).archive;
}

/** A collection of two files in an archive. */
async function exported(): Promise<Blob> {
  const { id } = await createCollection('Sea', signal);
  await addDocument({ id }, { name: 'sea/whales.md', size: 7, text: WHALES });
  await addDocument({ id }, { name: 'sea/old/whales.md', size: 8, text: 'Whales eat krill.' });
  await endpoint.indexed(id);
  return archiveOf(id);
}

async function imported(archive: Blob) {
  const { id } = await importArchive(archive, signal, nothing);
  await vi.waitUntil(() => adderOf(id).state !== 'adding', { timeout: 10_000 });
  await endpoint.indexed(id);
  return id;
}

const names = async (id: string) => (await listFiles(id, signal)).map(({ attributes: { name } }) => name);
const found = async (id: string, query: string) =>
  (await searchCollection(id, { query, max_num_results: 1 }, signal)).map(({ content, attributes }) => [
    attributes?.name,
    content[0]!.text.slice(0, 16),
  ]);

test('a collection is on another device what it was, without computing its vectors again', async () => {
  const archive = await exported();
  use(new DocumentEndpoint());
  const id = await imported(archive);
  expect(await readCollection(id, signal)).toMatchObject({ name: 'Sea', file_counts: { completed: 2, total: 2 } });
  expect(await names(id)).toEqual(['sea/old/whales.md', 'sea/whales.md']);
  // One passage of each file is compared.
  expect(embedded()).toBe(2);
  expect(adderOf(id)).toMatchObject({ state: 'idle', done: 2, computedAnew: 0, remarks: [] });
  expect(await found(id, 'whale7')).toEqual([['sea/whales.md', expect.stringContaining('Part 7')]]);
  expect(await found(id, 'krill')).toEqual([['sea/old/whales.md', 'Whales eat krill']]);
  expect(await endpoint.json('GET', '/files')).toMatchObject({ data: [{}, {}] });
});

test.each([
  ['of the same name', (device: DocumentEndpoint) => (device.completions.isOther = true)],
  [
    'of another name',
    (device: DocumentEndpoint) =>
      (device.models = device.models.map((model) => ({ ...model, id: `other-${model.id}` }))),
  ],
])('where another model %s embeds, the files are indexed anew, and their number is told', async (_, change) => {
  const archive = await exported();
  const device = new DocumentEndpoint();
  change(device);
  use(device);
  const id = await imported(archive);
  expect(adderOf(id)).toMatchObject({ state: 'idle', computedAnew: 2 });
  expect(await found(id, 'krill')).toEqual([['sea/old/whales.md', 'Whales eat krill']]);
  expect(await endpoint.json('GET', '/files')).toMatchObject({ data: [{}, {}] });
});

const bytesOf = async (archive: Blob) => new Uint8Array(await archive.arrayBuffer());
const zipOf = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])));

test.each([
  ['is cut', (bytes: Uint8Array<ArrayBuffer>) => bytes.slice(0, -200), 'damaged'],
  [
    'has other bytes',
    (bytes: Uint8Array<ArrayBuffer>) => bytes.map((byte, at) => (at === 400 ? byte ^ 1 : byte)),
    'damaged',
  ],
  [
    'has other vectors',
    (bytes: Uint8Array<ArrayBuffer>) => bytes.map((byte, at) => (at === bytes.length - 2400 ? byte ^ 1 : byte)),
    'damaged',
  ],
  ['has no end', (bytes: Uint8Array<ArrayBuffer>) => bytes.slice(0, 300), 'damaged'],
  ['is a text', () => new TextEncoder().encode('PDF?'), 'no archive of a collection'],
  ['is another archive', () => zipOf({ 'a.txt': 'Text.' }), 'no archive of a collection'],
  [
    'is of a later version',
    () => zipOf({ 'collection.json': '{"format":"tabserve-collection","version":2}' }),
    'no archive of a collection',
  ],
  [
    'lacks a file',
    () =>
      zipOf({
        'collection.json': JSON.stringify({
          format: 'tabserve-collection',
          version: 1,
          name: 'Sea',
          embedding_model: 'words',
          files: [
            {
              filename: 'a.txt',
              attributes: {},
              chunking_strategy: {},
              content: { entry: 'a', sha256: '' },
              vectors: null,
            },
          ],
        }),
      }),
    'damaged',
  ],
] as const)('an archive that %s is refused with a sentence, and leaves nothing', async (_, change, words) => {
  const archive = await exported();
  use(new DocumentEndpoint());
  const damaged = new Blob([change(await bytesOf(archive)) as Uint8Array<ArrayBuffer>]);
  await expect(importArchive(damaged, signal, nothing)).rejects.toThrow(words);
  expect(endpoint.stored.size).toBe(0);
});

test('each change of a byte of an archive is harmless or refused', async () => {
  const bytes = await bytesOf(await exported());
  use(new DocumentEndpoint());
  let refused = 0;
  for (let at = 0; at < bytes.length; at += Math.max(1, Math.floor(bytes.length / 60))) {
    const changed = bytes.map((byte, place) => (place === at ? byte ^ 0xff : byte));
    await importArchive(new Blob([changed]), signal, nothing).then(
      async ({ id }) => void (await vi.waitUntil(() => adderOf(id).state === 'idle', { timeout: 10_000 })),
      (error: Error) => {
        expect(error.message).toMatch(/archive/);
        refused += 1;
      },
    );
  }
  expect(refused).toBeGreaterThan(30);
});

interface Manifest {
  name: string;
  files: Record<string, unknown>[];
}

/** An archive whose manifest is changed, and whose other entries are as they were. */
async function changed(archive: Blob, change: (manifest: Manifest) => void): Promise<Blob> {
  const entries = unzipSync(await bytesOf(archive));
  const manifest = JSON.parse(new TextDecoder().decode(entries['collection.json'])) as Manifest;
  change(manifest);
  return new Blob([zipSync({ ...entries, 'collection.json': new TextEncoder().encode(JSON.stringify(manifest)) })]);
}

test.each([
  ['ship '.repeat(30), 'plain'],
  ['\u{1F6A2}'.repeat(60), 'emoji'],
  [`\u{1F6A2}${'x'.repeat(95)}`, 'emoji where the name is cut'],
  [`a\uD83Db`, 'half an emoji'],
])('a file with a long name is exported and imported: %#', async (name) => {
  const { id } = await createCollection('Sea', signal);
  await addFile({ id }, new File(['Whales eat krill.'], `${name}.txt`), { attributes: { name } });
  await endpoint.indexed(id);
  const archive = await archiveOf(id);
  expect(await names(await imported(archive))).toHaveLength(1);
});

test('an archive cannot name files of this device', async () => {
  const archive = await exported();
  use(new DocumentEndpoint());
  const { id: own } = await createCollection('Own', signal);
  const file = await addDocument({ id: own }, { name: 'own.txt', text: 'My own words.' });
  await endpoint.indexed(own);
  const hostile = await changed(archive, ({ files }) => {
    Object.assign(files[0]!, { vectors: null, replaces_file_id: file });
    Object.assign(files[1]!, { vectors: null, file_id: file });
  });
  const id = await imported(hostile);
  expect(await found(id, 'krill')).toEqual([['sea/old/whales.md', 'Whales eat krill']]);
  expect(await names(own)).toEqual(['own.txt']);
});

test.each([
  ['two files with the same entry', (manifest: Manifest) => manifest.files.push(manifest.files[0]!)],
  [
    'more files than an export can have',
    ({ files }: Manifest) => {
      while (files.length <= 32_000) files.push({ ...files[0]!, vectors: null });
    },
  ],
])('an archive of %s is refused', async (_, change) => {
  const archive = await changed(await exported(), change);
  use(new DocumentEndpoint());
  await expect(importArchive(archive, signal, nothing)).rejects.toThrow('archive');
  expect(endpoint.stored.size).toBe(0);
});

test('an archive that is gone before all of it is imported is said to be so', async () => {
  const archive = await exported();
  use(new DocumentEndpoint());
  const { id } = await importArchive(archive, signal, nothing);
  vi.spyOn(archive, 'slice').mockImplementation(() => {
    throw new DOMException('It is gone.', 'NotReadableError');
  });
  await vi.waitUntil(() => adderOf(id).state !== 'adding', { timeout: 10_000 });
  expect(adderOf(id).problem).toContain('rest of the archive');
});

/** Begins to import an archive into another device, and ends the page when a request for a path is sent. */
async function interrupted(archive: Blob, path: string, after = 1) {
  use(new DocumentEndpoint());
  const { fetch } = globalThis;
  let left = after;
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    if (init.method === 'POST' && address.includes(path)) left -= 1;
    return left <= 0 ? new Promise(nothing) : fetch(address, init);
  });
  const { id } = await importArchive(archive, signal, nothing);
  await vi.waitUntil(() => left <= 0, { timeout: 10_000 });
  vi.stubGlobal('navigator', { locks: new MemoryLocks(), languages: ['en'] });
  use(endpoint);
  return id;
}

async function importedByAnotherPage(archive: Blob) {
  vi.resetModules();
  const other = await import('../../../src/chat/documents/archive/import-archive.ts');
  const adders = await import('../../../src/chat/documents/document-adder.ts');
  const { id } = await other.importArchive(archive, signal, nothing);
  const adder = adders.adderOf(id);
  await vi.waitUntil(() => adder.state === 'idle', { timeout: 10_000 });
  await endpoint.indexed(id);
  return { id, adder };
}

const markOf = async (id: string) => readArchiveMark(await readCollection(id, signal));

test.each([
  ['before its first file', '/v1/files', 1, 0],
  ['between two files', '/v1/files', 3, 1],
  ['before its last file is in the collection', '/files', 5, 1],
])(
  'an import that the page ends %s is shown as unfinished, and goes on where it was',
  async (_, path, after, present) => {
    const archive = await exported();
    const id = await interrupted(archive, path, after);
    expect(await names(id)).toHaveLength(present);
    expect(await markOf(id)).toMatchObject({ files: 2 });
    const later = await importedByAnotherPage(archive);
    expect(later.id).toBe(id);
    expect(later.adder).toMatchObject({ done: 2, unchanged: present, remarks: [] });
    expect(await names(id)).toEqual(['sea/old/whales.md', 'sea/whales.md']);
    expect(await markOf(id)).toBeNull();
    expect(await found(id, 'krill')).toEqual([['sea/old/whales.md', 'Whales eat krill']]);
  },
);

test('an import that ends because the disk is full is unfinished until it goes on', async () => {
  const archive = await exported();
  use(new DocumentEndpoint());
  const { fetch } = globalThis;
  let uploads = 0;
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    if (init.body instanceof FormData) uploads += 1;
    if (uploads < 3) return fetch(path, init);
    const error = new ApiError('storage_unavailable', 'The disk is full.');
    return Promise.resolve(Response.json({ error: error.toData() }, { status: 507 }));
  });
  const { id } = await importArchive(archive, signal, nothing);
  await vi.waitUntil(() => adderOf(id).state === 'paused', { timeout: 10_000 });
  use(endpoint);
  expect(await markOf(id)).toMatchObject({ files: 2 });
  adderOf(id).resume();
  await vi.waitUntil(() => adderOf(id).state === 'idle', { timeout: 10_000 });
  expect(await names(id)).toHaveLength(2);
  expect(await markOf(id)).toBeNull();
});

test('an import that the person cancels is unfinished, and another archive begins another collection', async () => {
  const archive = await exported();
  use(new DocumentEndpoint());
  const { id } = await importArchive(archive, signal, nothing);
  adderOf(id).pause();
  await vi.waitUntil(() => adderOf(id).done === 1, { timeout: 10_000 });
  await adderOf(id).cancel();
  expect(await markOf(id)).toMatchObject({ files: 2 });
  const other = await changed(archive, (manifest) => (manifest.name = 'Other sea'));
  expect(await imported(other)).not.toBe(id);
  expect(await names(id)).toEqual(['sea/whales.md']);
});

test('files of the same name and attributes are all there when an interrupted import has gone on', async () => {
  const { id: own } = await createCollection('Twins', signal);
  for (const text of ['Whales.', 'Squids.', 'Whales.', 'Krill.'])
    await addFile({ id: own }, new File([text], 'a.txt'), {});
  await endpoint.indexed(own);
  const archive = await archiveOf(own);
  const id = await interrupted(archive, '/v1/files', 5);
  const first = (await listFiles(id, signal)).length;
  expect(first).toBeGreaterThan(0);
  expect((await importedByAnotherPage(archive)).id).toBe(id);
  const texts = (await searchCollection(id, { query: 'whales squids krill', max_num_results: 9 }, signal)).map(
    ({ content }) => content[0]!.text,
  );
  expect(await listFiles(id, signal)).toHaveLength(4);
  expect(texts.toSorted()).toEqual(['Krill.', 'Squids.', 'Whales.']);
});

test('a file whose vectors are too large for this site is indexed anew', async () => {
  const archive = await exported();
  use(new DocumentEndpoint());
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const file = init.body instanceof FormData ? (init.body.get('file') as File) : null;
    if (file?.name !== 'vectors.bin') return fetch(path, init);
    const error = { code: 'request_too_large', message: 'Too large.', param: 'file' };
    return Response.json({ error }, { status: 413 });
  });
  const id = await imported(archive);
  expect(adderOf(id)).toMatchObject({ state: 'idle', computedAnew: 2, remarks: [] });
  expect(await names(id)).toHaveLength(2);
});

test('of a file that is being replaced, the archive has the new one only', async () => {
  const { id } = await createCollection('Sea', signal);
  const old = await addDocument({ id }, { name: 'a.md', text: 'Old words.' });
  await addDocument({ id }, { name: 'b.md', text: 'Other words.' });
  await endpoint.indexed(id);
  await pauseIndexing(id, true);
  await addDocument({ id }, { name: 'a.md', text: 'New words.', replaces: old });
  const archive = await archiveOf(id);
  expect(await names(id)).toHaveLength(3);
  const copy = await imported(archive);
  expect(await names(copy)).toEqual(['a.md', 'b.md']);
  expect(await found(copy, 'new words')).toEqual([['a.md', 'New words.']]);
});

test('a file that is deleted while its collection is exported is not in the archive, and not missed', async () => {
  const { id } = await createCollection('Sea', signal);
  await addDocument({ id }, { name: 'a.md', text: 'Words.' });
  const gone = await addDocument({ id }, { name: 'b.md', text: 'Other words.' });
  await endpoint.indexed(id);
  const collection = await readCollection(id, signal);
  const remove = (done: number) => void (done === 0 && deleteFile(gone, signal));
  const { archive, leftOut } = await writeArchive(collection, signal, remove);
  expect(leftOut).toEqual([]);
  expect(await names(await imported(archive))).toEqual(['a.md']);
});

test.each<[string, { name?: string }]>([
  ['by its name', { name: 'a.md' }],
  ['by its id, as in the list of files,', {}],
])(
  'a file whose content is no longer whole is not in the archive, and %s the person learns of it',
  async (_, attributes) => {
    const { id } = await createCollection('Sea', signal);
    const damaged = await addFile({ id }, new File(['Words.'], 'upload.txt'), { attributes });
    await addDocument({ id }, { name: 'b.md', text: 'Other words.' });
    await endpoint.indexed(id);
    endpoint.stored.contents.delete(damaged);
    const { archive, leftOut } = await writeArchive(await readCollection(id, signal), signal, nothing);
    expect(leftOut).toEqual([attributes.name ?? damaged]);
    expect(await names(await imported(archive))).toEqual(['b.md']);
  },
);

test('files that could not be indexed, or were not, are in the archive, unless an indexed one took their place', async () => {
  const { id } = await createCollection('Sea', signal);
  await addDocument({ id }, { name: 'c.md', text: 'Krill.' });
  await endpoint.indexed(id);
  for (const [name, text] of [
    ['a.md', 'Old.'],
    ['b.md', 'Whales.'],
    ['c.md', 'Squids.'],
  ] as const) {
    endpoint.completions.failures.push(new ApiError('invalid_value', 'Sample.'));
    await addDocument({ id }, { name, text });
    await endpoint.indexed(id);
  }
  await addDocument({ id }, { name: 'a.md', text: 'New.' });
  await endpoint.indexed(id);
  await pauseIndexing(id, true);
  const files = [{ file_id: await endpoint.uploaded('Ships.'), attributes: { name: 'd.md' } }];
  const path = `/vector_stores/${id}/file_batches`;
  const { id: batch } = await endpoint.json<{ id: string }>('POST', path, { files });
  await endpoint.json('POST', `${path}/${batch}/cancel`);
  expect(await readCollection(id, signal)).toMatchObject({ file_counts: { failed: 3, cancelled: 1, completed: 2 } });
  const archive = await archiveOf(id);
  use(new DocumentEndpoint());
  const copy = await imported(archive);
  expect(await names(copy)).toEqual(['d.md', 'a.md', 'c.md', 'b.md', 'c.md']);
  expect(await readCollection(copy, signal)).toMatchObject({ file_counts: { completed: 5 } });
  for (const word of ['krill', 'squids', 'whales', 'new', 'ships'])
    expect((await found(copy, word))[0]?.[1]).toMatch(new RegExp(word, 'i'));
});

function damageIndexes(damage: (index: Blob) => Blob | null): void {
  const { contents } = endpoint.stored;
  for (const [name, content] of contents) {
    if (!name.startsWith('vs_')) continue;
    const damaged = damage(content);
    if (damaged === null) contents.delete(name);
    else contents.set(name, damaged);
  }
}

test('files of the same name are all in the archive while the newest is only indexed again', async () => {
  const { id } = await createCollection('Twins', signal);
  for (const text of ['Whales.', 'Squids.']) await addDocument({ id }, { name: 'a.md', text });
  await endpoint.indexed(id);
  await pauseIndexing(id, true);
  damageIndexes((index) => index.slice(1));
  await found(id, 'whales');
  expect(await readCollection(id, signal)).toMatchObject({ file_counts: { in_progress: 2 } });
  expect(await names(await imported(await archiveOf(id)))).toEqual(['a.md', 'a.md']);
});

test.each<[string, (index: Blob) => Blob | null]>([
  ['is gone', () => null],
  ['is empty', () => new Blob()],
  ['was cut in what is searched', (index) => index.slice(0, 100)],
  ['was cut in its text', (index) => index.slice(0, -1)],
  ['is of another version', (index) => new Blob([index.slice(0, 4), Uint32Array.of(1), index.slice(8)])],
])('a file whose index %s is in the archive without vectors', async (_, damage) => {
  const { id } = await createCollection('Sea', signal);
  await addDocument({ id }, { name: 'a.md', text: 'Whales eat krill.' });
  await endpoint.indexed(id);
  damageIndexes(damage);
  const { archive, leftOut } = await writeArchive(await readCollection(id, signal), signal, nothing);
  expect(leftOut).toEqual([]);
  use(new DocumentEndpoint());
  const copy = await imported(archive);
  expect(adderOf(copy)).toMatchObject({ done: 1, computedAnew: 0 });
  expect(await found(copy, 'krill')).toEqual([['a.md', 'Whales eat krill']]);
});

test('an archive whose entries overlap, so that it unpacks to any size, is refused', async () => {
  const bytes = zipSync({ a: new Uint8Array(1000) }, { level: 0 });
  const end = bytes.length - 22;
  const start = new DataView(bytes.buffer).getUint32(end + 16, true);
  const listed = ['a', 'b', 'c'].map((name) => {
    const entry = bytes.slice(start, end);
    entry[46] = name.charCodeAt(0);
    return entry;
  });
  const tail = new DataView(bytes.slice(end).buffer);
  tail.setUint16(10, listed.length, true);
  tail.setUint32(12, listed.length * (end - start), true);
  const archive = new Blob([bytes.slice(0, start), ...listed, tail]);
  await expect(ZipArchive.open(archive)).rejects.toThrow('overlap');
});
