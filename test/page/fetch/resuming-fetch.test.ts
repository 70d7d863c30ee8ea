import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import * as fc from 'fast-check';
import OpenAI from 'openai';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createResumingFetch } from '../../../src/page/fetch/resuming-fetch.ts';
import { ApiError, errorBody, type ApiErrorCode } from '../../../src/shared/api-error.ts';
import { errorResponse } from '../../../src/service-worker/http/http-responses.ts';
import { ENGINE_HEADER } from '../../../src/shared/upstreams/upstream.ts';
import { LAST_EVENT_HEADER, STREAM_ID_HEADER } from '../../../src/shared/http/resumable-stream.ts';
import { parseEventStream } from '../../service-worker/support/read-event-stream.ts';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';

const WORDS = Array.from({ length: 12 }, (_, index) => `w${index}`);
const STREAM_ID = 'the-stream-of-this-one-test';

let endpoint: StoppableEndpoint;
let resumingFetch: typeof fetch;

/** @param headersDelay See {@link StoppableEndpoint.ofPage}. */
function open(headersDelay?: number): void {
  endpoint = StoppableEndpoint.ofPage(headersDelay);
  resumingFetch = endpoint.createTabFetch();
}

beforeEach(() => open());

afterEach(() => {
  endpoint.close();
  vi.unstubAllGlobals();
});

function question(stream: boolean, init: RequestInit = {}): [string, RequestInit] {
  const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'a', stream, messages: [{ role: 'user', content: WORDS.join(' ') }] });
  return [`${SITE}v1/chat/completions`, { method: 'POST', body, ...init, headers: { ...headers, ...init.headers } }];
}

const ask = (stream: boolean, init?: RequestInit) => resumingFetch(...question(stream, init));

/**
 * Lets the engine generate a word in each step, until the answer has been read.
 * @param kills Steps before which the service worker is stopped.
 */
async function write<Answer>(answer: Promise<Answer>, kills: readonly number[]): Promise<Answer> {
  const settled = new AbortController();
  const read = answer.finally(() => settled.abort());
  read.catch(() => {});
  for (let step = 0; !settled.signal.aborted; step++) {
    // The time for messages and reconnection: sometimes enough, sometimes not.
    await setTimeout(step % 3 === 0 ? 30 : 3);
    if (kills.includes(step)) endpoint.stopServiceWorker();
    await endpoint.engine.advance();
  }
  return read;
}

const generations = () => endpoint.engine.history.filter((line) => line.startsWith('generate')).length;

async function contentOf(response: Promise<Response>) {
  const text = await (await response).text();
  const { chunks, done } = parseEventStream(text.replaceAll(/^id: \d+\n\n/gm, ''));
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta as { content?: string }));
  return {
    content: deltas.flatMap(({ content }) => (content ? [content] : [])),
    roles: deltas.filter((delta) => 'role' in delta).length,
    headers: new Set(chunks.map(({ id, created }) => `${id} ${created}`)).size,
    done,
  };
}

test('a service worker that is stopped repeatedly, at any moment, leaves a stream whole, and generated once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: WORDS.length }), { maxLength: 8 }),
      fc.constantFrom('with an error' as const, 'with an end' as const),
      async (kills, breaks) => {
        const before = generations();
        endpoint.breaks = breaks;
        expect(await write(contentOf(ask(true)), kills)).toEqual({ content: WORDS, roles: 1, headers: 1, done: true });
        expect(generations()).toBe(before + 1);
      },
    ),
    { seed: 17, numRuns: 25 },
  );
});

test('a service worker that is stopped repeatedly leaves a JSON answer whole, and generated once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 0, max: WORDS.length }), { maxLength: 8 }), async (kills) => {
      const before = generations();
      const read = ask(false).then((response) => response.json());
      expect(await write(read, kills)).toMatchObject({ choices: [{ message: { content: WORDS.join('') } }] });
      expect(generations()).toBe(before + 1);
    }),
    { seed: 18, numRuns: 15 },
  );
});

test('the official client with this fetch gets one whole stream', async () => {
  const client = new OpenAI({ baseURL: `${SITE}v1`, apiKey: 'local', fetch: resumingFetch, maxRetries: 0 });
  const stream = client.chat.completions.create({
    model: 'a',
    stream: true,
    messages: [{ role: 'user', content: WORDS.join(' ') }],
  });
  const read = stream.then(async (chunks) => {
    const pieces: string[] = [];
    for await (const { choices } of chunks) if (choices[0]?.delta.content) pieces.push(choices[0].delta.content);
    return pieces;
  });
  expect(await write(read, [4, 9])).toEqual(WORDS);
});

/** Long enough for a busy machine. */
const PATIENTLY = { timeout: 20_000, interval: 5 };

async function readText(response: Response, tell: (text: string) => void): Promise<void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) tell(piece.value);
}

test('an abort ends the generation at once, also while the service worker is gone', async () => {
  for (const isGone of [false, true]) {
    const controller = new AbortController();
    let told = '';
    const read = ask(true, { signal: controller.signal }).then((response) =>
      readText(response, (text) => (told += text)),
    );
    read.catch(() => {});
    await vi.waitUntil(() => endpoint.engine.running === 1, PATIENTLY);
    await endpoint.engine.advance(3);
    await vi.waitUntil(() => told.includes('"content":"w2"'), PATIENTLY);
    if (isGone) endpoint.stopServiceWorker();
    controller.abort();
    await expect(read).rejects.toMatchObject({ name: 'AbortError' });
    // The generation has ended.
    await vi.waitUntil(() => endpoint.engine.running === 0, PATIENTLY);
    expect(endpoint.engine.history.at(-1)).toBe('stopped');
  }
});

test('cancelling the body ends the generation at once', async () => {
  const { body, url, status } = await ask(true);
  expect([status, url]).toEqual([200, `${SITE}v1/chat/completions`]);
  await vi.waitUntil(() => endpoint.engine.running === 1, PATIENTLY);
  await endpoint.engine.advance(2);
  await body!.cancel();
  await vi.waitUntil(() => endpoint.engine.running === 0, PATIENTLY);
  expect(endpoint.engine.history.at(-1)).toBe('stopped');
});

test('a request that is aborted before it reaches the engine is never generated', async () => {
  const controller = new AbortController();
  const asked = ask(true, { signal: controller.signal });
  asked.catch(() => {});
  await setTimeout(0);
  controller.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  await setTimeout(60);
  // On a busy machine the cancellation may arrive after the request.
  await vi.waitUntil(() => endpoint.engine.running === 0, PATIENTLY);
  await endpoint.engine.advance(2);
  expect(endpoint.engine.history.filter((line) => !/stopped|generate/.test(line))).toEqual([]);
  expect(endpoint.engine.running).toBe(0);
});

/** Stops the service worker during an answer, and replaces the engine. */
async function loseAnswer(stream: boolean): Promise<{ read: Promise<string> }> {
  let told = '';
  const read = ask(stream).then((response) => readText(response, (text) => (told += text)));
  await vi.waitUntil(() => endpoint.engine.running === 1, PATIENTLY);
  await endpoint.engine.advance(4);
  if (stream) await vi.waitUntil(() => told.includes('"content":"w2"'), PATIENTLY);
  endpoint.stopServiceWorker();
  endpoint.replaceEngine();
  return { read: read.then(() => told) };
}

test('an engine that dies ends a stream with engine_unavailable', async () => {
  const { read } = await loseAnswer(true);
  const text = await read;
  expect(text).toContain('"content":"w2"');
  expect(text.trim().split('\n\n').at(-1)).toContain('"code":"engine_unavailable"');
  expect(generations()).toBe(0);
});

test.for([
  ['stream_not_found', 'engine_unavailable'],
  ['gpu_device_lost', 'gpu_device_lost'],
])('%s in the body of a connection that continues a stream is told as %s', async ([code, told]) => {
  const error = new ApiError(code as ApiErrorCode, 'Why.').toData();
  const bodies = ['id: 0\n\ndata: {"choices":[]}\n\nid: 1\n\n', `data: ${JSON.stringify({ error })}\n\n`];
  vi.stubGlobal('fetch', async () => {
    const headers = { 'content-type': 'text/event-stream', [STREAM_ID_HEADER]: STREAM_ID };
    return new Response(bodies.shift(), { headers });
  });
  const text = await (await ask(true)).text();
  expect(text).toContain('"choices":[]');
  expect(text.trim().split('\n\n').at(-1)).toContain(`"code":"${told}"`);
  expect(bodies).toEqual([]);
});

test('a JSON answer that was lost with its engine is requested again, because none of it was delivered', async () => {
  const { read } = await loseAnswer(false);
  await setTimeout(30);
  endpoint.engine.runFreely();
  expect(JSON.parse(await read)).toMatchObject({ choices: [{ message: { content: WORDS.join('') } }] });
});

test('a request that the browser leaves without a response is sent again, and its answer is generated once', async () => {
  const { fetch: send } = globalThis;
  const signals: (AbortSignal | null)[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) => {
    signals.push(asked[1]?.signal ?? null);
    return signals.length < 3 ? new Promise(() => {}) : send(...asked);
  });
  const answer = ask(false);
  for (const attempts of [1, 2, 3]) {
    await vi.waitUntil(() => signals.length === attempts);
    if (attempts < 3) await vi.advanceTimersByTimeAsync(62_000);
  }
  vi.useRealTimers();
  endpoint.engine.runFreely();
  expect(await (await answer).json()).toMatchObject({ choices: [{ message: { content: WORDS.join('') } }] });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, false]);
  expect(generations()).toBe(1);
});

test.for([true, false])(
  'an answer is resumed after responses of the web server, which come while no service worker is there; streamed: %s',
  async (stream) => {
    const { fetch: send } = globalThis;
    let bypasses = 0;
    vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) =>
      bypasses-- > 0
        ? Promise.resolve(Response.json({ error: { code: 'unknown_url', message: 'Not here.' } }, { status: 404 }))
        : send(...asked),
    );
    let told = '';
    const read = ask(stream).then((response) => readText(response, (text) => (told += text)));
    await vi.waitUntil(() => endpoint.engine.running === 1, PATIENTLY);
    await endpoint.engine.advance(3);
    if (stream) await vi.waitUntil(() => told.includes('"content":"w2"'), PATIENTLY);
    else await setTimeout(50);
    bypasses = 2;
    endpoint.stopServiceWorker();
    await vi.waitUntil(() => bypasses < 0, PATIENTLY);
    endpoint.engine.runFreely();
    await read;
    expect(told).not.toContain('unknown_url');
    expect(told).toContain('w11');
    expect(generations()).toBe(1);
  },
);

/** Loses the service worker within an answer, and refuses the connections after it. */
async function refuseAfterLoss(stream: boolean, code: ApiErrorCode, count: number) {
  const { fetch: send } = globalThis;
  let left = 0;
  let refused = 0;
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    if (left === 0) return send(...asked);
    left -= 1;
    refused += 1;
    return errorResponse(new ApiError(code, 'Not now.'), { [ENGINE_HEADER]: 'local' });
  });
  let told = '';
  const read = ask(stream).then((response) => readText(response, (text) => (told += text)));
  await vi.waitUntil(() => endpoint.engine.running === 1, PATIENTLY);
  await endpoint.engine.advance(3);
  if (stream) await vi.waitUntil(() => told.includes('"content":"w2"'), PATIENTLY);
  else await setTimeout(50);
  left = count;
  endpoint.stopServiceWorker();
  await setTimeout(30);
  if (Number.isFinite(count)) endpoint.engine.runFreely();
  await read;
  return { told, refused };
}

test.for([
  [true, 'storage_unavailable'],
  [false, 'storage_unavailable'],
  [true, 'engine_unavailable'],
  [false, 'rate_limit_exceeded'],
] as const)('a refusal that may pass does not end a broken answer (stream: %s, %s)', async ([stream, code]) => {
  const { told } = await refuseAfterLoss(stream, code, 1);
  for (const word of WORDS) expect(told).toContain(word);
  expect(told).not.toContain('"error"');
  expect(generations()).toBe(1);
});

test.for([
  ['storage_unavailable', 5],
  ['model_not_loaded', 1],
] as const)('an answer that is given up because of %s is no longer generated', async ([code, requests]) => {
  const { told, refused } = await refuseAfterLoss(true, code, Number.POSITIVE_INFINITY);
  expect(told).toContain(`"code":"${code}"`);
  expect(refused).toBe(requests);
  await vi.waitUntil(() => endpoint.engine.running === 0, PATIENTLY);
});

/**
 * Refuses requests after their headers, as the service worker does when it has waited for the engine.
 * @param delay Milliseconds before each refusal.
 * @returns counts the requests.
 */
function refuseInStream(code: ApiErrorCode, count: number, delay = 0): () => number {
  const { fetch: send } = globalThis;
  const { error } = errorBody(new ApiError(code, 'Not now.'));
  let requests = 0;
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    if (++requests > count) return send(...asked);
    const refusal = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => globalThis.setTimeout(resolve, delay));
        controller.enqueue(new TextEncoder().encode(`: waits\n\ndata: ${JSON.stringify({ error })}\n\n`));
        controller.close();
      },
    });
    const headers = { 'content-type': 'text/event-stream', [STREAM_ID_HEADER]: STREAM_ID };
    return new Response(refusal, { headers });
  });
  return () => requests;
}

test.for(['rate_limit_exceeded', 'engine_unavailable'] as const)(
  'a stream that is refused with %s after its headers is requested again, because none of it was delivered',
  async (code) => {
    endpoint.engine.runFreely();
    const count = refuseInStream(code, 1);
    expect(await contentOf(ask(true))).toMatchObject({ content: WORDS, roles: 1, done: true });
    expect([count(), generations()]).toEqual([2, 1]);
  },
);

test('a stream that a full queue refuses after its headers gets its place later', async () => {
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  for (let index = 0; index < 9; index++) ask(true, { signal: leaving.signal }).catch(() => {});
  await vi.waitUntil(() => endpoint.requests.length === 9 && endpoint.engine.running === 1, PATIENTLY);
  await setTimeout(50);
  // The next service worker takes longer to find the engine than headers wait.
  endpoint.found = setTimeout(100);
  endpoint.stopServiceWorker();
  const response = await ask(true);
  const read = contentOf(Promise.resolve(response));
  await setTimeout(500);
  leaving.abort();
  endpoint.engine.runFreely();
  expect([response.status, await read]).toMatchObject([200, { content: WORDS, roles: 1, done: true }]);
});

test.for([
  ['a refusal that cannot pass', 'model_load_failed', 0, 1],
  ['a failure after a long wait', 'engine_unavailable', 4000, 1],
  ['a refusal that does not pass', 'engine_unavailable', 0, 6],
] as const)('%s ends a stream of which nothing has come', async ([, code, delay, requests]) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const count = refuseInStream(code, Number.POSITIVE_INFINITY, delay);
  const read = ask(true).then((response) => response.text());
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await read).trim().split('\n\n').at(-1)).toContain(`"code":"${code}"`);
  expect(count()).toBe(requests);
});

test('an unreachable endpoint is given up after some attempts, with the last error', async () => {
  const failing = vi.fn<typeof fetch>(() => Promise.reject(new TypeError('Failed to fetch')));
  vi.stubGlobal('fetch', failing);
  await expect(ask(true)).rejects.toThrow('Failed to fetch');
  expect(failing.mock.calls.length).toBeLessThan(10);
});

test('the resuming fetch returns an error response unchanged', async () => {
  const [address, init] = question(true);
  const response = await resumingFetch(address, { ...init, body: '{}' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: 'model' } });
  expect(endpoint.requests).toHaveLength(1);
});

test('the resuming fetch returns a redirect that is not followed as it is', async () => {
  // Like an opaque redirect, it has the status 0, which no script can give a response.
  const redirect = Response.error();
  const sent = vi.fn<typeof fetch>(async () => redirect);
  vi.stubGlobal('fetch', sent);
  expect(await ask(true, { redirect: 'manual' })).toBe(redirect);
  expect(sent).toHaveBeenCalledTimes(1);
});

test('the resuming fetch returns the bytes of a page of a server that is not UTF-8', async () => {
  const page = Uint8Array.from([0x66, 0xfc, 0x72]);
  vi.stubGlobal('fetch', async () => new Response(page, { status: 502 }));
  const response = await ask(true);
  expect(response.status).toBe(502);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(page);
});

test('requests other than chat completions of this origin are passed on unchanged', async () => {
  const passedOn = vi.fn<typeof fetch>(async () => new Response('as it is'));
  vi.stubGlobal('fetch', passedOn);
  const others: [RequestInfo | URL, RequestInit?][] = [
    [`${SITE}v1/models`, { headers: { authorization: 'Bearer local' } }],
    [new URL('/v1/chat/completions', SITE)],
    ['https://elsewhere.test/v1/chat/completions', { method: 'POST', body: '{}' }],
    [new Request(`${SITE}upload`, { method: 'POST', body: 'x' })],
  ];
  for (const other of others) {
    expect(await (await resumingFetch(...other)).text()).toBe('as it is');
    expect(passedOn.mock.lastCall).toEqual(other.length === 1 ? [other[0], undefined] : other);
  }
});

/** Removes the keep-alive comments, which a slow machine receives. */
async function textOf(response: Response): Promise<string> {
  return (await response.text()).replaceAll(/^: .*\n\n/gm, '');
}

test('a stream whose client names its id has numbered events, and resumes after any of them', async () => {
  endpoint.engine.runFreely();
  const headers = { 'x-tabserve-stream-id': STREAM_ID };
  const whole = await textOf(await ask(true, { headers }));
  const numbers = [...whole.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
  expect(numbers.length).toBeGreaterThan(WORDS.length);
  for (const number of numbers) {
    const rest = await ask(true, { headers: { ...headers, 'x-tabserve-last-event': String(number) } });
    expect(await textOf(rest), `after ${number}`).toBe(
      number === numbers.at(-1)
        ? whole.slice(whole.indexOf('data: [DONE]'))
        : whole.slice(whole.indexOf(`id: ${number}\n`) + `id: ${number}\n\n`.length),
    );
  }
  expect(generations()).toBe(1);
});

test('an answer that may outlive its page continues without a subscriber and can be joined later', async () => {
  const headers = { 'x-tabserve-stream-id': STREAM_ID, 'x-tabserve-outlives': 'page' };
  const [address, init] = question(true, { headers });
  const { body } = await endpoint.fetch(address, init);
  // The response headers may arrive before the generation begins, and `advance` needs a running generation.
  await vi.waitUntil(() => endpoint.engine.running === 1, PATIENTLY);
  await endpoint.engine.advance(2);
  await body!.cancel();
  await setTimeout(30);
  await endpoint.engine.advance(4);
  const later = ask(true, { headers: { ...headers, 'x-tabserve-last-event': '-1' } });
  expect((await write(contentOf(later), [])).content).toEqual(WORDS);
});

test.each([
  ['another key', { authorization: 'Bearer other' }, 400],
  ['an unknown id', { 'x-tabserve-stream-id': `${STREAM_ID}-2` }, 404],
])('an answer is not given to %s', async (_who, headers, status) => {
  endpoint.close();
  // On a busy machine, headers that are sent early would hide the status.
  open(60_000);
  endpoint.engine.runFreely();
  await (await ask(true, { headers: { 'x-tabserve-stream-id': STREAM_ID } })).text();
  const stranger = { 'x-tabserve-stream-id': STREAM_ID, 'x-tabserve-last-event': '-1', ...headers };
  expect((await ask(true, { headers: stranger })).status).toBe(status);
});

test('only requests to this endpoint get a stream id, whatever its base path', async () => {
  const asked: boolean[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).has('x-tabserve-stream-id'));
    return new Response('{}');
  });
  const tabFetch = createResumingFetch(
    () => '/api/llm',
    () => {},
  );
  const send = (path: string) => tabFetch(new URL(path, SITE).href, { method: 'POST', body: '{}' });
  for (const path of ['/api/llm/chat/completions', '/api/llm/chat/completions/', '/v1/chat/completions', '/api/llm/x'])
    await send(path);
  expect(asked).toEqual([true, true, false, false]);
});

test('a stream that the engine has lost is a 404 without a request, which the console would show as an error', async () => {
  const asked = vi.fn<typeof fetch>(async () => new Response('{}'));
  vi.stubGlobal('fetch', asked);
  const known = vi.fn<(id: string) => Promise<boolean>>(async () => false);
  const tabFetch = createResumingFetch(
    () => '/v1',
    () => {},
    known,
  );
  const resume = () =>
    tabFetch(...question(true, { headers: { [STREAM_ID_HEADER]: STREAM_ID, [LAST_EVENT_HEADER]: '3' } }));
  const response = await resume();
  expect([response.status, asked.mock.calls.length, known.mock.calls]).toEqual([404, 0, [[STREAM_ID]]]);
  expect(await response.json()).toMatchObject({ error: { code: 'stream_not_found' } });
  // A new stream is not known to any engine yet.
  await tabFetch(...question(true));
  known.mockResolvedValue(true);
  await resume();
  expect([asked.mock.calls.length, known.mock.calls.length]).toEqual([2, 2]);
});

test.for([true, false])(
  'an answer whose page is frozen continues, and is joined when the page is resumed (stream: %s)',
  async (stream) => {
    const before = generations();
    const text = ask(stream).then((response) => response.text());
    await vi.waitUntil(() => endpoint.engine.running === 1, PATIENTLY);
    await endpoint.engine.advance(4);
    const resume = endpoint.freezePage();
    for (let step = 0; step < WORDS.length; step++) await endpoint.engine.advance();
    resume();
    const content = await write(text, []);
    for (const word of WORDS) expect(content).toContain(word);
    expect(generations()).toBe(before + 1);
  },
);

test.for([
  { stream: true, first: 'id: 1\n\ndata: {"choices":[]}\n\n', next: 'data: [DONE]\n\n', whole: /^data: .*DONE/s },
  { stream: false, first: '\n', next: '{}', whole: /\{\}$/ },
])(
  'an answer that falls silent within its body is joined again (stream: $stream)',
  async ({ stream, first, next, whole }) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const headers = { [STREAM_ID_HEADER]: 'a', 'content-type': stream ? 'text/event-stream' : 'application/json' };
    const silent = new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(first)) });
    const asked = vi
      .fn<typeof fetch>()
      .mockResolvedValueOnce(new Response(silent, { headers }))
      .mockResolvedValueOnce(new Response(next, { headers }));
    vi.stubGlobal('fetch', asked);
    const text = createResumingFetch(
      () => '/v1',
      () => {},
    )(...question(stream)).then((response) => response.text());
    await vi.advanceTimersByTimeAsync(59_000);
    expect(asked).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await text).toMatch(whole);
    expect(asked).toHaveBeenCalledTimes(2);
  },
);

test.for([
  ['never comes', () => new Promise<never>(() => {})],
  ['breaks', () => Promise.reject(new TypeError('stopped'))],
] as const)(
  'a refusal whose body %s, because the service worker died behind its headers, is a failed attempt',
  async ([, pull]) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const headers = { [STREAM_ID_HEADER]: 'a', [ENGINE_HEADER]: 'local', 'content-type': 'application/json' };
    const refused = () => new Response(new ReadableStream({ pull }), { status: 503, headers });
    const asked = vi
      .fn<typeof fetch>()
      .mockImplementationOnce(async () => refused())
      .mockResolvedValueOnce(new Response(new ReadableStream({ start: (body) => body.close() }), { headers }))
      .mockImplementationOnce(async () => refused())
      .mockResolvedValueOnce(new Response('{}', { headers }));
    vi.stubGlobal('fetch', asked);
    const text = createResumingFetch(
      () => '/v1',
      () => {},
    )(...question(false)).then((response) => response.text());
    await vi.advanceTimersByTimeAsync(130_000);
    expect(asked).toHaveBeenCalledTimes(4);
    expect(await text).toBe('{}');
  },
);

test('a silent body is no longer read once the page is resumed, and is cancelled once another one is open', async () => {
  const headers = { [STREAM_ID_HEADER]: 'a', 'content-type': 'text/event-stream' };
  const happened: string[] = [];
  const silent = new ReadableStream({ cancel: () => void happened.push('cancelled') });
  const bodies = [silent, 'data: [DONE]\n\n'];
  vi.stubGlobal('fetch', async () => {
    happened.push('asked');
    return new Response(bodies.shift() ?? null, { headers });
  });
  const text = createResumingFetch(
    () => '/v1',
    () => {},
  )(...question(true)).then((response) => response.text());
  await setTimeout(10);
  document.dispatchEvent(new Event('resume'));
  expect(await text).toContain('[DONE]');
  expect(happened).toEqual(['asked', 'asked', 'cancelled']);
});

/** A response body that fails after five seconds, as when the service worker is stopped. */
const bodyThatBreaks = () =>
  new ReadableStream({ start: (body) => void globalThis.setTimeout(() => body.error(new TypeError('stopped')), 5000) });

test.for([true, false])(
  'a service worker that is stopped every five seconds before the first token loses no answer (stream: %s)',
  async (stream) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const headers = { [STREAM_ID_HEADER]: 'a', 'content-type': stream ? 'text/event-stream' : 'application/json' };
    let asked = 0;
    vi.stubGlobal('fetch', async () => {
      const ending = stream ? 'data: [DONE]\n\n' : '{}';
      return new Response(++asked <= 20 ? bodyThatBreaks() : ending, { headers });
    });
    const text = createResumingFetch(
      () => '/v1',
      () => {},
    )(...question(stream)).then((response) => response.text());
    await vi.advanceTimersByTimeAsync(110_000);
    expect(await text).toBe(stream ? 'data: [DONE]\n\n' : '{}');
    expect(asked).toBe(21);
  },
);

test('a service worker that is stopped every five seconds before it sends headers loses no answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const headers = { [STREAM_ID_HEADER]: 'a', 'content-type': 'application/json' };
  let asked = 0;
  vi.stubGlobal('fetch', async () => {
    if (++asked > 20) return new Response('{}', { headers });
    await new Promise((resolve) => void globalThis.setTimeout(resolve, 5000));
    throw new TypeError('stopped');
  });
  const text = createResumingFetch(
    () => '/v1',
    () => {},
  )(...question(false)).then((response) => response.text());
  await vi.advanceTimersByTimeAsync(110_000);
  expect(await text).toBe('{}');
});

test('an answer that breaks off and that the engine has lost is told to be lost at the first look', async () => {
  const headers = { 'content-type': 'text/event-stream', [STREAM_ID_HEADER]: STREAM_ID };
  vi.stubGlobal('fetch', async () => new Response('data: {"a":1}\n\nid: 3\n\n', { headers }));
  const known = vi.fn<(id: string) => Promise<boolean>>(async () => false);
  const tabFetch = createResumingFetch(
    () => '/v1',
    () => {},
    known,
  );
  const response = await tabFetch(...question(true));
  expect(await response.text()).toContain('it is lost');
  expect(known).toHaveBeenCalledTimes(1);
});
