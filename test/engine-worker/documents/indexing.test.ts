import { beforeEach, expect, test } from 'vitest';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';

let endpoint: DocumentEndpoint;

beforeEach(() => {
  endpoint = new DocumentEndpoint();
});

/** A text of as many passages; each has a word of its own. */
const textOf = (passages: number) =>
  Array.from({ length: passages }, (_, index) => `# Part ${index}\n\nnumber${index} ${'word '.repeat(150)}`).join(
    '\n\n',
  );

/** Creates a store that waits to index these texts while the gate of the model is closed. */
async function waiting(...texts: readonly string[]): Promise<{ store: string; files: string[]; open: () => void }> {
  const gate = new AbortController();
  endpoint.completions.gate = new Promise((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  const files: string[] = [];
  for (const text of texts) files.push(await endpoint.uploaded(text));
  const { id } = await endpoint.json<{ id: string }>('POST', '/vector_stores', { file_ids: files });
  return { store: id, files, open: () => gate.abort() };
}

async function found(store: string, query: string): Promise<readonly string[]> {
  const body = { query, max_num_results: 1 };
  const { data } = await endpoint.json<{ data: { content: [{ text: string }] }[] }>(
    'POST',
    `/vector_stores/${store}/search`,
    body,
  );
  return data.map(({ content }) => content[0].text);
}

const embedded = () => endpoint.completions.requests.reduce((sum, count) => sum + count, 0);

test('the next engine indexes what an engine that ended has not', async () => {
  const { store } = await waiting('Whales eat krill.', 'Bread is baked.');
  // The lock of an engine that ended is released.
  endpoint.locks = new DocumentEndpoint().locks;
  endpoint.completions.gate = Promise.resolve();
  await endpoint.restartEngine();
  await endpoint.indexed(store);
  expect(await found(store, 'krill')).toEqual(['Whales eat krill.']);
});

test('a large file is continued after the vectors that were stored, with the same result', async () => {
  const text = textOf(300);
  const { store } = await endpoint.filled({ 'whole.txt': text });
  const whole = embedded();
  expect(whole).toBeGreaterThan(280);
  const reference = await found(store, 'number290');

  endpoint = new DocumentEndpoint();
  const halted = new Promise<void>(() => {});
  endpoint.completions.onRequest = () => {
    if (embedded() > 270) endpoint.completions.gate = halted;
  };
  const file = await endpoint.uploaded(text);
  const { id } = await endpoint.json<{ id: string }>('POST', '/vector_stores', { file_ids: [file] });
  while (embedded() <= 270) await new Promise((resolve) => setImmediate(resolve));
  const before = embedded();
  endpoint.locks = new DocumentEndpoint().locks;
  endpoint.completions.gate = Promise.resolve();
  endpoint.completions.onRequest = () => {};
  await endpoint.restartEngine();
  await endpoint.indexed(id);
  // Only what came after the checkpoint of 256 vectors is computed anew.
  expect(embedded() - before).toBe(whole - 256);
  expect(await found(id, 'number290')).toEqual(reference);
  expect([...endpoint.stored.contents.keys()].filter((name) => name.endsWith('checkpoint'))).toEqual([]);
});

test('nothing of a file is found before all of it is indexed', async () => {
  const { store, open } = await waiting('Whales eat krill.');
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({
    status: 'in_progress',
    file_counts: { in_progress: 1, completed: 0 },
    usage_bytes: 0,
  });
  expect(await found(store, 'krill')).toEqual([]);
  open();
  await endpoint.indexed(store);
  expect(await found(store, 'krill')).toEqual(['Whales eat krill.']);
});

test.each(['file', 'store'] as const)('a %s that is deleted while it is indexed leaves no byte', async (what) => {
  const { store, files, open } = await waiting('Whales eat krill.');
  await endpoint.json('DELETE', what === 'file' ? `/files/${files[0]}` : `/vector_stores/${store}`);
  open();
  // The next file is indexed after the deleted one was given up.
  const next = await endpoint.filled({ 'next.txt': 'Bread.' });
  await endpoint.json('DELETE', `/vector_stores/${next.store}`);
  for (const id of [...files, ...next.files]) await endpoint.json('DELETE', `/files/${id}`);
  if (what === 'file') await endpoint.json('DELETE', `/vector_stores/${store}`);
  expect([endpoint.stored.size, [...endpoint.stored.contents.keys()]]).toEqual([0, []]);
});

test('a file that is added again replaces what was indexed of it', async () => {
  const { store, files } = await endpoint.filled({ 'a.txt': textOf(3) });
  const { usage_bytes: before } = await endpoint.json<{ usage_bytes: number }>('GET', `/vector_stores/${store}`);
  const chunking_strategy = { type: 'static', static: { max_chunk_size_tokens: 100, chunk_overlap_tokens: 50 } };
  await endpoint.json('POST', `/vector_stores/${store}/files`, { file_id: files[0], chunking_strategy });
  await endpoint.indexed(store);
  const { usage_bytes: after } = await endpoint.json<{ usage_bytes: number }>('GET', `/vector_stores/${store}`);
  expect(after).toBeGreaterThan(before);
  expect(endpoint.stored.contents.size).toBe(2);
  expect((await found(store, 'number1'))[0]).toContain('number1');
});

test('blobs that an engine left behind are deleted by the next one, all others stay', async () => {
  const { store } = await endpoint.filled({ 'a.txt': 'Whales eat krill.' });
  endpoint.stored.contents.set('file-unknown', new Blob(['a']));
  endpoint.stored.contents.set('vs_1 file-1 2', new Blob(['a']));
  await endpoint.restartEngine();
  expect(endpoint.stored.contents.size).toBe(2);
  expect(await found(store, 'krill')).toEqual(['Whales eat krill.']);
});

test('a file whose index another version has written is indexed again', async () => {
  const { store } = await endpoint.filled({ 'a.txt': 'Whales eat krill.' });
  const name = [...endpoint.stored.contents.keys()].find((one) => one.startsWith('vs_'))!;
  endpoint.stored.contents.set(name, new Blob([Uint32Array.of(4), Uint32Array.of(1), '{}']));
  await endpoint.restartEngine();
  expect(await found(store, 'krill')).toEqual([]);
  await endpoint.indexed(store);
  expect(await found(store, 'krill')).toEqual(['Whales eat krill.']);
});

test('a disk that is full while a file is indexed is told, and nothing of the index is left', async () => {
  const { store, files, open } = await waiting('Whales eat krill.');
  endpoint.stored.writeError = new Error('QuotaExceededError');
  open();
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `/vector_stores/${store}/files/${files[0]}`)).toMatchObject({
    status: 'failed',
    last_error: { code: 'server_error' },
  });
  expect([...endpoint.stored.contents.keys()]).toEqual(files);
});

test.each<[string, BlobPart, string, string | null]>([
  ['UTF-8 with a byte order mark', '\ufeffGrüße\r\nan alle', 'a.txt', 'Grüße\nan alle'],
  ['UTF-16 LE', Uint8Array.of(0xff, 0xfe, 0x41, 0, 0xe4, 0), 'a.txt', 'Aä'],
  ['UTF-16 BE', Uint8Array.of(0xfe, 0xff, 0, 0x41, 0, 0xe4), 'a.log', 'Aä'],
  ['a name without extension', 'Krill', 'README', 'Krill'],
  ['Latin-1', Uint8Array.of(...new TextEncoder().encode('Gr'), 0xfc, 0xdf, 0x65), 'a.txt', 'Grüße'],
  [
    'bytes of a picture',
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 1, 2, 3, 4),
    'a.txt',
    null,
  ],
  ['white space only', ' \n\t ', 'a.txt', null],
  ['the name of another format', 'Krill', 'a.DOCX', 'Krill'],
  [
    'HTML',
    '<!doctype html><title>Whales</title><h2>Food</h2><p>Krill &amp; more',
    'a',
    'Whales\n\n## Food\n\nKrill & more',
  ],
  ['subtitles', '1\n00:00:01,000 --> 00:00:02,000\nKrill?\n', 'a.srt', 'Krill?'],
  ['RTF', '{\\rtf1 Krill}', 'a.txt', 'Krill'],
])('text of a file: %s', async (_what, content, name, expected) => {
  const file = await endpoint.uploaded(content, name);
  const { id } = await endpoint.json<{ id: string }>('POST', '/vector_stores', { file_ids: [file] });
  await endpoint.indexed(id);
  const path = `/vector_stores/${id}/files/${file}`;
  const { data, httpStatus } = await endpoint.json<{ data?: [{ text: string }]; httpStatus: number }>(
    'GET',
    `${path}/content`,
  );
  expect([httpStatus, data?.[0].text ?? null]).toEqual([expected === null ? 400 : 200, expected]);
  expect(await endpoint.json('GET', path)).toMatchObject({ status: expected === null ? 'failed' : 'completed' });
});

test('a file whose content cannot be found any more stays in its store, which says so', async () => {
  const { store, files, open } = await waiting('Whales eat krill.', 'Bread is baked.');
  endpoint.stored.contents.delete(files[1]!);
  open();
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `/vector_stores/${store}/files/${files[1]}`)).toMatchObject({
    status: 'failed',
    last_error: { code: 'invalid_file', message: expect.stringContaining('Upload it again') },
  });
  expect(await found(store, 'krill')).toEqual(['Whales eat krill.']);
});

test('other tasks run again and again while the words of a large file are read', async () => {
  let turns = 0;
  const file = await endpoint.uploaded(textOf(400));
  const { id } = await endpoint.json<{ id: string }>('POST', '/vector_stores', { file_ids: [file] });
  // A timer that is set again takes its turn only when the thread is free.
  while (endpoint.completions.requests.length === 0) {
    await new Promise((resolve) => setTimeout(resolve));
    turns += 1;
  }
  expect(turns).toBeGreaterThanOrEqual(6);
  await endpoint.indexed(id);
});

test('a search finds the right passage while a search of the former index of the file ends', async () => {
  const { store, files } = await endpoint.filled({ 'a.txt': textOf(8) });
  await endpoint.restartEngine();
  const { read } = endpoint.stored.blobs;
  const released = new AbortController();
  endpoint.stored.blobs.read = async (name) => {
    const content = await read(name);
    if (!released.signal.aborted && name.startsWith(store)) {
      endpoint.stored.blobs.read = read;
      await new Promise((resolve) => released.signal.addEventListener('abort', resolve));
    }
    return content;
  };
  const former = found(store, 'number6');
  while (endpoint.stored.blobs.read !== read) await new Promise((resolve) => setImmediate(resolve));
  const chunking_strategy = { type: 'static', static: { max_chunk_size_tokens: 100, chunk_overlap_tokens: 0 } };
  await endpoint.json('POST', `/vector_stores/${store}/files`, { file_id: files[0], chunking_strategy });
  await endpoint.indexed(store);
  // The later search has brought the index up to date, and waits for the vector of its question.
  const gate = new AbortController();
  endpoint.completions.gate = new Promise((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  const asked = new Promise<void>((resolve) => (endpoint.completions.onRequest = resolve));
  const latter = found(store, 'number6');
  await asked;
  released.abort();
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  gate.abort();
  expect((await latter)[0]).toContain('number6');
  await former;
});

test('a file that is replaced is found until the new one is indexed, and then it is gone', async () => {
  const { store, files } = await endpoint.filled({ 'old.txt': 'Whales eat krill.' });
  const [old] = files;
  const gate = new AbortController();
  const replacedBy = async (text: string) => {
    const file = await endpoint.uploaded(text);
    await endpoint.json('POST', `/vector_stores/${store}/files`, { file_id: file, replaces_file_id: old });
    return file;
  };
  endpoint.completions.gate = new Promise((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  const cancelled = await replacedBy('Whales eat squid.');
  await endpoint.json('DELETE', `/files/${cancelled}`);
  const next = await replacedBy('Whales eat fish.');
  gate.abort();
  await endpoint.indexed(store);
  expect(await found(store, 'whales')).toEqual(['Whales eat fish.']);
  expect(await endpoint.json('GET', `/files/${old}`)).toMatchObject({ httpStatus: 404 });
  expect(await endpoint.json('GET', `/vector_stores/${store}/files`)).toMatchObject({ data: [{ id: next }] });
});

test.each([
  ['that was never there', async () => 'file-none', 404],
  ['of no vector store', () => endpoint.uploaded('Whales sing.'), 404],
  ['of another vector store', async () => (await endpoint.filled({ 'b.txt': 'Whales sing.' })).files[0]!, 404],
  ['that is the new one itself', async (file: string) => file, 400],
] as const)(
  'a file that shall replace one %s is refused, and nothing is added or deleted',
  async (_, other, status) => {
    const { store, files } = await endpoint.filled({ 'old.txt': 'Whales eat krill.' });
    const file = await endpoint.uploaded('Whales eat fish.');
    const replaces = await other(file);
    const known = await endpoint.json('GET', '/files');
    const body = { file_id: file, replaces_file_id: replaces };
    expect(await endpoint.json('POST', `/vector_stores/${store}/files`, body)).toMatchObject({
      httpStatus: status,
      error: { param: 'replaces_file_id', message: expect.stringContaining(replaces) },
    });
    expect(await endpoint.json('GET', `/vector_stores/${store}/files`)).toMatchObject({ data: [{ id: files[0] }] });
    expect(await endpoint.json('GET', '/files')).toEqual(known);
  },
);

test('a request to replace a file that the browser repeats after it has succeeded succeeds again', async () => {
  const { store, files } = await endpoint.filled({ 'old.txt': 'Whales eat krill.' });
  const body = { file_id: await endpoint.uploaded('Whales eat fish.'), replaces_file_id: files[0] };
  for (const _ of [1, 2]) {
    expect(await endpoint.json('POST', `/vector_stores/${store}/files`, body)).toMatchObject({ httpStatus: 200 });
    await endpoint.indexed(store);
  }
  expect(await found(store, 'whales')).toEqual(['Whales eat fish.']);
});

test.each([
  ['file_batches', (id: string) => ({ file_ids: [id], replaces_file_id: 'file-a' }), 'replaces_file_id'],
  [
    'file_batches',
    (id: string) => ({ files: [{ file_id: id, replaces_file_id: 'file-a' }] }),
    'files[0].replaces_file_id',
  ],
])('where a file cannot replace another one, the field is refused: %s %#', async (path, body, param) => {
  const { store, files } = await endpoint.filled({ 'old.txt': 'Whales eat krill.' });
  expect(await endpoint.json('POST', `/vector_stores/${store}/${path}`, body(files[0]!))).toMatchObject({
    httpStatus: 400,
    error: { code: 'unsupported_parameter', param },
  });
});

test('a file that cannot be indexed replaces none', async () => {
  const { store, files } = await endpoint.filled({ 'old.txt': 'Whales eat krill.' });
  const file = await endpoint.uploaded('\0\u0001');
  await endpoint.json('POST', `/vector_stores/${store}/files`, { file_id: file, replaces_file_id: files[0] });
  await endpoint.indexed(store);
  expect(await found(store, 'whales')).toEqual(['Whales eat krill.']);
});

test('a file that waits while the model of its store is replaced fails, and mixes no vectors', async () => {
  const { store } = await endpoint.filled({ 'a.txt': 'Whales eat krill.' });
  const file = await endpoint.uploaded('Whales sing.');
  await endpoint.json('POST', `/vector_stores/${store}`, { paused: true });
  await endpoint.json('POST', `/vector_stores/${store}/files`, { file_id: file });
  const known = endpoint.models;
  endpoint.models = known.map((model) => ({ ...model, modelUrl: 'https://site.test/other/' }));
  await endpoint.json('POST', `/vector_stores/${store}`, { paused: false });
  await endpoint.indexed(store);
  endpoint.models = known;
  expect(await endpoint.json('GET', `/vector_stores/${store}/files/${file}`)).toMatchObject({
    status: 'failed',
    last_error: { message: expect.stringContaining('another model') },
  });
  expect(await found(store, 'whales')).toEqual(['Whales eat krill.']);
});

test('a store tells how much of it is indexed while a file is being indexed', async () => {
  const text = textOf(40);
  endpoint.completions.onRequest = () => {
    if (embedded() > 20) endpoint.completions.gate = new Promise<void>(() => {});
  };
  const file = await endpoint.uploaded(text);
  const { id } = await endpoint.json<{ id: string }>('POST', '/vector_stores', { file_ids: [file] });
  while (embedded() <= 20) await new Promise((resolve) => setImmediate(resolve));
  const { indexing } = await endpoint.json<{ indexing: Record<string, number> }>('GET', `/vector_stores/${id}`);
  expect(indexing).toMatchObject({ passages: 16 });
  expect(indexing['indexed_bytes']! + indexing['waiting_bytes']!).toBe(text.length);
  expect(indexing['indexed_bytes']).toBeLessThan(text.length / 2);
});

test('a store that is paused is not indexed, another one is, and it goes on where it has paused', async () => {
  const paused = await endpoint.json<{ id: string }>('POST', '/vector_stores', {});
  const pause = (isPaused: boolean) => endpoint.json('POST', `/vector_stores/${paused.id}`, { paused: isPaused });
  expect(await pause(true)).toMatchObject({ indexing: { paused: true } });
  const file = await endpoint.uploaded('Whales eat krill.');
  await endpoint.json('POST', `/vector_stores/${paused.id}/files`, { file_id: file });
  await endpoint.filled({ 'bread.txt': 'Bread is baked.' });
  expect(await endpoint.json('GET', `/vector_stores/${paused.id}`)).toMatchObject({
    file_counts: { in_progress: 1, completed: 0 },
  });
  await endpoint.restartEngine();
  await pause(false);
  await endpoint.indexed(paused.id);
  expect(await found(paused.id, 'krill')).toEqual(['Whales eat krill.']);
});

test('pausing stops after the batch that is being computed', async () => {
  const { id } = await endpoint.json<{ id: string }>('POST', '/vector_stores', {});
  const gate = new AbortController();
  const closed = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  const pause = async () => {
    await endpoint.json('POST', `/vector_stores/${id}`, { paused: true });
    gate.abort();
  };
  endpoint.completions.onRequest = () => {
    if (embedded() !== 8) return;
    endpoint.completions.gate = closed;
    void pause();
  };
  const file = await endpoint.uploaded(textOf(40));
  await endpoint.json('POST', `/vector_stores/${id}/files`, { file_id: file });
  while (embedded() < 8) await new Promise((resolve) => setImmediate(resolve));
  await closed;
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(embedded()).toBe(8);
  await endpoint.json('POST', `/vector_stores/${id}`, { paused: false });
  await endpoint.indexed(id);
  expect(await found(id, 'number30')).toEqual([expect.stringContaining('number30')]);
});
