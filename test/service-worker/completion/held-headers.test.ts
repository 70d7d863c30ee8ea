import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../../src/shared/api-error.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { AppDependencies } from '../../../src/service-worker/create-app.ts';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import { createRequestLog } from '../../../src/service-worker/request-log/request-log.ts';
import type { RequestRecord } from '../../../src/shared/storage/request-record.ts';
import { answerIn } from '../support/scripted-service.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const LOADING: CompletionEvent = { type: 'loading', progress: 0.5 };
const QUEUED: CompletionEvent = { type: 'queued', position: 1 };
const PREFILL: CompletionEvent = { type: 'prefill' };
const HI: CompletionEvent = { type: 'delta', choice: 0, content: 'Hi' };
const EARLY = { [EARLY_HEADERS_HEADER]: '1' };
const failure = (code: ApiErrorCode): CompletionEvent => {
  return { type: 'error', error: new ApiError(code, 'It did not work out.').toData() };
};

/** A JSON chat request whose completion has sent `events`; the test sends the rest. */
async function begin(
  events: readonly CompletionEvent[],
  overrides: Partial<AppDependencies> = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const app = createTestApp(overrides);
  app.service.play(events);
  let response: Response | undefined;
  const responded = app.chat(GOOD_BODY, { headers }).then((value) => (response = value));
  await nthCompletion(app, 1);
  return { app, completion: app.service.completions[0]!, responded, response: () => response };
}

/** Waits in real time: the hash that identifies a request is not computed by the fake clock. */
async function nthCompletion({ service }: ReturnType<typeof createTestApp>, count: number) {
  while (service.completions.length < count) await new Promise(setImmediate);
  return service.completions[count - 1]!;
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

test.each([
  ['the engine has sent no event', []],
  ['its model is loaded', [LOADING]],
  ['its model must be loaded in turn', [LOADING, QUEUED]],
  ['its model is loaded, with any number of progress reports', [LOADING, { type: 'loading', progress: 0.6 }]],
] as const)('the headers of a JSON answer wait while %s, and a failure has its status', async (_what, events) => {
  const { completion, responded, response } = await begin(events);
  await pass(239);
  expect(response()).toBeUndefined();
  completion.emit(failure('model_load_failed'));
  expect(await readError(await responded)).toMatchObject({ status: 503, code: 'model_load_failed' });
});

test.each([
  ['it waits in the queue', [QUEUED], 239, 'context_length_exceeded', 400],
  ['it waits in the queue after a load', [LOADING, QUEUED, PREFILL, QUEUED], 239, 'engine_timeout', 504],
  ['its prompt is prefilled', [PREFILL], 239, 'context_length_exceeded', 400],
  ['the model writes its first words', [PREFILL, HI], 239, 'internal_error', 500],
  ['the model writes a second choice', [PREFILL, HI, PREFILL, HI], 239, 'gpu_device_lost', 503],
] as const)('a failure of JSON while %s has its status', async (_what, events, seconds, code, status) => {
  const { app, completion, responded, response } = await begin(events);
  await pass(seconds);
  expect(response()).toBeUndefined();
  completion.emit(failure(code));
  expect(await readError(await responded)).toMatchObject({ status, code });
  await pass(60);
  expect(app.service.completions).toHaveLength(1);
});

test('JSON that takes longer than the 240 s keeps its connection by white space', async () => {
  const { completion, responded, response } = await begin([PREFILL, HI]);
  await pass(239.9);
  expect(response()).toBeUndefined();
  await pass(0.1);
  const body = (await responded).text();
  await pass(30);
  completion.emit(...answerIn(' there.').slice(1));
  expect(await body).toMatch(/^\n{3}\{.*"Hi there\."/);
});

test('JSON that is written while another request waits sends its headers after ten seconds, so that its abort is noticed', async () => {
  const { app, completion, responded, response } = await begin([PREFILL, HI]);
  await pass(20);
  app.service.play([QUEUED]);
  const stream = app.chat({ ...GOOD_BODY, stream: true });
  const other = await nthCompletion(app, 2);
  await pass(5);
  const { body } = await responded;
  expect(completion.cancelled).toBe(false);
  await body!.cancel();
  expect(completion.cancelled).toBe(true);
  other.emit(...answerIn('Hello.'));
  expect(await (await stream).text()).toContain('Hello.');
  expect(response()?.status).toBe(200);
});

test.each([
  ['has begun to write', [PREFILL, HI]],
  ['has failed', [failure('engine_timeout')]],
] as const)('another request that %s does not hasten the headers of JSON', async (_what, events) => {
  const { app, response } = await begin([PREFILL, HI]);
  app.service.play([QUEUED]);
  const other = app.chat({ ...GOOD_BODY, stream: true });
  (await nthCompletion(app, 2)).emit(...events);
  await other;
  await pass(230);
  expect(response()).toBeUndefined();
});

test('a prompt that takes longer than the 240 s is still answered', async () => {
  const { completion, responded, response } = await begin([LOADING, PREFILL]);
  await pass(239);
  expect(response()).toBeUndefined();
  await pass(1);
  const body = (await responded).text();
  completion.emit(...answerIn('Hello.'));
  expect(JSON.parse(await body).choices).toMatchObject([{ message: { content: 'Hello.' } }]);
});

test.each([
  ['it waits only in the queue', [QUEUED]],
  ['its model is loaded', [LOADING, QUEUED, PREFILL]],
] as const)('headers that the client wants early are sent after 500 ms once %s', async (_what, events) => {
  const { completion, responded, response } = await begin([LOADING].slice(0, events.length - 1), {}, EARLY);
  completion.emit(...events.slice(-1));
  await pass(0.499);
  expect(response()).toBeUndefined();
  await pass(0.001);
  expect(response()?.status).toBe(200);
  await (await responded).body!.cancel();
  expect(completion.cancelled).toBe(true);
});

test('a JSON response that waited 240 s for its model is a 503 with Retry-After 1, and its completion is cancelled', async () => {
  const { completion, responded } = await begin([LOADING]);
  await pass(240);
  const response = await responded;
  expect(response.headers.get('retry-after')).toBe('1');
  expect(response.headers.get('x-should-retry')).toBeNull();
  expect(await readError(response)).toMatchObject({ status: 503, code: 'model_loading' });
  expect(completion.cancelled).toBe(true);
  expect(vi.getTimerCount(), 'no timer outlives it').toBe(0);
});

test('a client that sends its timeout gets the 503 shortly before it', async () => {
  const { responded, response } = await begin([LOADING], {}, { 'x-stainless-timeout': '20' });
  await pass(17.9);
  expect(response()).toBeUndefined();
  await pass(0.1);
  expect(await readError(await responded)).toMatchObject({ status: 503, code: 'model_loading' });
});

test('a client that disconnects while its response waits for the model is noticed within seconds', async () => {
  let gone = false;
  const clientDisconnected = vi.fn<() => Promise<boolean>>(async () => gone);
  const { completion } = await begin([LOADING], { clientDisconnected });
  await pass(60);
  expect(completion.cancelled).toBe(false);
  gone = true;
  await pass(5);
  expect(completion.cancelled).toBe(true);
  expect(vi.getTimerCount(), 'no timer outlives it').toBe(0);
});

/** Codes of transient failures. */
const PASSING: readonly ApiErrorCode[] = ['engine_unavailable', 'engine_timeout', 'gpu_device_lost', 'model_loading'];

test.each(PASSING)('%s after the headers of a JSON response is retried', async (code) => {
  const records: RequestRecord[] = [];
  const log = { write: async (record: RequestRecord) => void records.push(record), keepsContent: async () => true };
  const { app, completion, responded } = await begin([PREFILL], { observe: createRequestLog(log) }, EARLY);
  await pass(0.5);
  const body = (await responded).text();
  app.service.play([LOADING]);
  completion.emit({ type: 'delta', choice: 0, content: 'Lost.' }, failure(code));
  await pass(1);
  const second = await nthCompletion(app, 2);
  expect(second.request).toEqual(completion.request);
  expect(second.options).toEqual(completion.options);
  await pass(300);
  second.emit(...answerIn('Hello.'));
  const text = await body;
  expect(JSON.parse(text).choices).toMatchObject([{ message: { content: 'Hello.' } }]);
  expect(text.trimStart()).not.toContain('Lost.');
  await pass(0);
  expect(records).toMatchObject([{ outcome: 'complete', content: { response: 'Hello.' } }]);
});

test('a second failure after the response headers is reported, not retried', async () => {
  const { app, completion, responded } = await begin([PREFILL], {}, EARLY);
  await pass(0.5);
  const body = (await responded).json();
  completion.emit(failure('gpu_device_lost'));
  await pass(1);
  (await nthCompletion(app, 2)).emit(failure('engine_unavailable'));
  expect(await body).toMatchObject({ error: { code: 'engine_unavailable', type: 'server_error' } });
  await pass(60);
  expect(app.service.completions).toHaveLength(2);
});

test('a permanent failure is reported without a retry', async () => {
  const { app, completion, responded } = await begin([PREFILL], {}, EARLY);
  await pass(0.5);
  const body = (await responded).json();
  completion.emit(failure('context_length_exceeded'));
  expect(await body).toMatchObject({ error: { code: 'context_length_exceeded' } });
  expect(app.service.completions).toHaveLength(1);
});

test('no second attempt starts for a client that disconnected', async () => {
  const { app, completion, responded } = await begin([PREFILL], {}, EARLY);
  await pass(0.5);
  const { body } = await responded;
  completion.emit(failure('gpu_device_lost'));
  await pass(0.5);
  await body!.cancel();
  await pass(60);
  expect(app.service.completions).toHaveLength(1);
});
