import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReadAttachment } from '../../../src/chat/attachments/read-attachment.ts';
import { listFiles } from '../../../src/chat/api/collection-files.ts';
import { searchCollection } from '../../../src/chat/api/collections.ts';
import { createCollection, pauseIndexing } from '../../../src/chat/api/edit-collections.ts';
import { adderOf, DocumentAdder } from '../../../src/chat/documents/document-adder.ts';
import type { ChosenFile } from '../../../src/chat/documents/chosen-files.ts';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

let locks: MemoryLocks;

beforeEach(() => {
  locks = new MemoryLocks();
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('navigator', { locks, languages: ['en'] });
});
afterEach(() => vi.unstubAllGlobals());

interface StoredFile {
  readonly id: string;
  readonly text: string;
  readonly uploaded: string;
  attributes: { readonly name?: string };
  status: 'in_progress' | 'completed' | 'failed';
  isAdded: boolean;
  replaces?: string;
}

interface Addition {
  readonly file_id: string;
  readonly attributes: { readonly name: string };
  readonly replaces_file_id?: string;
}

/** A vector store in memory, in the shapes of the OpenAI API. Uploads fail while `failure` is set. */
class Store {
  readonly files: StoredFile[] = [];
  failure: { readonly status: number; readonly code: string; readonly file?: string } | null = null;
  /** Settles before an upload is answered, after its file is stored. */
  answering: Promise<void> = Promise.resolve();
  isDeleted = false;
  /** Called before a file is added. */
  onAddition: () => Promise<void> | void = () => {};
  /** Called after the state of a file was read. */
  onRead: () => void = () => {};
  #ids = 0;

  constructor() {
    vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => this.#respond(path, init));
  }

  get names(): readonly (string | undefined)[] {
    return this.files.filter(({ isAdded }) => isAdded).map(({ attributes }) => attributes.name);
  }

  /** Indexes all files. */
  index(): void {
    for (const file of this.files.filter(({ status }) => status === 'in_progress')) {
      file.status = 'completed';
      const at = this.files.findIndex(({ id }) => id === file.replaces);
      if (at >= 0) this.files.splice(at, 1);
    }
  }

  async #respond(path: string, { method = 'GET', body, signal }: RequestInit): Promise<Response> {
    if (method === 'DELETE') {
      const at = this.files.findIndex(({ id }) => path === `/v1/files/${id}`);
      if (at < 0) return Response.json({ error: { code: 'file_not_found', message: 'Gone.' } }, { status: 404 });
      this.files.splice(at, 1);
      return Response.json({ deleted: true });
    }
    if (body instanceof FormData) {
      const file = body.get('file') as File;
      if (this.failure !== null && [undefined, file.name].includes(this.failure.file)) {
        const { status, code } = this.failure;
        return Response.json({ error: { code, message: 'The disk is full.', param: null } }, { status });
      }
      const id = `file-${(this.#ids += 1)}`;
      const text = await file.text();
      this.files.push({ id, text, uploaded: file.name, attributes: {}, status: 'in_progress', isAdded: false });
      await this.answering;
      signal?.throwIfAborted();
      return Response.json({ id });
    }
    if (method === 'POST') {
      const { file_id: id, attributes, replaces_file_id: replaces } = JSON.parse(String(body)) as Addition;
      await this.onAddition();
      if (replaces !== undefined && this.files.every((file) => file.id !== replaces)) {
        const error = { code: 'file_not_found', message: 'Gone.', param: 'replaces_file_id' };
        return Response.json({ error }, { status: 404 });
      }
      Object.assign(
        this.files.find((file) => file.id === id)!,
        { attributes, isAdded: true, replaces },
      );
      return Response.json({});
    }
    const gone = { error: { code: 'vector_store_not_found', message: 'Gone.' } };
    if (this.isDeleted) return Response.json(gone, { status: 404 });
    const id = /\/files\/([^?/]+)$/.exec(path)?.[1];
    if (id !== undefined) {
      const file = this.files.find((stored) => stored.id === id);
      this.onRead();
      return file === undefined ? Response.json(gone, { status: 404 }) : Response.json(file);
    }
    const status = new URLSearchParams(path.split('?')[1]).get('filter');
    const listed = this.files
      .filter((file) => file.isAdded && (status === null || file.status === status))
      .toReversed();
    return Response.json({ data: listed, has_more: false });
  }
}

const chosen = (name: string, text = 'Some text.'): ChosenFile => ({
  name,
  file: new File([text], name.split('/').at(-1)!),
});

/** Reads a file as text; one whose name ends in `.png` is an image, and one that ends in `.zip` is refused. */
async function read(file: File): Promise<ReadAttachment> {
  const base = { id: '1', name: file.name, size: file.size };
  if (file.name.endsWith('.zip')) throw new Error('This is an archive.');
  if (file.name.endsWith('.png')) return { attachment: { ...base, kind: 'image', url: 'data:,' } };
  const attachment = { ...base, kind: 'text', part: 'whole', text: await file.text() } as const;
  return file.name.endsWith('.docx') ? { attachment, leftOut: [{ kind: 'image', count: 3 }] } : { attachment };
}

/** An adder of a tab; all tabs share their locks. */
function adderWith(reading: typeof read, collection = 'vs_1'): DocumentAdder {
  return new DocumentAdder(collection, { read: reading, locks: locks as unknown as LockManager });
}

async function settled(adder: DocumentAdder): Promise<void> {
  await vi.waitFor(() => expect(adder.state).not.toBe('adding'), { timeout: 30_000 });
}

test('each file is uploaded as text under its name, with its path and size beside it', async () => {
  const store = new Store();
  const adder = adderWith(read);
  adder.add([chosen('papers/2024/a.pdf', 'Ships'), chosen('b.md', 'Trains')]);
  await settled(adder);
  expect(adder).toMatchObject({ state: 'idle', total: 2, done: 2, remarks: [] });
  expect(store.files).toMatchObject([
    { uploaded: 'a.pdf.txt', text: 'Ships', attributes: { name: 'papers/2024/a.pdf', size: 5 }, isAdded: true },
    { uploaded: 'b.md.txt', text: 'Trains', attributes: { name: 'b.md', size: 6 }, isAdded: true },
  ]);
});

test.each<[string, string, string, string]>([
  ['is a document', 'a.pdf', '%PDF-1.7 Ships', 'a.pdf'],
  ['is an HTML page', 'a.htm', '<!doctype html><p>Ships</p>', 'a.htm'],
  ['is plain text', 'a.md', '# Ships', 'a.md.txt'],
  ['was cut when it was read', 'long.pdf', '%PDF-1.7 Ships', 'long.pdf.txt'],
  ['is in an uncertain encoding', 'old.doc', 'Schiffe \0', 'old.doc.txt'],
  ['is too large for this site', 'large.pdf', '%PDF-1.7 Ships', 'large.pdf.txt'],
])('a file that %s is uploaded as it is, or as text', async (_, name, content, uploaded) => {
  const store = new Store();
  store.failure = { status: 413, code: 'request_too_large', file: 'large.pdf' };
  const adder = adderWith(async (file) => ({
    ...(await read(file)),
    ...(file.name === 'long.pdf' && { note: 'cut' }),
    ...(file.name === 'old.doc' && { encoding: { file, chosen: 'windows-1252', offered: [] } }),
  }));
  adder.add([chosen(`papers/${name}`, content)]);
  await settled(adder);
  expect(adder.remarks.filter(({ isRefused }) => isRefused)).toEqual([]);
  expect(store.files).toMatchObject([{ uploaded, text: content, isAdded: true }]);
});

test('a file that cannot be read is named with its reason, one that lacks parts with these, and all others are added', async () => {
  const store = new Store();
  const adder = adderWith(read);
  adder.add([
    chosen('a.zip'),
    chosen('map.png'),
    chosen('letter.docx'),
    chosen('b.txt'),
    { file: null, name: 'c' },
    chosen('d.txt', ' \n'),
  ]);
  await settled(adder);
  expect(adder.remarks).toEqual([
    { name: 'a.zip', words: 'This is an archive.', isRefused: true },
    { name: 'map.png', words: 'An image has no text.', isRefused: true },
    { name: 'letter.docx', words: 'without 3 images', isRefused: false },
    { name: 'c', words: expect.stringContaining('could not be read'), isRefused: true },
    { name: 'd.txt', words: 'This file has no text.', isRefused: true },
  ]);
  expect(store.names).toEqual(['letter.docx', 'b.txt']);
});

test('a file of the same name replaces the one in the collection', async () => {
  const store = new Store();
  for (const text of ['Old', 'New', 'Newest']) {
    const adder = adderWith(read);
    adder.add([chosen('a.txt', text), chosen('sub/a.txt', 'Another')]);
    await settled(adder);
  }
  expect(store.files.map(({ text, attributes }) => [attributes.name, text])).toEqual([
    ['sub/a.txt', 'Another'],
    ['a.txt', 'Newest'],
  ]);
});

test('a file whose name another system writes with other characters for the same letters is replaced', async () => {
  const store = new Store();
  for (const [name, text] of [
    ['cafe\u0301.txt', 'Old'],
    ['caf\u00e9.txt', 'New'],
  ] as const) {
    const adder = adderWith(read);
    adder.add([chosen(name, text)]);
    await settled(adder);
  }
  expect(store.files.map(({ text }) => text)).toEqual(['New']);
});

test('a file whose former version is deleted by another tab while it is added is there all the same', async () => {
  const store = new Store();
  const adder = adderWith(read);
  adder.add([chosen('a.txt', 'Old')]);
  await settled(adder);
  store.index();
  store.onAddition = () => void (store.files[0]?.text === 'Old' && store.files.shift());
  adder.add([chosen('a.txt', 'New')]);
  await settled(adder);
  expect(adder).toMatchObject({ state: 'idle', problem: '', remarks: [] });
  expect(store.files.map(({ text, isAdded }) => [text, isAdded])).toEqual([['New', true]]);
});

test('cancelling while indexed files are replaced keeps them, and otherwise the new ones take their places', async () => {
  const store = new Store();
  const texts = () => store.files.map(({ text }) => text);
  const adder = adderWith(read);
  const replace = async (text: string) => {
    adder.add([chosen('a.txt', text)]);
    await settled(adder);
  };
  await replace('Old');
  store.index();
  await replace('New');
  expect(texts()).toEqual(['Old', 'New']);
  await adder.cancel();
  expect(texts()).toEqual(['Old']);
  await replace('Newer');
  await replace('Newest');
  store.index();
  expect(texts()).toEqual(['Newest']);
});

test.each([
  ['whose content is the same is left out', 'Ships', 8, false, true],
  ['of the same size and time with another content is added', 'Boats', 7, false, false],
  ['of a checked folder is left out by its size and time', 'Boats', 7, true, true],
  ['of a checked folder that was only touched is left out', 'Ships', 8, true, true],
  ['of a checked folder that has changed is added', 'Boats', 8, true, false],
] as const)('a file %s', async (_, text, lastModified, isChecked, isLeftOut) => {
  const store = new Store();
  const adder = adderWith(read);
  adder.add([{ name: 'a.txt', file: new File(['Ships'], 'a.txt', { lastModified: 7 }) }]);
  await settled(adder);
  adder.add([{ name: 'a.txt', file: new File([text], 'a.txt', { lastModified }), isChecked }]);
  await settled(adder);
  expect(adder).toMatchObject({ done: 1, unchanged: isLeftOut ? 1 : 0, remarks: [] });
  expect(store.files.map((stored) => stored.text)).toEqual([isLeftOut ? 'Ships' : text]);
});

test('an unchanged file that could not be indexed is added again', async () => {
  const store = new Store();
  const adder = adderWith(read);
  for (const _ of [1, 2]) {
    adder.add([chosen('a.txt')]);
    await settled(adder);
    store.files[0]!.status = 'failed';
  }
  expect(store.files.map(({ id }) => id)).toEqual(['file-2']);
});

test('two tabs that add the same folder at the same time add each file once', async () => {
  const store = new Store();
  const tabs = [adderWith(read), adderWith(read)];
  for (const tab of tabs) tab.add(['a.txt', 'b.txt', 'c.txt'].map((name) => chosen(name, name)));
  for (const tab of tabs) await settled(tab);
  expect(store.names).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(tabs.map(({ unchanged }) => unchanged)).toEqual([0, 3]);
});

test('a tab says that another one is adding, goes on when that one pauses, and can be cancelled before', async () => {
  const store = new Store();
  let isHeld = true;
  const slow = async (file: File) => {
    await vi.waitUntil(() => !isHeld, { timeout: 5000 });
    return read(file);
  };
  const [one, other, third] = [adderWith(slow), adderWith(read), adderWith(read)];
  one.add([chosen('a.txt'), chosen('b.txt')]);
  other.add([chosen('c.txt')]);
  third.add([chosen('d.txt')]);
  await vi.waitUntil(() => other.isWaiting && third.isWaiting);
  await third.end();
  one.pause();
  isHeld = false;
  await settled(other);
  expect(store.names).toEqual(['a.txt', 'c.txt']);
  expect([one.state, other.isWaiting, third.state]).toEqual(['paused', false, 'idle']);
});

test('a full disk pauses with its reason, and going on adds the same file', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const store = new Store();
  const adder = adderWith(read);
  store.failure = { status: 507, code: 'storage_unavailable' };
  adder.add([chosen('a.txt'), chosen('b.txt')]);
  await settled(adder);
  expect(adder).toMatchObject({ state: 'paused', problem: 'The disk is full.', done: 0, total: 2 });
  store.failure = null;
  adder.resume();
  await settled(adder);
  expect(adder).toMatchObject({ state: 'idle', problem: '', done: 2 });
  expect(store.names).toEqual(['a.txt', 'b.txt']);
});

test('pausing stops after the file in work, and going on while it is in work adds each file once', async () => {
  const store = new Store();
  const waiting: (() => void)[] = [];
  const slow = async (file: File) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return read(file);
  };
  const adder = adderWith(slow);
  adder.add([chosen('a.txt'), chosen('b.txt'), chosen('c.txt')]);
  await vi.waitUntil(() => waiting.length === 1);
  adder.pause();
  adder.resume();
  adder.pause();
  waiting.shift()!();
  await vi.waitFor(() => expect(adder.done).toBe(1));
  expect(adder.state).toBe('paused');
  expect(waiting).toEqual([]);
  adder.resume();
  while (adder.state === 'adding') {
    waiting.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(store.names).toEqual(['a.txt', 'b.txt', 'c.txt']);
});

test('cancelling leaves what is indexed, and the next files are added from the beginning', async () => {
  const store = new Store();
  const adder = adderWith(read);
  adder.add([chosen('a.txt'), chosen('b.txt')]);
  await settled(adder);
  store.files[0]!.status = 'completed';
  adder.add([chosen('c.txt'), chosen('d.txt')]);
  await adder.cancel();
  expect(store.names).toEqual(['a.txt']);
  expect(adder).toMatchObject({ state: 'idle', problem: '' });
  adder.add([chosen('e.txt')]);
  await settled(adder);
  expect(adder).toMatchObject({ total: 1, done: 1 });
  expect(store.names).toEqual(['a.txt', 'e.txt']);
});

test('cancelling keeps files that are only indexed again, also where new versions of them wait', async () => {
  const endpoint = new DocumentEndpoint();
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) =>
    endpoint.app.fetch(new Request(`https://tabserve.test${path}`, { ...init, signal: null })),
  );
  const { signal } = new AbortController();
  const { id } = await createCollection('Sea', signal);
  const adder = adderWith(read, id);
  adder.add([chosen('a.txt', 'Whales'), chosen('b.txt', 'Krill')]);
  await settled(adder);
  await endpoint.indexed(id);
  await pauseIndexing(id, true);
  for (const [name, blob] of endpoint.stored.contents)
    if (name.includes('vs_')) endpoint.stored.contents.set(name, blob.slice(1));
  const find = async (query: string) =>
    (await searchCollection(id, { query, max_num_results: 1 }, signal)).map(({ content }) => content[0]!.text);
  expect(await find('whales')).toEqual([]);
  expect(await listFiles(id, signal, 'in_progress')).toHaveLength(2);
  adder.add([chosen('a.txt', 'Squids'), chosen('c.txt', 'Ships')]);
  await settled(adder);
  await adder.cancel();
  await pauseIndexing(id, false);
  await endpoint.indexed(id);
  expect((await listFiles(id, signal)).map(({ attributes: { name } }) => name)).toEqual(['b.txt', 'a.txt']);
  expect(await find('whales')).toEqual(['Whales']);
});

test.each([
  ['is too large for this site', 413, 'request_too_large'],
  ['is at fault in another way', 400, 'invalid_value'],
])('a file that %s is named with the reason of the endpoint, and all others are added', async (_, status, code) => {
  const store = new Store();
  const adder = adderWith(read);
  store.failure = { status, code, file: 'a.txt.txt' };
  adder.add([chosen('a.txt'), chosen('b.txt')]);
  await settled(adder);
  expect(adder).toMatchObject({ state: 'idle', done: 2 });
  expect(adder.remarks).toEqual([{ name: 'a.txt', words: 'The disk is full.', isRefused: true }]);
  expect(store.names).toEqual(['b.txt']);
});

test('names and paths that are longer than the endpoint accepts keep their ends, and are replaced, too', async () => {
  const store = new Store();
  const path = `${'folder/'.repeat(100)}${'\u{1F6A2}'.repeat(125)}.pdf`;
  for (const text of ['Old', 'New']) {
    const adder = adderWith(read);
    adder.add([chosen(path, text)]);
    await settled(adder);
  }
  expect(store.files.map(({ text }) => text)).toEqual(['New']);
  const [{ uploaded, attributes }] = store.files as [StoredFile];
  expect(uploaded.length).toBeLessThanOrEqual(255);
  expect(uploaded).toMatch(/^…?\u{1F6A2}+\.pdf\.txt$/u);
  expect(attributes.name).toMatch(/^….*\/\u{1F6A2}+\.pdf$/u);
});

test('all files of a name are replaced, also those that other tabs have added since, and gone ones do not matter', async () => {
  const store = new Store();
  const adder = adderWith(read);
  adder.add([chosen('a.txt', 'Old')]);
  await settled(adder);
  for (const id of ['file-8', 'file-9']) store.files.push({ ...store.files[0]!, id, text: 'Of another tab' });
  store.files.shift();
  adder.add([chosen('a.txt', 'New')]);
  await settled(adder);
  expect(store.files.map(({ text }) => text)).toEqual(['New']);
});

test('cancelling during an upload leaves no file behind', async () => {
  const store = new Store();
  const adder = adderWith(read);
  const waiting: (() => void)[] = [];
  store.answering = new Promise((resolve) => waiting.push(resolve));
  adder.add([chosen('a.txt'), chosen('b.txt')]);
  await vi.waitFor(() => expect(store.files).toHaveLength(1));
  const cancelled = adder.cancel();
  waiting[0]!();
  await cancelled;
  expect(store.files).toEqual([]);
});

test('the browser asks before the page is left while files of any collection are to be added', async () => {
  const store = new Store();
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const [one, other] = [adderOf('vs_1'), adderOf('vs_2')];
  expect(adderOf('vs_1')).toBe(one);
  one.add([chosen('a.txt')]);
  other.add([chosen('a.txt')]);
  one.pause();
  await other.cancel();
  expect(asks()).toBe(true);
  await one.end();
  expect(asks()).toBe(false);
  expect(store.files).toEqual([]);
});

test('a file that is indexed while the others are being removed stays, as the one that it replaces is gone', async () => {
  const store = new Store();
  const adder = adderWith(read);
  for (const text of ['Old', 'New']) {
    store.index();
    adder.add([chosen('a.txt', text), chosen('b.txt', text)]);
    await settled(adder);
  }
  // The endpoint indexes the oldest first, and what is removed first is the newest.
  const remove = store.files.splice.bind(store.files);
  let removals = 0;
  vi.spyOn(store.files, 'splice').mockImplementation((...given: [number, number]) => {
    const removed = remove(...given);
    removals += 1;
    if (removals === 1) store.index();
    return removed;
  });
  await adder.cancel();
  expect(store.files.map(({ attributes, text }) => [attributes.name, text])).toEqual([
    ['b.txt', 'Old'],
    ['a.txt', 'New'],
  ]);
});

test('a version that was indexed since the round began is kept until the next one is indexed', async () => {
  const store = new Store();
  const adder = adderWith(read);
  const add = async (text: string) => {
    adder.add([chosen('a.txt', text)]);
    await settled(adder);
  };
  await add('Old');
  store.index();
  await add('New');
  const slow = new DocumentAdder('vs_1', {
    locks: locks as unknown as LockManager,
    read: async (file) => {
      if (file.name === 'a.txt') store.index();
      return read(file);
    },
  });
  slow.add([chosen('a.txt', 'Newest')]);
  await settled(slow);
  expect(store.files.map(({ text }) => text)).toEqual(['New', 'Newest']);
  await slow.cancel();
  expect(store.files.map(({ text }) => text)).toEqual(['New']);
});

test('adding ends if the collection is deleted meanwhile, and the browser does not ask any more', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const store = new Store();
  const adder = adderWith(read);
  store.isDeleted = true;
  adder.add([chosen('a.txt'), chosen('b.txt')]);
  await settled(adder);
  expect(adder).toMatchObject({ state: 'idle', problem: '' });
});
