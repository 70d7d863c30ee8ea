import { beforeAll, expect, test } from 'vitest';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';

/** A store with a file, and another one. The requests of this file change nothing, so all tests share them. */
let endpoint: DocumentEndpoint;
let ids: Readonly<Record<'STORE' | 'FILE' | 'OTHER_FILE' | 'OTHER_STORE', string>>;

beforeAll(async () => {
  endpoint = new DocumentEndpoint();
  const { store, files } = await endpoint.filled({ 'a.txt': 'Whales eat krill.' });
  const other = await endpoint.filled({ 'b.txt': 'Bread is baked.' });
  ids = { STORE: store, FILE: files[0]!, OTHER_FILE: other.files[0]!, OTHER_STORE: other.store };
});

const withIds = (text: string) =>
  text.replaceAll(/OTHER_STORE|OTHER_FILE|STORE|FILE/g, (name) => ids[name as keyof typeof ids]);

const what = () => [endpoint.stored.size, [...endpoint.stored.contents.keys()].toSorted()];

/** Sends a request that must be refused, and expects that nothing has changed. */
async function refused(request: Request): Promise<object> {
  const before = what();
  request.headers.set('authorization', 'Bearer local');
  const response = await endpoint.app.fetch(request);
  const { error } = (await response.json()) as { error: Readonly<Record<string, unknown>> };
  expect(error).toEqual({
    message: expect.any(String),
    type: expect.any(String),
    code: expect.any(String),
    param: error['param'],
  });
  expect(what()).toEqual(before);
  return { status: response.status, code: error['code'], param: error['param'] };
}

const deep = (depth: number) =>
  Array.from({ length: depth }).reduce<object>((inner) => ({ type: 'and', filters: [inner] }), {
    type: 'eq',
    key: 'a',
    value: 1,
  });

const many = (count: number) => Array.from({ length: count }, (_, index) => `file-${index}`);

type Row = readonly [method: string, path: string, body: unknown, status: number, code: string, param: string | null];

const ROWS: readonly Row[] = [
  ['POST', '/vector_stores', [], 400, 'invalid_type', null],
  ['POST', '/vector_stores', { name: ['a'] }, 400, 'invalid_type', 'name'],
  ['POST', '/vector_stores', { name: 'a'.repeat(257) }, 400, 'invalid_value', 'name'],
  ['POST', '/vector_stores', { file_ids: many(2001) }, 400, 'array_above_max_length', 'file_ids'],
  ['POST', '/vector_stores', { file_ids: 'FILE' }, 400, 'invalid_type', 'file_ids'],
  ['POST', '/vector_stores', { file_ids: ['FILE', 7] }, 400, 'invalid_type', 'file_ids[1]'],
  ['POST', '/vector_stores', { file_ids: ['FILE', 'STORE'] }, 404, 'file_not_found', 'file_ids'],
  ['POST', '/vector_stores', { file_ids: ['../../a'] }, 404, 'file_not_found', 'file_ids'],
  ['POST', '/vector_stores', { embedding_model: 'none' }, 404, 'model_not_found', 'embedding_model'],
  ['POST', '/vector_stores', { embedding_model: '__proto__' }, 404, 'model_not_found', 'embedding_model'],
  ['POST', '/vector_stores', { metadata: { a: { b: 1 } } }, 400, 'invalid_type', 'metadata.a'],
  ['POST', '/vector_stores', { metadata: [] }, 400, 'invalid_type', 'metadata'],
  ['POST', '/vector_stores', { expires_after: 7 }, 400, 'invalid_type', 'expires_after'],
  [
    'POST',
    '/vector_stores',
    { expires_after: { anchor: 'last_active_at', days: 1e9 } },
    400,
    'integer_above_max_value',
    'expires_after.days',
  ],
  [
    'POST',
    '/vector_stores',
    { chunking_strategy: { type: 'static' } },
    400,
    'missing_required_parameter',
    'chunking_strategy.static',
  ],
  ['POST', '/vector_stores/STORE', { name: 7 }, 400, 'invalid_type', 'name'],
  ['POST', '/vector_stores/FILE', { name: 'a' }, 404, 'vector_store_not_found', 'vector_store_id'],
  ['DELETE', '/vector_stores/%2e%2e%2ffiles', undefined, 404, 'vector_store_not_found', 'vector_store_id'],
  ['POST', '/vector_stores/STORE/files', { file_id: null }, 400, 'missing_required_parameter', 'file_id'],
  ['POST', '/vector_stores/STORE/files', { file_id: 'STORE FILE' }, 404, 'file_not_found', 'file_id'],
  [
    'POST',
    '/vector_stores/STORE/files',
    { file_id: 'FILE', attributes: { a: [1] } },
    400,
    'invalid_type',
    'attributes.a',
  ],
  [
    'POST',
    '/vector_stores/STORE/files',
    { file_id: 'FILE', attributes: { a: null } },
    400,
    'invalid_type',
    'attributes.a',
  ],
  [
    'POST',
    '/vector_stores/STORE/files',
    { file_id: 'FILE', attributes: { ['a'.repeat(65)]: 1 } },
    400,
    'invalid_value',
    'attributes',
  ],
  ['POST', '/vector_stores/STORE/files', '{"file_id":"FILE","attributes":{"a":NaN}}', 400, 'invalid_json', null],
  [
    'POST',
    '/vector_stores/STORE/files',
    '{"file_id":"FILE","attributes":{"a":1e999}}',
    400,
    'invalid_type',
    'attributes.a',
  ],
  ['POST', '/vector_stores/STORE/files/FILE', { attributes: 'a' }, 400, 'invalid_type', 'attributes'],
  ['DELETE', '/vector_stores/STORE/files/OTHER_FILE', undefined, 404, 'file_not_found', 'file_id'],
  ['GET', '/vector_stores/STORE/files?after=OTHER_FILE', undefined, 400, 'invalid_value', 'after'],
  ['GET', '/vector_stores/STORE/files?before=FILE&after=FILE', undefined, 400, 'invalid_value', 'before'],
  ['GET', '/vector_stores/STORE/files?filter=done', undefined, 400, 'invalid_value', 'filter'],
  ['GET', '/vector_stores?after=FILE', undefined, 400, 'invalid_value', 'after'],
  ['GET', '/files?after=STORE', undefined, 400, 'invalid_value', 'after'],
  ['GET', '/files?limit=10001', undefined, 400, 'invalid_value', 'limit'],
  ['GET', '/vector_stores?limit=1e1', undefined, 400, 'invalid_value', 'limit'],
  ['GET', `/files/${'a'.repeat(5000)}`, undefined, 404, 'file_not_found', 'file_id'],
  ['GET', '/files/__proto__/content', undefined, 404, 'file_not_found', 'file_id'],
  ['DELETE', '/files/STORE', undefined, 404, 'file_not_found', 'file_id'],
  ['POST', '/vector_stores/STORE/file_batches', { file_ids: many(2001) }, 400, 'array_above_max_length', 'file_ids'],
  ['POST', '/vector_stores/STORE/file_batches', { files: [{ file_id: 'file-1' }] }, 404, 'file_not_found', 'files'],
  ['POST', '/vector_stores/STORE/file_batches', { files: ['FILE'] }, 400, 'invalid_type', 'files[0]'],
  ['POST', '/vector_stores/STORE/file_batches', { file_ids: ['FILE', 'file-1'] }, 404, 'file_not_found', 'file_ids'],
  ['POST', '/vector_stores/STORE/file_batches/vsfb_1/cancel', {}, 404, 'vector_store_not_found', 'vector_store_id'],
  ['POST', '/vector_stores/STORE/search', { query: 7 }, 400, 'invalid_type', 'query'],
  ['POST', '/vector_stores/STORE/search', { query: ['a', ''] }, 400, 'invalid_value', 'query[1]'],
  [
    'POST',
    '/vector_stores/STORE/search',
    { query: 'a', filters: deep(100) },
    400,
    'invalid_value',
    `filters${'.filters[0]'.repeat(10)}`,
  ],
  [
    'POST',
    '/vector_stores/STORE/search',
    {
      query: 'a',
      filters: {
        type: 'or',
        filters: Array.from({ length: 11 }, () => ({ type: 'in', key: 'a', value: Array(91).fill('b') })),
      },
    },
    400,
    'invalid_value',
    'filters',
  ],
  [
    'POST',
    '/vector_stores/STORE/search',
    { query: 'a', filters: { type: 'eq', key: 1, value: 1 } },
    400,
    'invalid_type',
    'filters.key',
  ],
  [
    'POST',
    '/vector_stores/STORE/search',
    { query: 'a', filters: { type: 'in', key: 'a', value: 1 } },
    400,
    'invalid_type',
    'filters.value',
  ],
  [
    'POST',
    '/vector_stores/STORE/search',
    { query: 'a', filters: { type: 'and', filters: [] } },
    400,
    'empty_array',
    'filters.filters',
  ],
  [
    'POST',
    '/vector_stores/STORE/search',
    { query: 'a', max_num_results: 0 },
    400,
    'integer_below_min_value',
    'max_num_results',
  ],
  [
    'POST',
    '/vector_stores/STORE/search',
    { query: 'a', ranking_options: { ranker: 'best' } },
    400,
    'invalid_value',
    'ranking_options.ranker',
  ],
  ['POST', '/vector_stores/vs_1/search', { query: 'a' }, 404, 'vector_store_not_found', 'vector_store_id'],
  [
    'POST',
    '/responses',
    { tools: [{ type: 'file_search', vector_store_ids: ['STORE', 'vs_1'] }] },
    404,
    'vector_store_not_found',
    'tools[0].vector_store_ids',
  ],
  [
    'POST',
    '/responses',
    { tools: [{ type: 'file_search', vector_store_ids: many(6) }] },
    400,
    'array_above_max_length',
    'tools[0].vector_store_ids',
  ],
  [
    'POST',
    '/responses',
    { tools: [{ type: 'file_search', vector_store_ids: ['STORE'], filters: deep(11) }] },
    400,
    'invalid_value',
    `tools[0].filters${'.filters[0]'.repeat(10)}`,
  ],
  [
    'POST',
    '/responses',
    { tools: [{ type: 'file_search', vector_store_ids: ['STORE'], max_num_results: 51 }] },
    400,
    'integer_above_max_value',
    'tools[0].max_num_results',
  ],
];

test.each(ROWS)('%s %s with %j is refused: %i %s', async (method, path, body, status, code, param) => {
  const given = path === '/responses' ? { model: 'pocket', input: 'Whales?', store: false, ...(body as object) } : body;
  const text = given === undefined ? null : withIds(typeof given === 'string' ? given : JSON.stringify(given));
  const headers = text === null ? undefined : { 'content-type': 'application/json' };
  const request = new Request(`https://tabserve.test/v1${withIds(path)}`, {
    method,
    body: text,
    ...(headers && { headers }),
  });
  expect(await refused(request)).toEqual({ status, code, param });
});

const FORM = (file: string) =>
  `--x\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nassistants\r\n--x\r\n${file}\r\n--x--\r\n`;

test.each<[string, type: string, body: string | Uint8Array<ArrayBuffer>, status: number, param: string | null]>([
  ['without a boundary', 'multipart/form-data', FORM('a'), 415, null],
  ['with another boundary', 'multipart/form-data; boundary=y', FORM('a'), 400, null],
  [
    'cut',
    'multipart/form-data; boundary=x',
    FORM('content-disposition: form-data; name="file"; filename="a"\r\n\r\na').slice(0, -12),
    400,
    null,
  ],
  [
    'without a file',
    'multipart/form-data; boundary=x',
    FORM('content-disposition: form-data; name="a"\r\n\r\na'),
    400,
    'file',
  ],
  [
    'with two files',
    'multipart/form-data; boundary=x',
    FORM(
      'content-disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="b"\r\n\r\nb',
    ),
    400,
    'file',
  ],
  [
    'with two purposes',
    'multipart/form-data; boundary=x',
    FORM(
      'content-disposition: form-data; name="purpose"\r\n\r\nvision\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="b"\r\n\r\nb',
    ),
    400,
    'purpose',
  ],
  [
    'with a file of no byte',
    'multipart/form-data; boundary=x',
    FORM('content-disposition: form-data; name="file"; filename="a"\r\n\r\n'),
    400,
    'file',
  ],
  [
    'without a name',
    'multipart/form-data; boundary=x',
    FORM('content-disposition: form-data; name="file"; filename=""\r\n\r\na'),
    400,
    'file',
  ],
  [
    'of random bytes',
    'multipart/form-data; boundary=x',
    Uint8Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256),
    400,
    null,
  ],
  ['as JSON', 'application/json', '{"file":"a","purpose":"assistants"}', 415, null],
  [
    'of a file that is too large',
    'multipart/form-data; boundary=x',
    FORM(`content-disposition: form-data; name="file"; filename="a"\r\n\r\n${'a'.repeat(400_001)}`),
    413,
    'file',
  ],
])('an upload %s is refused', async (_what, type, body, status, param) => {
  const request = new Request('https://tabserve.test/v1/files', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  expect(await refused(request)).toMatchObject({ status, param });
});

test.each([
  '../../etc/passwd',
  'C:\\a\\b.txt',
  '__proto__',
  'Gru\u0308ße.txt',
  'Grüße.txt',
  ' .txt',
  '\u202etxt.exe',
  'a"b;c.txt',
  '💥'.repeat(60),
])('a file of the name %j keeps it, and is one file of its own', async (name) => {
  const { filename, id } = (await (await endpoint.upload('Whales eat krill.', name)).json()) as {
    filename: string;
    id: string;
  };
  expect(filename).toBe(name);
  expect(await (await endpoint.app.send(`/files/${id}/content`)).text()).toBe('Whales eat krill.');
  expect(await endpoint.json('DELETE', `/files/${id}`)).toMatchObject({ deleted: true });
});
