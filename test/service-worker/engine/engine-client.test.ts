import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineClient } from '../../../src/service-worker/engine/engine-client.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import { EngineClientIdentity, type EnginePort } from '../../../src/shared/messaging/engine-connection.ts';
import { ANSWER_LOCK } from '../../../src/shared/locks/site-locks.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { startEngineWorker, travel } from '../../support/fakes/engine-worker.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const SITE = 'https://site.test/';

let locks: MemoryLocks;
/** The newest worker's ports, as a window would send them. */
let worker: ReturnType<typeof startEngineWorker>;
/** The client ids with which a port was requested. */
let asked: (string | undefined)[];

beforeEach(() => {
  locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  worker = startEngineWorker({ locks });
  asked = [];
});

afterEach(() => {
  worker.die();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function startClient(connect = async (): Promise<EnginePort> => worker.connect()) {
  return new EngineClient({
    identity: new EngineClientIdentity('service-worker'),
    site: SITE,
    connect: (clientId) => {
      asked.push(clientId);
      return connect();
    },
  });
}

test("a call returns the engine's result or its error", async () => {
  const client = startClient();
  const options = { requestId: 'request', clientId: 'page' };
  const parameters = { id: 'a', tokens: [1] };
  const unknown = client.call('models/detokenize', parameters, options);
  await expect(unknown).rejects.toMatchObject({ code: 'internal_error' });
  expect(asked).toEqual(['page']);
  worker.die();
  worker = startEngineWorker({
    locks,
    handlers: { 'models/detokenize': { parameters: v.any(), run: async ({ tokens }) => tokens.join('+') } },
  });
  await expect
    .poll(() => client.call('models/detokenize', { id: 'a', tokens: [1, 2] }, options).catch(String))
    .toBe('1+2');
});

let requests = 0;

function complete(client: EngineClient, text: string, clientId?: string) {
  const requestId = `request ${requests++}`;
  return client.complete(completionRequest(text), {
    requestId,
    fingerprint: requestId,
    holdTime: 60_000,
    ...(clientId === undefined ? {} : { clientId }),
  });
}

async function readAll(stream: ReadableStream<readonly CompletionEvent[]>): Promise<CompletionEvent[]> {
  const events: CompletionEvent[] = [];
  for await (const batch of stream) events.push(...batch);
  return events;
}

/** Whether no response is running. */
function idle(locks: MemoryLocks): Promise<boolean> {
  return locks.request(ANSWER_LOCK, { ifAvailable: true }, (lock) => lock !== null);
}

test('a response that is not read is cancelled at a megabyte, and the engine runs the next one', async () => {
  const client = startClient();
  const unread = complete(client, 'long '.repeat(20).replaceAll('long', 'x'.repeat(100_000)));
  const reader = unread.getReader();
  await travel();
  for (let step = 0; step < 25; step++) {
    await worker.engine.advance();
    await travel();
  }
  expect(worker.engine.history.at(-1)).toBe('stopped');
  const next = readAll(complete(client, 'next'));
  worker.engine.runFreely();
  expect((await next).at(-1)).toMatchObject({ type: 'done' });
  const events: CompletionEvent[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) events.push(...part.value);
  expect(events.filter(({ type }) => type === 'delta')).toHaveLength(11);
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'engine_timeout' } });
});

test('all events arrive, and the stream closes', async () => {
  worker.engine.runFreely();
  const events = await readAll(complete(startClient(), 'one two'));
  expect(events.map(({ type }) => type)).toEqual(['prefill', 'delta', 'delta', 'finish', 'done']);
});

test('one port serves all requests, and the first requesting window provides it', async () => {
  worker.engine.runFreely();
  const client = startClient();
  const answers = await Promise.all(['1', '2', '3'].map((text) => readAll(complete(client, text, `client ${text}`))));
  expect(answers.map((events) => events.flatMap((event) => (event.type === 'delta' ? [event.content] : [])))).toEqual([
    ['1'],
    ['2'],
    ['3'],
  ]);
  expect(asked).toEqual(['client 1']);
});

test('cancelling the stream ends the completion in the engine', async () => {
  const stream = complete(startClient(), '1 2 3');
  await travel();
  await worker.engine.advance();
  await stream.cancel();
  await travel();
  await worker.engine.advance();
  expect(worker.engine.history).toEqual(['generate a: 1 2 3', 'stopped']);
});

test('a second stream of the same request gets no event of the first', async () => {
  const client = startClient();
  const options = { requestId: 'request', holdTime: 60_000 };
  const first = client.complete(completionRequest('first'), { ...options, fingerprint: 'first' });
  await travel();
  // The events of the first stream are on their way while the second one begins.
  const unblock = worker.block();
  await worker.engine.advance();
  await travel();
  await first.cancel();
  const second = readAll(client.complete(completionRequest('second'), { ...options, fingerprint: 'second' }));
  unblock();
  worker.engine.runFreely();
  const texts = (await second).flatMap((event) => (event.type === 'delta' ? [event.content] : []));
  expect(texts).toEqual(['second']);
});

test('a stream that is cancelled before there is a port never reaches the engine', async () => {
  const introduced = travel().then(() => worker.connect());
  await complete(
    startClient(() => introduced),
    '1',
  ).cancel();
  await introduced;
  await travel();
  expect(worker.engine.history).toEqual([]);
});

test('when the engine dies every running response ends in engine_unavailable, and the next request finds another engine', async () => {
  const client = startClient();
  const streams = [complete(client, '1 1 1'), complete(client, '2')].map(readAll);
  await travel();
  worker.die();
  for (const events of await Promise.all(streams)) {
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'engine_unavailable', retryAfter: 1 } });
  }
  worker = startEngineWorker({ locks });
  worker.engine.runFreely();
  const next = await readAll(complete(client, '3'));
  expect(next.at(-1)?.type).toBe('done');
});

test('a request that the engine did not receive before it died goes to the next engine', async () => {
  const client = startClient();
  worker.engine.runFreely();
  await readAll(complete(client, 'connects'));
  worker.block();
  const answer = readAll(complete(client, '1 2'));
  await travel();
  const dying = worker;
  worker = startEngineWorker({ locks });
  worker.engine.runFreely();
  dying.die();
  expect((await answer).map(({ type }) => type)).toEqual(['prefill', 'delta', 'delta', 'finish', 'done']);
});

test('a request that is cancelled before it is sent to the next engine is not sent', async () => {
  const client = startClient();
  worker.engine.runFreely();
  await readAll(complete(client, 'connects'));
  worker.block();
  const stream = complete(client, '1 2');
  await travel();
  const dying = worker;
  worker = startEngineWorker({ locks });
  dying.die();
  await travel();
  await stream.cancel();
  worker.engine.runFreely();
  await readAll(complete(client, 'later'));
  expect(worker.engine.history).toEqual(['generate a: later']);
});

test('a request fails if the second engine dies before it receives the request, too', async () => {
  const client = startClient(async () => {
    const dying = startEngineWorker({ locks });
    const { port, lockName } = dying.connect();
    const post = port.postMessage.bind(port);
    port.postMessage = (message: { readonly type: string }) =>
      message.type === 'complete' ? dying.die() : post(message);
    return { port, lockName };
  });
  expect(await readAll(complete(client, '1'))).toMatchObject([
    { type: 'error', error: { code: 'engine_unavailable', retryAfter: 1 } },
  ]);
  expect(asked).toHaveLength(2);
});

test('a blocked engine fails every response that waits for it, and the next request finds another engine', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const client = startClient();
  const answer = readAll(complete(client, '1 1 1'));
  await travel();
  worker.block();
  for (let second = 0; second < 36; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    await travel();
  }
  expect((await answer).at(-1)).toMatchObject({
    type: 'error',
    error: { code: 'engine_unavailable', retryAfter: expect.any(Number) },
  });
  vi.useRealTimers();
  worker.die();
  worker = startEngineWorker({ locks });
  worker.engine.runFreely();
  expect((await readAll(complete(client, '2'))).at(-1)?.type).toBe('done');
  expect(asked).toHaveLength(2);
});

test('an engine that dies during the handshake is noticed at once', async () => {
  worker.block();
  const answer = readAll(complete(startClient(), '1'));
  await travel();
  worker.die();
  expect((await answer).at(-1)).toMatchObject({ type: 'error', error: { code: 'engine_unavailable', retryAfter: 1 } });
});

test('a missing or rejecting window fails only that request', async () => {
  let refusal: ApiError | null = new ApiError('engine_unavailable', 'No open tab.', { retryAfter: 2 });
  const client = startClient(async () => {
    if (refusal) throw refusal;
    return worker.connect();
  });
  const events = await readAll(complete(client, '1'));
  expect(events).toEqual([{ type: 'error', error: refusal.toData() }]);
  refusal = null;
  worker.engine.runFreely();
  expect((await readAll(complete(client, '2'))).at(-1)?.type).toBe('done');
});

test('an engine without a graphics device is gpu_unavailable', async () => {
  worker.die();
  worker = startEngineWorker({ locks, gpu: null });
  const events = await readAll(complete(startClient(), '1'));
  expect(events).toMatchObject([{ type: 'error', error: { code: 'gpu_unavailable' } }]);
});

test('a newer service worker can tell whether a response is running', async () => {
  const client = startClient();
  expect(await idle(locks)).toBe(true);
  const answer = readAll(complete(client, '1'));
  const cancelled = complete(client, '2');
  await travel();
  expect(await idle(locks)).toBe(false);
  worker.engine.runFreely();
  await answer;
  expect(await idle(locks)).toBe(false);
  await cancelled.cancel();
  await travel();
  expect(await idle(locks)).toBe(true);
});

/** Starts the takeover by a newer build. Returns a function that ends it. */
function takeOver(locks: MemoryLocks): () => void {
  const over = new AbortController();
  void locks.request(ANSWER_LOCK, () => new Promise((resolve) => over.signal.addEventListener('abort', resolve)));
  return () => over.abort();
}

test('a response that loses the lock to a newer build fails, and its completion is cancelled', async () => {
  const client = startClient();
  const first = complete(client, 'connects');
  await travel();
  await first.cancel();
  await worker.engine.advance();
  await travel();
  takeOver(locks);
  const events = await readAll(complete(client, '1 2 3'));
  expect(events).toMatchObject([{ type: 'error', error: { code: 'engine_unavailable', retryAfter: 1 } }]);
  await travel();
  await worker.engine.advance();
  expect(worker.engine.history.slice(-2)).toEqual(['generate a: 1 2 3', 'stopped']);
});

test('a resumable completion does not start if a newer build has the lock', async () => {
  const client = startClient();
  worker.engine.runFreely();
  await readAll(complete(client, 'connected'));
  const end = takeOver(locks);
  const resumable = { id: 'stream', outlives: 'page', joinsOnly: false, answerId: 'answer' } as const;
  const options = { requestId: 'stored', fingerprint: 'stored', holdTime: null, resumable };
  const [refusal] = await readAll(client.complete(completionRequest('stored'), options));
  expect(refusal).toMatchObject({ type: 'error', error: { code: 'engine_unavailable' } });
  await travel();
  expect(worker.engine.history.join()).not.toContain('stored');
  end();
  await travel();
  const events = await readAll(client.complete(completionRequest('stored'), options));
  expect(events.at(-1)?.type).toBe('done');
});

test('a service worker joins the completion that its dead predecessor started', async () => {
  const request = completionRequest('1 2 3');
  const first = startClient().complete(request, { requestId: 'first', fingerprint: 'same', holdTime: 60_000 });
  await travel();
  await worker.engine.advance(2);
  const second = startClient().complete(request, { requestId: 'second', fingerprint: 'same', holdTime: 60_000 });
  await travel();
  worker.engine.runFreely();
  const events = await readAll(second);
  expect(events.map(({ type }) => type)).toEqual(['prefill', 'delta', 'delta', 'delta', 'finish', 'done']);
  expect(worker.engine.history).toEqual(['generate a: 1 2 3']);
  await first.cancel();
});
