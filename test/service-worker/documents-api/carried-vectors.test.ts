import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { DocumentEndpoint, WORD_MODEL } from '../../support/fakes/document-endpoint.ts';

let endpoint: DocumentEndpoint;

beforeEach(() => {
  endpoint = new DocumentEndpoint();
});

const TEXT = Array.from({ length: 20 }, (_, index) => `# Part ${index}\n\nnumber${index} ${'word '.repeat(150)}`).join(
  '\n\n',
);
const embedded = () => endpoint.completions.requests.reduce((sum, count) => sum + count, 0);

async function vectorsOf(store: string, file: string): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { authorization: 'Bearer local' };
  const response = await endpoint.app.send(`/vector_stores/${store}/files/${file}/vectors`, { headers });
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  return new Uint8Array(await response.arrayBuffer());
}

/** Creates a store, and adds a text with vectors. */
async function carriedTo(text: string, vectors: Uint8Array<ArrayBuffer>, chunking?: object) {
  const { id: store } = await endpoint.json<{ id: string }>('POST', '/vector_stores', {});
  const file = await endpoint.uploaded(text);
  const carried = await endpoint.uploaded(vectors, 'vectors.bin');
  const body = {
    file_id: file,
    vectors_file_id: carried,
    ...(chunking && { chunking_strategy: { type: 'static', static: chunking } }),
  };
  const added = await endpoint.json<{ httpStatus: number }>('POST', `/vector_stores/${store}/files`, body);
  return { store, added, isLeft: await endpoint.json('GET', `/files/${carried}`) };
}

test('a file with the vectors of another store is indexed at once, and found as there', async () => {
  const { store, files } = await endpoint.filled({ 'a.txt': TEXT });
  const vectors = await vectorsOf(store, files[0]!);
  const before = embedded();
  const carried = await carriedTo(TEXT, vectors);
  expect(carried.added).toMatchObject({ status: 'completed', httpStatus: 200 });
  // Only one passage is compared.
  expect(embedded() - before).toBe(1);
  expect(carried.isLeft).toMatchObject({ httpStatus: 404 });
  const search = async (id: string) => {
    const body = { query: 'number7', max_num_results: 3 };
    const { data } = await endpoint.json<{ data: { score: number; content: object }[] }>(
      'POST',
      `/vector_stores/${id}/search`,
      body,
    );
    return data.map(({ score, content }) => ({ score, content }));
  };
  expect(await search(carried.store)).toEqual(await search(store));
  expect(await endpoint.json('GET', `/vector_stores/${carried.store}`)).toMatchObject({
    file_counts: { completed: 1, total: 1 },
    indexing: { passages: 20, waiting_bytes: 0 },
  });
});

/** Changes bytes from one place on. Numbers of vectors follow a header of about 180 bytes; the last four are a scale. */
const changed = (from: number, value: number) => (vectors: Uint8Array<ArrayBuffer>) =>
  vectors.map((byte, at) => (at >= (from < 0 ? vectors.length + from : from) ? value : byte));

test.each([
  ['of another text', 'Another text.', (vectors: Uint8Array<ArrayBuffer>) => vectors, undefined],
  [
    'of a text with another word at its beginning',
    TEXT.replace('word word', 'worm worn'),
    (vectors: Uint8Array<ArrayBuffer>) => vectors,
    undefined,
  ],
  [
    'of another size of passages',
    TEXT,
    (vectors: Uint8Array<ArrayBuffer>) => vectors,
    { max_chunk_size_tokens: 100, chunk_overlap_tokens: 0 },
  ],
  ['with other numbers', TEXT, changed(190, 0x55), undefined],
  ['with a scale that is no number', TEXT, changed(-4, 0xff), undefined],
  ['that are cut', TEXT, (vectors: Uint8Array<ArrayBuffer>) => vectors.subarray(0, -1), undefined],
] as const)('vectors %s are refused, and deleted', async (_, text, change, chunking) => {
  const { store, files } = await endpoint.filled({ 'a.txt': TEXT });
  const refused = await carriedTo(text, change(await vectorsOf(store, files[0]!)), chunking);
  expect(refused.added).toMatchObject({
    httpStatus: 400,
    error: { code: 'invalid_value', param: 'vectors_file_id' },
  });
  expect(refused.isLeft).toMatchObject({ httpStatus: 404 });
  expect(await endpoint.json('GET', `/vector_stores/${refused.store}/files`)).toMatchObject({ data: [] });
});

test.each<[string, BlobPart]>([
  ['a text', 'My diary.'],
  ['a text of three bytes', 'abc'],
  ['numbers after which no header is JSON', Uint8Array.of(2, 0, 0, 0, 91, 44, 0)],
  ['JSON that is no header', Uint8Array.of(2, 0, 0, 0, 123, 125)],
])('a file that holds no vectors but %s is refused in their place, and stays', async (_, content) => {
  const other = await endpoint.uploaded(content, 'diary.txt');
  const { id: store } = await endpoint.json<{ id: string }>('POST', '/vector_stores', {});
  for (const file_id of [await endpoint.uploaded(TEXT), other]) {
    const body = { file_id, vectors_file_id: other };
    expect(await endpoint.json('POST', `/vector_stores/${store}/files`, body)).toMatchObject({
      httpStatus: 400,
      error: { code: 'invalid_value' },
    });
    expect(await endpoint.json('GET', `/files/${other}`)).toMatchObject({ httpStatus: 200 });
  }
});

test('vectors stay while the disk is full, so that the request can be repeated', async () => {
  const { store, files } = await endpoint.filled({ 'a.txt': TEXT });
  const vectors = await endpoint.uploaded(await vectorsOf(store, files[0]!), 'vectors.bin');
  const { id } = await endpoint.json<{ id: string }>('POST', '/vector_stores', {});
  const body = { file_id: await endpoint.uploaded(TEXT), vectors_file_id: vectors };
  endpoint.stored.recordError = new ApiError('storage_unavailable', 'The disk is full.');
  expect(await endpoint.json('POST', `/vector_stores/${id}/files`, body)).toMatchObject({ httpStatus: 503 });
  endpoint.stored.recordError = null;
  expect(await endpoint.json('POST', `/vector_stores/${id}/files`, body)).toMatchObject({ status: 'completed' });
  expect(await endpoint.json('GET', `/files/${vectors}`)).toMatchObject({ httpStatus: 404 });
});

test('vectors of another model of the same name are refused', async () => {
  const { store, files } = await endpoint.filled({ 'a.txt': TEXT });
  const vectors = await vectorsOf(store, files[0]!);
  const other = new DocumentEndpoint();
  other.models = [{ ...WORD_MODEL }];
  other.completions.isOther = true;
  endpoint = other;
  expect((await carriedTo(TEXT, vectors)).added).toMatchObject({ httpStatus: 400 });
});

test('a file that is not indexed has no vectors', async () => {
  const file = await endpoint.uploaded('\0\u0001');
  const { id: store } = await endpoint.json<{ id: string }>('POST', '/vector_stores', { file_ids: [file] });
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `/vector_stores/${store}/files/${file}/vectors`)).toMatchObject({
    httpStatus: 400,
    error: { code: 'invalid_value', param: 'file_id' },
  });
});

test('a file with vectors that takes the place of another one does so at once', async () => {
  const { store, files } = await endpoint.filled({ 'a.txt': TEXT, 'b.txt': `Other. ${TEXT}` });
  const [old, kept] = files as [string, string];
  const carried = await endpoint.uploaded(await vectorsOf(store, kept), 'vectors.bin');
  const file = await endpoint.uploaded(`Other. ${TEXT}`);
  const body = { file_id: file, vectors_file_id: carried, replaces_file_id: old };
  expect(await endpoint.json('POST', `/vector_stores/${store}/files`, body)).toMatchObject({ status: 'completed' });
  const { data } = await endpoint.json<{ data: { id: string }[] }>('GET', `/vector_stores/${store}/files`);
  expect(data.map(({ id }) => id).toSorted()).toEqual([file, kept].toSorted());
  expect(await endpoint.json('GET', `/files/${old}`)).toMatchObject({ httpStatus: 404 });
});
