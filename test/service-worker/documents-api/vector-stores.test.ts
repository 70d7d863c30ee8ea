import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { DocumentEndpoint, WORD_MODEL } from '../../support/fakes/document-endpoint.ts';

let endpoint: DocumentEndpoint;

beforeEach(() => {
  endpoint = new DocumentEndpoint();
});

const TEXTS = { 'whales.txt': 'Whales live in the sea and eat krill.', 'bread.txt': 'Bread is baked from flour.' };

interface Store {
  readonly id: string;
  readonly file_counts: Readonly<Record<string, number>>;
}

interface Results {
  readonly data: readonly { readonly filename: string; readonly score: number; readonly content: object }[];
}

const search = async (store: string, body: object) =>
  (await endpoint.json<Results>('POST', `/vector_stores/${store}/search`, body)).data.map(({ filename }) => filename);

test('a store is created, described, changed, listed and deleted with its indexes', async () => {
  const { store, files } = await endpoint.filled(TEXTS);
  const described = await endpoint.json('GET', `/vector_stores/${store}`);
  expect(described).toEqual({
    id: expect.stringMatching(/^vs_[0-9a-f]{32}$/),
    object: 'vector_store',
    created_at: expect.any(Number),
    name: '',
    description: null,
    status: 'completed',
    file_counts: { in_progress: 0, completed: 2, failed: 0, cancelled: 0, total: 2 },
    usage_bytes: expect.any(Number),
    metadata: {},
    last_active_at: expect.any(Number),
    expires_at: null,
    embedding_model: 'words',
    owns_files: false,
    indexing: { passages: 2, indexed_bytes: 63, waiting_bytes: 0, paused: false },
    httpStatus: 200,
  });
  const changes = { name: 'Sea', metadata: { a: 'b' }, expires_after: { anchor: 'last_active_at', days: 2 } };
  expect(await endpoint.json('POST', `/vector_stores/${store}`, changes)).toMatchObject(changes);
  expect(await endpoint.json('POST', `/vector_stores/${store}`, { expires_after: null })).toMatchObject({
    name: 'Sea',
    expires_at: null,
  });
  expect(await endpoint.json('GET', '/vector_stores')).toMatchObject({ object: 'list', data: [{ id: store }] });
  expect(await endpoint.json('DELETE', `/vector_stores/${store}`)).toMatchObject({
    object: 'vector_store.deleted',
    deleted: true,
  });
  expect([...endpoint.stored.contents.keys()].toSorted()).toEqual(files.toSorted());
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({
    httpStatus: 404,
    error: { code: 'vector_store_not_found' },
  });
});

test('a search returns passages, best first, with the file and a score from 0 to 1', async () => {
  const { store, files } = await endpoint.filled(TEXTS);
  const page = await endpoint.json<Results>('POST', `/vector_stores/${store}/search`, { query: 'What do whales eat?' });
  expect(page).toMatchObject({
    object: 'vector_store.search_results.page',
    search_query: ['What do whales eat?'],
    has_more: false,
    next_page: null,
  });
  expect(page.data[0]).toEqual({
    file_id: files[0],
    filename: 'whales.txt',
    score: expect.any(Number),
    attributes: {},
    content: [{ type: 'text', text: TEXTS['whales.txt'] }],
  });
  for (const { score } of page.data) expect([score > 0, score <= 1]).toEqual([true, true]);
  expect(await search(store, { query: 'whales eat krill', max_num_results: 1 })).toEqual(['whales.txt']);
  expect((await search(store, { query: ['whales eat krill', 'flour for bread'] })).toSorted()).toEqual([
    'bread.txt',
    'whales.txt',
  ]);
  expect(await search(store, { query: 'whales', ranking_options: { score_threshold: 1 } })).toEqual([]);
});

const part = (index: number) => `# Part ${index}\n\nnumber${index} ${'the word '.repeat(100)}`;

test('each result is one passage, however many of its neighbours have words of the query, too', async () => {
  const { store } = await endpoint.filled({
    'a.txt': Array.from({ length: 40 }, (_, index) => part(index)).join('\n\n'),
  });
  const { data } = await endpoint.json<{ data: readonly { content: [{ text: string }] }[] }>(
    'POST',
    `/vector_stores/${store}/search`,
    { query: ['the number30 word', 'the number31 word'], max_num_results: 20 },
  );
  const texts = data.map(({ content }) => content[0].text);
  expect(texts.slice(0, 2).toSorted()).toEqual([part(30), part(31)].map((text) => text.trim()));
  expect([texts.length, new Set(texts).size]).toEqual([20, 20]);
});

test('filters compare the attributes of files, also after they have changed', async () => {
  const { store, files } = await endpoint.filled(TEXTS);
  const [whales, bread] = files;
  const set = (file: string, attributes: object) =>
    endpoint.json('POST', `/vector_stores/${store}/files/${file}`, { attributes });
  expect(await set(whales!, { kind: 'animal', year: 2020, wild: true })).toMatchObject({
    attributes: { kind: 'animal', year: 2020, wild: true },
  });
  await set(bread!, { kind: 'food', year: 2024 });
  const by = (filters: object) => search(store, { query: 'whales bread', filters });
  expect(await by({ type: 'eq', key: 'kind', value: 'food' })).toEqual(['bread.txt']);
  expect(await by({ type: 'lt', key: 'year', value: 2024 })).toEqual(['whales.txt']);
  expect(await by({ type: 'in', key: 'year', value: [2020, 1] })).toEqual(['whales.txt']);
  const both = [
    { type: 'ne', key: 'wild', value: true },
    { type: 'or', filters: [{ type: 'gte', key: 'year', value: 2024 }] },
  ];
  expect(await by({ type: 'and', filters: both })).toEqual(['bread.txt']);
  await set(bread!, { kind: 'animal' });
  expect(await by({ type: 'eq', key: 'kind', value: 'food' })).toEqual([]);
  const cleared = await endpoint.json('POST', `/vector_stores/${store}/files/${whales}`, { attributes: null });
  expect(cleared).toMatchObject({ attributes: {} });
});

test('a page of files in a state begins after a file that has left the state since', async () => {
  const { id: store } = await endpoint.json<{ id: string }>('POST', '/vector_stores', {});
  await endpoint.json('POST', `/vector_stores/${store}`, { paused: true });
  const file_ids: string[] = [];
  for (const text of ['Whales.', 'Bread.', 'Oats.']) file_ids.push(await endpoint.uploaded(text));
  await endpoint.json('POST', `/vector_stores/${store}/file_batches`, { file_ids });
  await endpoint.json('POST', `/vector_stores/${store}`, { paused: false });
  await endpoint.indexed(store);
  const [first, second, third] = file_ids;
  const listed = (query: string) => endpoint.json('GET', `/vector_stores/${store}/files?order=asc&${query}`);
  expect(await listed(`filter=in_progress&after=${first}`)).toMatchObject({ data: [], has_more: false });
  expect(await listed(`filter=completed&limit=1&after=${first}`)).toMatchObject({
    data: [{ id: second }],
    has_more: true,
  });
  expect(await listed(`filter=failed&before=${third}`)).toMatchObject({ data: [] });
});

test('files of a store are listed by state, read as text, and removed without being deleted', async () => {
  const { store, files } = await endpoint.filled({ ...TEXTS, 'scan.pdf': '%PDF-1.4' });
  const path = `/vector_stores/${store}/files`;
  const ids = async (query: string) =>
    (await endpoint.json<{ data: readonly { id: string }[] }>('GET', `${path}${query}`)).data.map(({ id }) => id);
  expect(await ids('')).toEqual(files.toReversed());
  expect(await ids('?filter=failed')).toEqual([files[2]]);
  expect(await ids(`?order=asc&after=${files[0]}`)).toEqual(files.slice(1));
  expect(await ids(`?order=asc&limit=1&before=${files[2]}`)).toEqual([files[1]]);
  expect(await endpoint.json('GET', `${path}/${files[2]}`)).toMatchObject({
    object: 'vector_store.file',
    vector_store_id: store,
    status: 'failed',
    last_error: { code: 'invalid_file', message: expect.stringContaining('damaged') },
    chunking_strategy: { type: 'static', static: { chunk_overlap_tokens: 0 } },
  });
  expect(await endpoint.json('GET', `${path}/${files[0]}/content`)).toMatchObject({
    data: [{ type: 'text', text: TEXTS['whales.txt'] }],
  });
  expect(await endpoint.json('GET', `${path}/${files[2]}/content`)).toMatchObject({ error: { code: 'invalid_value' } });
  expect(await endpoint.json('DELETE', `${path}/${files[0]}`)).toMatchObject({
    object: 'vector_store.file.deleted',
    deleted: true,
  });
  expect(await search(store, { query: 'whales' })).not.toContain('whales.txt');
  expect(await endpoint.json('GET', `/files/${files[0]}`)).toMatchObject({ httpStatus: 200 });
});

test('a deleted file is no longer in any store, and no byte of it is left', async () => {
  const { store, files } = await endpoint.filled(TEXTS);
  await endpoint.json('DELETE', `/files/${files[0]}`);
  expect(await search(store, { query: 'whales eat krill' })).not.toContain('whales.txt');
  for (const content of endpoint.stored.contents.values()) expect(await content.text()).not.toContain('krill');
});

test('a batch counts its files, ends, and lists them', async () => {
  const { id: store } = await endpoint.json<Store>('POST', '/vector_stores', {});
  const [first, second] = [await endpoint.uploaded('Whales.'), await endpoint.uploaded('Bread.')];
  const files = [{ file_id: first, attributes: { a: 1 } }, { file_id: second }];
  const path = `/vector_stores/${store}/file_batches`;
  const response = await endpoint.app.send(path, { method: 'POST', body: JSON.stringify({ files }) });
  expect(response.headers.get('openai-poll-after-ms')).toBe('250');
  const batch = (await response.json()) as { id: string };
  expect(batch).toMatchObject({ object: 'vector_store.files_batch', vector_store_id: store, status: 'in_progress' });
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `${path}/${batch.id}`)).toMatchObject({
    status: 'completed',
    file_counts: { completed: 2, total: 2 },
  });
  expect(await endpoint.json('GET', `${path}/${batch.id}/files?order=asc`)).toMatchObject({
    data: [
      { id: first, attributes: { a: 1 } },
      { id: second, attributes: {} },
    ],
  });
});

test('a cancelled batch indexes no further file, and the others can be searched', async () => {
  const { id: store } = await endpoint.json<Store>('POST', '/vector_stores', {});
  const opened = new AbortController();
  endpoint.completions.gate = new Promise((resolve) => opened.signal.addEventListener('abort', () => resolve()));
  const file_ids = [await endpoint.uploaded('Whales.'), await endpoint.uploaded('Bread.')];
  const path = `/vector_stores/${store}/file_batches`;
  const { id } = await endpoint.json<Store>('POST', path, { file_ids });
  expect(await endpoint.json('POST', `${path}/${id}/cancel`, {})).toMatchObject({
    status: 'cancelled',
    file_counts: { cancelled: 2, total: 2 },
  });
  opened.abort();
  await endpoint.filled(TEXTS);
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({
    status: 'completed',
    usage_bytes: 0,
    file_counts: { cancelled: 2, completed: 0 },
  });
  expect(await search(store, { query: 'whales' })).toEqual([]);
});

test('a batch that has ended before it is cancelled stays completed', async () => {
  const { id: store } = await endpoint.json<Store>('POST', '/vector_stores', {});
  const path = `/vector_stores/${store}/file_batches`;
  const { id } = await endpoint.json<Store>('POST', path, { file_ids: [await endpoint.uploaded('Whales.')] });
  await endpoint.indexed(store);
  expect(await endpoint.json('POST', `${path}/${id}/cancel`, {})).toMatchObject({ status: 'completed' });
  expect(await endpoint.json('GET', `${path}/${id}`)).toMatchObject({
    status: 'completed',
    file_counts: { completed: 1, total: 1 },
  });
});

test('a store and its files are of the key that made them', async () => {
  const { store, files } = await endpoint.filled(TEXTS);
  endpoint.models = [...endpoint.models, { ...WORD_MODEL, id: 'org/seer' }];
  const paths: readonly (readonly [string, string, object?])[] = [
    ['GET', ''],
    ['POST', '', { name: 'a' }],
    ['DELETE', ''],
    ['POST', '/search', { query: 'a' }],
    ['GET', '/files'],
    ['GET', `/files/${files[0]}`],
    ['POST', '/files', { file_id: files[0] }],
    ['GET', '/file_batches/vsfb_1'],
  ];
  for (const [method, path, body] of paths) {
    const response = await endpoint.json(method, `/vector_stores/${store}${path}`, body, 'narrow');
    expect(response).toMatchObject({ httpStatus: 404, error: { code: 'vector_store_not_found' } });
  }
  expect(await endpoint.json('GET', '/vector_stores', undefined, 'narrow')).toMatchObject({ data: [] });
});

test.each<[string, object, { code: string; param: string }]>([
  ['', { name: 7 }, { code: 'invalid_type', param: 'name' }],
  ['', { metadata: { a: 1 } }, { code: 'invalid_type', param: 'metadata.a' }],
  ['', { expires_after: { anchor: 'created_at', days: 1 } }, { code: 'invalid_value', param: 'expires_after.anchor' }],
  ['', { file_ids: ['file-1'] }, { code: 'file_not_found', param: 'file_ids' }],
  ['', { embedding_model: 'pocket' }, { code: 'unsupported_value', param: 'embedding_model' }],
  [
    '',
    { chunking_strategy: { type: 'static', static: { max_chunk_size_tokens: 99, chunk_overlap_tokens: 0 } } },
    { code: 'integer_below_min_value', param: 'chunking_strategy.static.max_chunk_size_tokens' },
  ],
  [
    '',
    { chunking_strategy: { type: 'static', static: { max_chunk_size_tokens: 200, chunk_overlap_tokens: 101 } } },
    { code: 'integer_above_max_value', param: 'chunking_strategy.static.chunk_overlap_tokens' },
  ],
  ['/STORE', { embedding_model: 'words' }, { code: 'unsupported_parameter', param: 'embedding_model' }],
  ['/STORE/files', {}, { code: 'missing_required_parameter', param: 'file_id' }],
  [
    '/STORE/files',
    { file_id: 'a', attributes: Object.fromEntries(Array.from({ length: 17 }, (_, name) => [name, 1])) },
    { code: 'invalid_value', param: 'attributes' },
  ],
  ['/STORE/files', { file_id: 'a', attributes: { a: null } }, { code: 'invalid_type', param: 'attributes.a' }],
  ['/STORE/files/FILE', {}, { code: 'missing_required_parameter', param: 'attributes' }],
  ['/STORE/file_batches', {}, { code: 'missing_required_parameter', param: 'file_ids' }],
  ['/STORE/file_batches', { file_ids: [] }, { code: 'empty_array', param: 'file_ids' }],
  ['/STORE/file_batches', { file_ids: ['a'], files: [] }, { code: 'invalid_value', param: 'file_ids' }],
  ['/STORE/search', {}, { code: 'missing_required_parameter', param: 'query' }],
  ['/STORE/search', { query: ' ' }, { code: 'invalid_value', param: 'query' }],
  [
    '/STORE/search',
    { query: Array.from({ length: 51 }, () => 'a') },
    { code: 'array_above_max_length', param: 'query' },
  ],
  ['/STORE/search', { query: [] }, { code: 'empty_array', param: 'query' }],
  ['/STORE/search', { query: 'a', max_num_results: 51 }, { code: 'integer_above_max_value', param: 'max_num_results' }],
  [
    '/STORE/search',
    { query: 'a', ranking_options: { score_threshold: 1.1 } },
    { code: 'decimal_above_max_value', param: 'ranking_options.score_threshold' },
  ],
  ['/STORE/search', { query: 'a', filters: { type: 'like' } }, { code: 'invalid_value', param: 'filters.type' }],
  [
    '/STORE/search',
    { query: 'a', filters: { type: 'and', filters: [{ type: 'eq', key: 'a' }] } },
    { code: 'missing_required_parameter', param: 'filters.filters[0].value' },
  ],
])('POST /vector_stores%s refuses %j', async (path, body, expected) => {
  const { id } = await endpoint.json<Store>('POST', '/vector_stores', {});
  expect(await endpoint.json('POST', `/vector_stores${path.replace('STORE', id)}`, body)).toMatchObject({
    error: expected,
  });
});

test('an expired store says so, has no files, and cannot be searched', async () => {
  const { store } = await endpoint.filled(TEXTS);
  await endpoint.json('POST', `/vector_stores/${store}`, { expires_after: { anchor: 'last_active_at', days: 1 } });
  vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] });
  try {
    expect(await endpoint.json('POST', `/vector_stores/${store}/search`, { query: 'a' })).toMatchObject({
      error: { code: 'invalid_value', message: expect.stringContaining('expired') },
    });
    expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({
      status: 'expired',
      file_counts: { total: 0 },
    });
    expect(endpoint.stored.contents.size).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test('the next engine deletes what was indexed in a store that has expired', async () => {
  const { store, files } = await endpoint.filled(TEXTS);
  await endpoint.json('POST', `/vector_stores/${store}`, { expires_after: { anchor: 'last_active_at', days: 1 } });
  vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000, toFake: ['Date'] });
  try {
    await endpoint.restartEngine();
    expect([...endpoint.stored.contents.keys()].toSorted()).toEqual(files.toSorted());
  } finally {
    vi.useRealTimers();
  }
});

test.each<[what: string, use: (store: string, file: string) => Promise<unknown>]>([
  ['found', async (store) => expect(await search(store, { query: 'whales' })).toEqual([])],
  [
    'read',
    async (store, file) =>
      expect(await endpoint.json('GET', `/vector_stores/${store}/files/${file}/content`)).toMatchObject({
        error: { code: 'file_not_found' },
      }),
  ],
  ['kept by the next engine', () => endpoint.restartEngine()],
])('an expired file of a store is no longer %s, and no byte of it is left', async (_, use) => {
  const fields = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' };
  const { id: file } = (await (await endpoint.upload('Whales eat krill.', 'a.txt', fields)).json()) as { id: string };
  const { id: store } = await endpoint.json<{ id: string }>('POST', '/vector_stores', { file_ids: [file] });
  await endpoint.indexed(store);
  expect(await search(store, { query: 'whales' })).toEqual(['a.txt']);
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
  try {
    await use(store, file);
    expect([endpoint.stored.size, endpoint.stored.contents.size]).toEqual([1, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('a store whose model was replaced is refused, and its vectors are not mixed with others', async () => {
  const { store, files } = await endpoint.filled(TEXTS);
  endpoint.models = endpoint.models.map((model) => ({ ...model, modelUrl: 'https://site.test/other/' }));
  for (const [path, body] of [
    ['search', { query: 'a' }],
    ['files', { file_id: files[0] }],
  ] as const) {
    expect(await endpoint.json('POST', `/vector_stores/${store}/${path}`, body)).toMatchObject({
      error: { code: 'invalid_value', message: expect.stringContaining('another model') },
    });
  }
});

test('a failure that may pass is repeated, another is reported with the file', async () => {
  const passing = new ApiError('gpu_device_lost', 'The GPU is gone.');
  endpoint.completions.failures.push(passing, passing);
  await expect(endpoint.filled(TEXTS)).resolves.toMatchObject({});
  endpoint.completions.failures.push(new ApiError('model_load_failed', 'No such file.'));
  const { store, files } = await endpoint.filled({ 'a.txt': 'a' });
  expect(await endpoint.json('GET', `/vector_stores/${store}/files/${files[0]}`)).toMatchObject({
    status: 'failed',
    last_error: { code: 'server_error', message: 'No such file.' },
  });
});
