import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { readError } from '../support/read-error.ts';

let endpoint: DocumentEndpoint;

beforeEach(() => {
  endpoint = new DocumentEndpoint();
});

interface List {
  readonly data: readonly { readonly id: string; readonly filename: string }[];
  readonly has_more: boolean;
}

test('an uploaded file is described, listed, read and deleted', async () => {
  const file = (await (await endpoint.upload('Grüße', 'letter.txt')).json()) as { id: string };
  expect(file).toEqual({
    id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
    object: 'file',
    bytes: 7,
    created_at: expect.any(Number),
    filename: 'letter.txt',
    purpose: 'assistants',
    status: 'processed',
  });
  const path = `/files/${file.id}`;
  expect(await endpoint.json('GET', path)).toEqual({ ...file, httpStatus: 200 });
  expect(await endpoint.json('GET', '/files')).toMatchObject({ object: 'list', data: [file], has_more: false });
  const content = await endpoint.app.send(`${path}/content`);
  expect(content.headers.get('content-type')).toBe('application/octet-stream');
  expect(await content.text()).toBe('Grüße');
  expect(await endpoint.json('DELETE', path)).toEqual({ id: file.id, object: 'file', deleted: true, httpStatus: 200 });
  expect(await endpoint.json('GET', path)).toMatchObject({ httpStatus: 404, error: { code: 'file_not_found' } });
  expect([endpoint.stored.size, endpoint.stored.contents.size]).toEqual([0, 0]);
});

test.each<[string, (form: FormData) => void, { status: number; code: string; param: string | null }]>([
  ['no file', (form) => form.delete('file'), { status: 400, code: 'missing_required_parameter', param: 'file' }],
  ['a text as file', (form) => form.set('file', 'a'), { status: 400, code: 'invalid_type', param: 'file' }],
  [
    'an empty file',
    (form) => form.set('file', new File([], 'a')),
    { status: 400, code: 'invalid_value', param: 'file' },
  ],
  [
    'a file that is too large',
    (form) => form.set('file', new File([new Uint8Array(400_001)], 'a')),
    { status: 413, code: 'request_too_large', param: 'file' },
  ],
  [
    'a name that is too long',
    (form) => form.set('file', new File(['a'], 'a'.repeat(256))),
    { status: 400, code: 'invalid_value', param: 'file' },
  ],
  [
    'no purpose',
    (form) => form.delete('purpose'),
    { status: 400, code: 'missing_required_parameter', param: 'purpose' },
  ],
  ['another purpose', (form) => form.set('purpose', 'fun'), { status: 400, code: 'invalid_value', param: 'purpose' }],
  [
    'an expiry without an anchor',
    (form) => form.set('expires_after[seconds]', '3600'),
    { status: 400, code: 'missing_required_parameter', param: 'expires_after.anchor' },
  ],
  [
    'an expiry that is too early',
    (form) => {
      form.set('expires_after[anchor]', 'created_at');
      form.set('expires_after[seconds]', '3599');
    },
    { status: 400, code: 'integer_below_min_value', param: 'expires_after.seconds' },
  ],
  [
    'an expiry that is no number',
    (form) => {
      form.set('expires_after[anchor]', 'created_at');
      form.set('expires_after[seconds]', '1e4');
    },
    { status: 400, code: 'invalid_type', param: 'expires_after.seconds' },
  ],
  [
    'a file that it replaces',
    (form) => form.set('replaces_file_id', 'file-a'),
    { status: 400, code: 'unsupported_parameter', param: 'replaces_file_id' },
  ],
])('an upload with %s is refused, and nothing is stored', async (_what, change, expected) => {
  const form = new FormData();
  form.set('purpose', 'assistants');
  form.set('file', new File(['a'], 'a.txt'));
  change(form);
  const request = new Request('https://tabserve.test/v1/files', { method: 'POST', body: form });
  request.headers.set('authorization', 'Bearer local');
  expect(await readError(await endpoint.app.fetch(request))).toMatchObject(expected);
  expect([endpoint.stored.size, endpoint.stored.contents.size]).toEqual([0, 0]);
});

test.each([
  ['application/json', '{}', 415, 'unsupported_content_type'],
  ['multipart/form-data', 'a', 415, 'unsupported_content_type'],
  ['multipart/form-data; boundary=x', '--y', 400, 'invalid_value'],
])('a body of the type %s with %j is refused', async (type, body, status, code) => {
  const response = await endpoint.app.send('/files', { method: 'POST', headers: { 'content-type': type }, body });
  expect(await readError(response)).toMatchObject({ status, code });
});

test('a list has pages, in both orders, and of one purpose', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await endpoint.upload(name, name);
  await endpoint.upload('e', 'e', { purpose: 'user_data' });
  const names = async (query: string) => {
    const { data, has_more } = await endpoint.json<List>('GET', `/files${query}`);
    return [data.map(({ filename }) => filename).join(''), has_more];
  };
  expect(await names('')).toEqual(['edcba', false]);
  expect(await names('?limit=2&order=asc')).toEqual(['ab', true]);
  expect(await names('?purpose=assistants')).toEqual(['dcba', false]);
  const { data } = await endpoint.json<List>('GET', '/files');
  expect(await names(`?after=${data[2]!.id}&limit=1`)).toEqual(['b', true]);
  expect(await endpoint.json('GET', '/files?after=file-1')).toMatchObject({ error: { param: 'after' } });
  expect(await endpoint.json('GET', '/files?purpose=fun')).toMatchObject({ error: { param: 'purpose' } });
});

test('a key sees, reads and deletes its own files only', async () => {
  const { id } = (await (await endpoint.upload('mine')).json()) as { id: string };
  for (const [method, path] of [
    ['GET', `/files/${id}`],
    ['GET', `/files/${id}/content`],
    ['DELETE', `/files/${id}`],
  ] as const) {
    expect(await endpoint.json(method, path, undefined, 'narrow')).toMatchObject({ error: { code: 'file_not_found' } });
  }
  expect(await endpoint.json('GET', '/files', undefined, 'narrow')).toMatchObject({ data: [] });
  expect(await endpoint.json('GET', `/files/${id}`)).toMatchObject({ httpStatus: 200 });
});

test('a file expires, and its bytes are deleted', async () => {
  const fields = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' };
  const file = (await (await endpoint.upload('a', 'a', fields)).json()) as { created_at: number; expires_at: number };
  expect(file.expires_at).toBe(file.created_at + 3600);
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
  try {
    expect(await endpoint.json('GET', '/files')).toMatchObject({ data: [] });
    expect([endpoint.stored.size, endpoint.stored.contents.size]).toEqual([0, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('a full disk is reported, and nothing is left of the file', async () => {
  endpoint.stored.writeError = new ApiError('storage_unavailable', 'The disk is full.');
  expect(await readError(await endpoint.upload('a'))).toMatchObject({ status: 503, code: 'storage_unavailable' });
  expect([endpoint.stored.size, endpoint.stored.contents.size]).toEqual([0, 0]);
});
