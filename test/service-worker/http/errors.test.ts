import { expect, test, vi } from 'vitest';
import { API_ERROR_CODES, ApiError, type ApiErrorCode } from '../../../src/shared/api-error.ts';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import { answerIn } from '../support/scripted-service.ts';
import { readError } from '../support/read-error.ts';
import { readEventStream } from '../support/read-event-stream.ts';
import { expectForm } from '../support/reply-schemas.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

/** The retry header of each code; other codes have none. */
const RETRY: Partial<Record<ApiErrorCode, 'retry-after' | 'x-should-retry'>> = {
  rate_limit_exceeded: 'retry-after',
  model_loading: 'retry-after',
  model_not_loaded: 'x-should-retry',
  model_load_failed: 'x-should-retry',
  gpu_unavailable: 'x-should-retry',
  gpu_device_lost: 'retry-after',
  engine_unavailable: 'retry-after',
  storage_unavailable: 'retry-after',
};

const STATUSES: Record<ApiErrorCode, number> = {
  forbidden_request: 403,
  unknown_url: 404,
  method_not_supported: 405,
  upstream_not_allowed: 403,
  missing_api_key: 401,
  invalid_api_key: 401,
  unsupported_content_type: 415,
  request_too_large: 413,
  invalid_json: 400,
  invalid_type: 400,
  missing_required_parameter: 400,
  invalid_value: 400,
  integer_below_min_value: 400,
  integer_above_max_value: 400,
  decimal_below_min_value: 400,
  decimal_above_max_value: 400,
  empty_array: 400,
  array_above_max_length: 400,
  unsupported_parameter: 400,
  unsupported_value: 400,
  model_not_found: 404,
  stream_not_found: 404,
  previous_response_not_found: 400,
  answer_not_found: 404,
  file_not_found: 404,
  vector_store_not_found: 404,
  answer_cancelled: 410,
  answer_lost: 410,
  context_length_exceeded: 400,
  rate_limit_exceeded: 429,
  model_loading: 503,
  model_not_loaded: 503,
  model_load_failed: 503,
  gpu_unavailable: 503,
  gpu_device_lost: 503,
  engine_unavailable: 503,
  reload_required: 503,
  storage_unavailable: 503,
  engine_timeout: 504,
  upstream_failed: 502,
  upstream_timeout: 504,
  internal_error: 500,
};
const EARLY = { [EARLY_HEADERS_HEADER]: '1' };
const CODES = Object.keys(API_ERROR_CODES) as ApiErrorCode[];

const typeOf = (status: number): string =>
  status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error';
const failure = (code: ApiErrorCode, options = {}): { type: 'error'; error: ReturnType<ApiError['toData']> } => ({
  type: 'error',
  error: new ApiError(code, 'It did not work out.', options).toData(),
});

test.each(CODES)('%s has its status, its type and its headers, also for a stream', async (code) => {
  for (const stream of [false, true]) {
    const app = createTestApp();
    app.service.play([{ type: 'queued', position: 1 }, { type: 'loading', progress: 0.5 }, failure(code)]);
    const response = await app.chat({ ...GOOD_BODY, stream });
    const names = ['retry-after', 'x-should-retry'].filter((name) => response.headers.has(name));
    expect(names).toEqual(code in RETRY ? [RETRY[code]] : []);
    expect(response.headers.get('retry-after') ?? '1').toMatch(/^([1-9]|[1-5][0-9])$/);
    expect(response.headers.get('x-should-retry') ?? 'false').toBe('false');
    const status = STATUSES[code];
    expect(await readError(response)).toEqual({
      status,
      type: typeOf(status),
      code,
      param: null,
      message: 'It did not work out.',
    });
  }
});

test.each(CODES)('%s after the first byte is one event, and nothing follows it', async (code) => {
  const app = createTestApp();
  app.service.play([{ type: 'delta', choice: 0, content: 'Hel' }, failure(code, { param: 'messages' })]);
  const response = await app.chat({ ...GOOD_BODY, stream: true, stream_options: { include_usage: true } });
  expect(response.status).toBe(200);
  const { chunks, done } = await readEventStream(response);
  expect(done).toBe(false);
  expect(chunks).toHaveLength(3);
  expectForm('error', chunks.at(-1));
  expect(chunks.at(-1)).toMatchObject({ error: { code, type: typeOf(STATUSES[code]), param: 'messages' } });
});

test.each(CODES)(
  '%s after the headers of a JSON response is an error object, not a broken connection',
  async (code) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const app = createTestApp();
    app.service.play([{ type: 'delta', choice: 0, content: 'Hel' }, failure(code, { param: 'messages' })]);
    const response = await app.chat(GOOD_BODY, { headers: EARLY });
    expect(response.status).toBe(200);
    const body = response.json();
    await vi.advanceTimersByTimeAsync(1000);
    expectForm('error', await body);
    expect(await body).toMatchObject({ error: { code, type: typeOf(STATUSES[code]), param: 'messages' } });
    vi.useRealTimers();
  },
);

test.each([
  [0, '1'],
  [0.2, '1'],
  [7.1, '8'],
  [59, '59'],
  [60, '59'],
  [86_400, '59'],
])('a wait of %s seconds is sent as %s', async (retryAfter, told) => {
  const app = createTestApp();
  app.service.play([failure('rate_limit_exceeded', { retryAfter })]);
  expect((await app.chat(GOOD_BODY)).headers.get('retry-after')).toBe(told);
});

test('an engine that stops without an event is reported as gone', async () => {
  const app = createTestApp();
  app.service.play([{ type: 'prefill' }]);
  const early = app.chat(GOOD_BODY);
  await vi.waitFor(() => app.service.completions.at(-1)!.vanish());
  expect(await readError(await early)).toMatchObject({ status: 503, code: 'engine_unavailable' });

  const late = await app.chat({ ...GOOD_BODY, stream: true }).then((response) => {
    app.service.completions.at(-1)!.vanish();
    return response;
  });
  expect((await readEventStream(late)).chunks).toMatchObject([{ error: { code: 'engine_unavailable' } }]);
});

test('a code of another build, unknown to this one, is an internal error', async () => {
  const app = createTestApp();
  app.service.play([
    { type: 'error', error: { ...failure('gpu_unavailable').error, code: 'gpu_on_fire' as ApiErrorCode } },
  ]);
  expect(await readError(await app.chat(GOOD_BODY))).toMatchObject({
    status: 500,
    code: 'internal_error',
    message: 'It did not work out.',
  });
});

const SECRET = 'a stack, a prompt, a secret';

test.each([
  ['models', { models: () => Promise.reject(new Error(SECRET)) }],
  ['findKey', { findKey: () => Promise.reject(new TypeError(SECRET)) }],
  [
    'complete',
    {
      service: {
        complete: () => {
          throw new Error(SECRET);
        },
        cancelStream: async () => {},
      },
    },
  ],
])('a defect in %s is a 500 whose text appears only on the console', async (_name, dependencies) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const error = await readError(await createTestApp(dependencies).chat(GOOD_BODY));
  expect(error).toMatchObject({ status: 500, type: 'server_error', code: 'internal_error', param: null });
  expect(error.message).not.toContain('secret');
  expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: SECRET }));
  log.mockRestore();
});

test('an answer that cannot be encoded has the status of an unexpected error', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const app = createTestApp();
  app.service.play([{ type: 'delta', choice: 7, content: 'b' }, ...answerIn('a')]);
  expect(await readError(await app.chat(GOOD_BODY))).toMatchObject({ status: 500, code: 'internal_error' });
  expect(log).toHaveBeenCalledTimes(1);
  log.mockRestore();
});

test('an unexpected error after the first byte ends the completion and the stream', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const app = createTestApp();
  app.service.play([
    { type: 'delta', choice: 0, content: 'a' },
    { type: 'delta', choice: 7, content: 'b' },
  ]);
  expect(await (await app.chat(GOOD_BODY, { headers: EARLY })).text()).toMatch(/^{"error":.*inside Tabserve/);
  expect(app.service.completions[0]!.cancelled).toBe(true);
  expect(log).toHaveBeenCalledTimes(1);
  log.mockRestore();
});
