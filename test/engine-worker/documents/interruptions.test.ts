import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';

let endpoint: DocumentEndpoint;

beforeEach(() => {
  endpoint = new DocumentEndpoint();
});

const textOf = (passages: number) =>
  Array.from({ length: passages }, (_, index) => `# Part ${index}\n\nnumber${index} ${'word '.repeat(60)}`).join(
    '\n\n',
  );

/** With it each part of {@link textOf} is a passage. */
const chunking_strategy = { type: 'static', static: { max_chunk_size_tokens: 100, chunk_overlap_tokens: 0 } };

const turn = () => new Promise((resolve) => setImmediate(resolve));

const embedded = () => endpoint.completions.requests.reduce((sum, count) => sum + count, 0);

const blobs = () => [...endpoint.stored.contents.keys()].toSorted();
const checkpoints = () => blobs().filter((name) => name.includes('checkpoint'));

interface Created {
  readonly id: string;
}

/** Begins to index a file, and resolves when so many vectors are computed. The model then waits for {@link resumed}. */
async function interrupted(text: string, vectors: number): Promise<{ store: string; file: string; batch: string }> {
  const halted = new Promise<void>(() => {});
  endpoint.completions.onRequest = () => {
    if (embedded() > vectors) endpoint.completions.gate = halted;
  };
  const file = await endpoint.uploaded(text);
  const { id: store } = await endpoint.json<Created>('POST', '/vector_stores', {});
  const path = `/vector_stores/${store}/file_batches`;
  const batch = await endpoint.json<Created>('POST', path, { file_ids: [file], chunking_strategy });
  while (embedded() <= vectors) await turn();
  return { store, file, batch: `${path}/${batch.id}` };
}

/** Starts the next engine after one that ended without a word. */
async function resumed(): Promise<void> {
  endpoint.locks = new DocumentEndpoint().locks;
  endpoint.completions.gate = Promise.resolve();
  endpoint.completions.onRequest = () => {};
  await endpoint.restartEngine();
}

test.each<[string, (blob: Blob) => Blob]>([
  ['of another version', (blob) => new Blob([Uint32Array.of(1), blob.slice(4)])],
  ['that is empty', () => new Blob([])],
  ['that was cut', (blob) => blob.slice(0, blob.size - 100)],
  ['whose header is no JSON', (blob) => new Blob([blob.slice(0, 8), '[', blob.slice(9)])],
])('after a checkpoint %s the file is indexed anew', async (_, damage) => {
  const { store } = await interrupted(textOf(300), 260);
  const [name] = checkpoints();
  endpoint.stored.contents.set(name!, damage(endpoint.stored.contents.get(name!)!));
  const before = embedded();
  await resumed();
  await endpoint.indexed(store);
  expect(embedded() - before).toBeGreaterThanOrEqual(300);
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({ file_counts: { completed: 1 } });
  expect(checkpoints()).toEqual([]);
});

test('the checkpoints of a large file contain each vector once', async () => {
  let written = 0;
  const { write } = endpoint.stored.blobs;
  endpoint.stored.blobs.write = async (name, content) => {
    if (name.includes('checkpoint')) written += content.size;
    await write(name, content);
  };
  const file = await endpoint.uploaded(textOf(1100));
  const { id: store } = await endpoint.json<Created>('POST', '/vector_stores', { file_ids: [file], chunking_strategy });
  await endpoint.indexed(store);
  expect(embedded()).toBe(1100);
  const [vectors, scales] = [1100 * 64, 1100 * 4];
  expect(written).toBeGreaterThan(0.8 * vectors);
  expect(written).toBeLessThan(1.1 * (vectors + scales));
  expect(checkpoints()).toEqual([]);
});

test.each<[string, (store: string, file: string, batch: string) => Promise<unknown>, status: string | undefined]>([
  ['cancelled', (_store, _file, batch) => endpoint.json('POST', `${batch}/cancel`, {}), 'cancelled'],
  ['removed', (store, file) => endpoint.json('DELETE', `/vector_stores/${store}/files/${file}`), undefined],
  ['failed', async () => endpoint.completions.failures.push(new ApiError('model_load_failed', 'Gone.')), 'failed'],
])('a file that is %s leaves no checkpoint', async (_, end, status) => {
  const { store, file, batch } = await interrupted(textOf(600), 300);
  expect(checkpoints()).toHaveLength(1);
  await end(store, file, batch);
  await resumed();
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `/vector_stores/${store}/files/${file}`)).toMatchObject(
    status === undefined ? { error: { code: 'file_not_found' } } : { status },
  );
  expect(blobs()).toEqual([file]);
});

test('a file whose failure cannot be recorded ends as soon as records can be stored again', async () => {
  const { store } = await interrupted('Whales eat krill.', 0);
  endpoint.stored.recordError = new ApiError('storage_unavailable', 'The disk is full.');
  await resumed();
  for (let turns = 0; turns < 200; turns += 1) await turn();
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({ status: 'in_progress' });
  endpoint.stored.recordError = null;
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({ file_counts: { in_progress: 0 } });
});

test('a batch for which the disk has no room is refused as a whole, and files can be deleted to make room', async () => {
  const { id: store } = await endpoint.json<Created>('POST', '/vector_stores', {});
  const file_ids = [await endpoint.uploaded('Whales.'), await endpoint.uploaded('Bread.')];
  endpoint.stored.recordError = new ApiError('storage_unavailable', 'The disk is full.');
  const path = `/vector_stores/${store}/file_batches`;
  expect(await endpoint.json('POST', path, { file_ids })).toMatchObject({
    httpStatus: 503,
    error: { code: 'storage_unavailable' },
  });
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({ file_counts: { total: 0 } });
  for (const id of file_ids) expect(await endpoint.json('DELETE', `/files/${id}`)).toMatchObject({ deleted: true });
  expect([endpoint.stored.size, blobs()]).toEqual([1, []]);
});

test('two clients that add the same file at once leave one index', async () => {
  const { id: store } = await endpoint.json<Created>('POST', '/vector_stores', {});
  const file_id = await endpoint.uploaded('Whales eat krill.');
  const add = (size: number) => {
    const chunking_strategy = { type: 'static', static: { max_chunk_size_tokens: size, chunk_overlap_tokens: 0 } };
    return endpoint.json('POST', `/vector_stores/${store}/files`, { file_id, chunking_strategy });
  };
  await Promise.all([add(100), add(200), add(300)]);
  await endpoint.indexed(store);
  await Promise.all([add(400), add(500)]);
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({
    file_counts: { completed: 1, total: 1 },
  });
  await endpoint.filled({ 'next.txt': 'Bread.' });
  expect(blobs().filter((name) => name.startsWith(store))).toHaveLength(1);
});

test.each(Array.from({ length: 12 }, (_, turns) => turns))(
  'a store that is deleted %d turns after files were sent to it leaves nothing',
  async (turns) => {
    const { id: store } = await endpoint.json<Created>('POST', '/vector_stores', {});
    const file_ids = [await endpoint.uploaded('Whales.'), await endpoint.uploaded('Bread.')];
    const adding = endpoint.json('POST', `/vector_stores/${store}/file_batches`, { file_ids });
    for (let count = 0; count < turns; count += 1) await turn();
    await endpoint.json('DELETE', `/vector_stores/${store}`);
    await adding;
    for (const id of file_ids) await endpoint.json('DELETE', `/files/${id}`);
    for (let count = 0; count < 50; count += 1) await turn();
    expect([endpoint.stored.size, blobs()]).toEqual([0, []]);
  },
);

test('a store of which one file is unknown is not created', async () => {
  const file = await endpoint.uploaded('Whales.');
  const refused = await endpoint.json('POST', '/vector_stores', { file_ids: [file, 'file-1'] });
  expect(refused).toMatchObject({ httpStatus: 404, error: { code: 'file_not_found', param: 'file_ids' } });
  expect(endpoint.stored.size).toBe(1);
});

test.each<[string, (store: string, file: string) => void]>([
  ['is cut', (_, file) => void endpoint.stored.contents.set(file, endpoint.stored.contents.get(file)!.slice(0, 3))],
  ['is missing', (_, file) => void endpoint.stored.contents.delete(file)],
])(
  'a file whose content %s is not given out as if it were whole, and says so when it is indexed',
  async (_, damage) => {
    const { store, files } = await endpoint.filled({ 'a.txt': 'Whales eat krill.' });
    damage(store, files[0]!);
    expect(await endpoint.json('GET', `/files/${files[0]}/content`)).toMatchObject({
      error: { code: 'file_not_found', message: expect.stringContaining('Upload it again') },
    });
    await endpoint.json('POST', `/vector_stores/${store}/files`, { file_id: files[0] });
    await endpoint.indexed(store);
    expect(await endpoint.json('GET', `/vector_stores/${store}/files/${files[0]}`)).toMatchObject({
      status: 'failed',
      last_error: { code: 'invalid_file' },
    });
  },
);

test.each<[string, (blob: Blob) => Blob]>([
  ['empty', () => new Blob([])],
  ['cut in what is searched', (blob) => blob.slice(0, 30)],
  ['cut in its text', (blob) => blob.slice(0, blob.size - 5)],
])('a file whose index is %s is indexed again', async (_, damage) => {
  const { store, files } = await endpoint.filled({ 'a.txt': 'Whales eat krill.' });
  const name = blobs().find((one) => one.startsWith(store))!;
  endpoint.stored.contents.set(name, damage(endpoint.stored.contents.get(name)!));
  await endpoint.restartEngine();
  const search = () => endpoint.json('POST', `/vector_stores/${store}/search`, { query: 'krill' });
  expect(await search()).toMatchObject({ httpStatus: 200, data: [] });
  await endpoint.indexed(store);
  expect(await search()).toMatchObject({ data: [{ file_id: files[0] }] });
});

test('a blob that could not be deleted is deleted with the next change', async () => {
  const [first, second] = [await endpoint.uploaded('Whales.'), await endpoint.uploaded('Bread.')];
  const { delete: remove } = endpoint.stored.blobs;
  endpoint.stored.blobs.delete = () => Promise.reject(new Error('Being written.'));
  expect(await endpoint.json('DELETE', `/files/${first}`)).toMatchObject({ deleted: true });
  endpoint.stored.blobs.delete = remove;
  await endpoint.json('DELETE', `/files/${second}`);
  expect([endpoint.stored.size, blobs()]).toEqual([0, []]);
});

const upload = (sender: string, content: string, filename = 'a.txt') =>
  endpoint.callEngine(
    'files/create',
    { owner: 'a', sender, content: new Blob([content]), filename, purpose: 'assistants', expiresAfter: null },
    { requestId: '1', clientId: 'a' },
  );

test('an upload that the browser repeats, because its service worker was stopped, makes one file', async () => {
  const [first, second] = await Promise.all([upload('run 1', 'Whales.'), upload('run 2', 'Whales.')]);
  const third = await upload('run 3', 'Whales.');
  expect([second.id, third.id]).toEqual([first.id, first.id]);
  expect(blobs()).toEqual([first.id]);
});

test.each<[string, () => Promise<unknown>, string]>([
  ['the same run', async () => {}, 'run 1'],
  ['a later run, after the result was confirmed', () => confirmAll(), 'run 2'],
  ['a later run, after the file was deleted', () => deleteAll(), 'run 2'],
])('an upload of %s is a file of its own', async (_, meanwhile, sender) => {
  const first = await upload('run 1', 'Whales.');
  await meanwhile();
  expect((await upload(sender, 'Whales.')).id).not.toBe(first.id);
});

test('an upload of another content, or another name, is a file of its own', async () => {
  const made = [
    await upload('run 1', 'Whales.'),
    await upload('run 2', 'Sharks.'),
    await upload('run 3', 'Whales.', 'b'),
  ];
  expect(new Set(made.map(({ id }) => id)).size).toBe(3);
});

const call = (name: 'documents/confirm' | 'files/delete') =>
  Promise.all(blobs().map((id) => endpoint.callEngine(name, { owner: 'a', id }, { requestId: '1', clientId: 'a' })));
const confirmAll = () => call('documents/confirm');
const deleteAll = () => call('files/delete');

test('a file is deleted while another one is being uploaded', async () => {
  const first = await endpoint.uploaded('Whales.');
  const { write } = endpoint.stored.blobs;
  const gate = new AbortController();
  const opened = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  endpoint.stored.blobs.write = async (name, content) => {
    await opened;
    await write(name, content);
  };
  const slow = endpoint.upload('Bread.');
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(await endpoint.json('DELETE', `/files/${first}`)).toMatchObject({ deleted: true });
  gate.abort();
  await slow;
});

test('an index that is written after a failed attempt stays, although what that left could not be deleted', async () => {
  const { blobs } = endpoint.stored;
  const { write, delete: remove } = blobs;
  let [isFull, isStuck] = [true, true];
  blobs.write = async (name, content) => {
    if (!name.startsWith('vs_') || !isFull) return write(name, content);
    isFull = false;
    throw new ApiError('storage_unavailable', 'The disk is full.');
  };
  blobs.delete = async (name) => {
    if (!name.startsWith('vs_') || !isStuck) return remove(name);
    isStuck = false;
    throw new Error('The file is locked.');
  };
  const { store, files } = await endpoint.filled({ 'a.txt': 'Whales eat krill.' });
  await endpoint.json('DELETE', `/files/${await endpoint.uploaded('Bread.')}`);
  expect([isFull, isStuck]).toEqual([false, false]);
  expect(await endpoint.json('GET', `/vector_stores/${store}/files/${files[0]}/content`)).toMatchObject({
    data: [{ text: 'Whales eat krill.' }],
  });
});

test('a file whose index the browser has lost is indexed again when its text is requested', async () => {
  const { store, files } = await endpoint.filled({ 'a.txt': 'Whales eat krill.' });
  endpoint.stored.contents.delete(blobs().find((name) => name.startsWith('vs_'))!);
  const path = `/vector_stores/${store}/files/${files[0]}/content`;
  expect(await endpoint.json('GET', path)).toMatchObject({ httpStatus: 400 });
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', path)).toMatchObject({ data: [{ text: 'Whales eat krill.' }] });
});

test('a file that has expired leaves no byte once it is asked for, and no list has it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const fields = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' };
    const [one, other] = [await endpoint.upload('A', 'a.txt', fields), await endpoint.upload('B', 'b.txt', fields)];
    const { id: file } = (await one.json()) as Created;
    const { id: store } = await endpoint.json<Created>('POST', '/vector_stores', {
      file_ids: [((await other.json()) as Created).id],
    });
    await endpoint.indexed(store);
    vi.setSystemTime(Date.now() + 3_700_000);
    expect(await endpoint.json('GET', `/vector_stores/${store}/files`)).toMatchObject({ data: [] });
    const third = (await (await endpoint.upload('C', 'c.txt', fields)).json()) as Created;
    vi.setSystemTime(Date.now() + 3_700_000);
    expect(await endpoint.json('GET', `/files/${third.id}`)).toMatchObject({ httpStatus: 404 });
    expect(await endpoint.json('DELETE', `/files/${file}`)).toMatchObject({ httpStatus: 404 });
    expect(blobs()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('a file at which the browser ends again and again is read no more, and says why', async () => {
  let begun = 0;
  endpoint.readDocument = async (_file, _name, _site, begins) => {
    await begins?.();
    begun += 1;
    return new Promise<string>(() => {});
  };
  const file = await endpoint.uploaded('%PDF-1.7', 'heavy.pdf');
  const sound = await endpoint.uploaded('Oats and barley.');
  const { id: store } = await endpoint.json<Created>('POST', '/vector_stores', { file_ids: [file, sound] });
  for (let engines = 1; engines <= 5; engines += 1) {
    await vi.waitFor(() => expect(begun).toBe(engines));
    await resumed();
  }
  await endpoint.indexed(store);
  expect(begun).toBe(5);
  expect(await endpoint.json('GET', `/vector_stores/${store}/files/${file}`)).toMatchObject({
    status: 'failed',
    last_error: { code: 'invalid_file', message: expect.stringContaining('ended 5 times') },
  });
  expect(await endpoint.json('GET', `/vector_stores/${store}/files/${sound}`)).toMatchObject({ status: 'completed' });
});

test('a file that waits for a page, or fails for a time, may be read any number of times', async () => {
  let tries = 0;
  endpoint.readDocument = async (_file, _name, _site, begins) => {
    tries += 1;
    if (tries <= 6) return new Promise<string>(() => {});
    await begins?.();
    if (tries <= 12) throw new ApiError('engine_unavailable', 'Not now.');
    return 'Oats and barley.';
  };
  const file = await endpoint.uploaded('%PDF-1.7', 'heavy.pdf');
  const { id: store } = await endpoint.json<Created>('POST', '/vector_stores', { file_ids: [file] });
  for (let engines = 1; engines <= 6; engines += 1) {
    await vi.waitFor(() => expect(tries).toBe(engines));
    await resumed();
  }
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({ file_counts: { completed: 1 } });
});

test.each<[string, (store: string, file: string, batch: string) => Promise<unknown>]>([
  ['deleted', (_store, file) => endpoint.json('DELETE', `/files/${file}`)],
  ['removed from its store', (store, file) => endpoint.json('DELETE', `/vector_stores/${store}/files/${file}`)],
  ['cancelled', (_store, _file, batch) => endpoint.json('POST', `${batch}/cancel`, {})],
  ['paused', (store) => endpoint.json('POST', `/vector_stores/${store}`, { paused: true })],
  ['deleted with its store', (store) => endpoint.json('DELETE', `/vector_stores/${store}`)],
])('a file that is %s while it is read lets the next one be indexed', async (_, end) => {
  let isRead = false;
  endpoint.readDocument = async (_file, _name, _site, begins, unwanted) => {
    await begins?.();
    isRead = true;
    return new Promise((_resolve, reject) =>
      unwanted?.addEventListener('abort', () => reject(unwanted.reason as Error)),
    );
  };
  const { id: store } = await endpoint.json<Created>('POST', '/vector_stores', {});
  const file = await endpoint.uploaded('%PDF-1.7', 'endless.pdf');
  const path = `/vector_stores/${store}/file_batches`;
  const batch = await endpoint.json<Created>('POST', path, { file_ids: [file] });
  await vi.waitFor(() => expect(isRead).toBe(true));
  await end(store, file, `${path}/${batch.id}`);
  await endpoint.filled({ 'next.txt': 'Oats and barley.' });
});
