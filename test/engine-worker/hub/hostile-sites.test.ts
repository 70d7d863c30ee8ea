import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PROTOCOL_VERSION } from '../../../src/shared/messaging/messages.ts';
import { modelCallHandlers } from '../../../src/engine-worker/ports/model-call-handlers.ts';
import type { CallHandlers } from '../../../src/engine-worker/ports/call-handlers.ts';
import { startEngineWorker, travel } from '../../support/fakes/engine-worker.ts';
import { askOfSite, connectSite, openHubFrame } from '../../support/fakes/hub-frame.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const ONE = 'https://one.test';
const OTHER = 'https://other.test';

let worker: ReturnType<typeof startEngineWorker>;

beforeEach(() => {
  const locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  const handlers: Partial<CallHandlers> = {};
  worker = startEngineWorker({ locks, handlers });
  const { completions, findModel } = worker;
  Object.assign(handlers, modelCallHandlers({ models: {} as never, completions, findModel }));
});

afterEach(() => {
  worker.die();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function openBoth() {
  const frame = await openHubFrame(worker);
  await Promise.all([frame.admit(ONE), frame.admit(OTHER)]);
  return { frame, one: await connectSite(worker, frame, ONE), other: await connectSite(worker, frame, OTHER) };
}

const call = (name: string, parameters: object, callId: string = name) =>
  ({ type: 'call', callId, name, parameters }) as never;
const tokenize = (callId: string) =>
  call(
    'models/tokenize',
    { id: 'a', input: { type: 'text', text: 'x', prefix: false, markers: false }, pieces: false },
    callId,
  );

/** What became of the calls: their results' types, or the codes of their errors. */
const outcomes = (messages: readonly object[]) =>
  (messages as { callId?: string; type: string; error?: { code: string } }[]).flatMap(({ callId, type, error }) =>
    callId === undefined ? [] : [error?.code ?? type],
  );

test.each([
  ['models/load', { id: 'a' }],
  ['models/preload', { id: 'a' }],
  ['models/detokenize', { id: 'a', tokens: [1] }],
])('a site cannot call %s for a model that the person does not allow it', async (name, parameters) => {
  const { frame, one } = await openBoth();
  await frame.change(ONE, { models: ['b'] });
  one.connection.post(call(name, parameters));
  await travel();
  expect(outcomes(one.messages)).toEqual(['model_not_found']);
});

test('the calls of a site leave the places of other sites in the queue free', async () => {
  const { one, other } = await openBoth();
  one.connection.post(askOfSite('running'));
  await travel();
  for (let index = 0; index < 70; index++) one.connection.post(tokenize(`${index}`));
  await travel();
  other.connection.post(tokenize('other'));
  await travel();
  worker.engine.runFreely();
  await travel();
  expect([outcomes(other.messages), outcomes(one.messages).filter((one) => one === 'result').length]).toEqual([
    ['result'],
    64,
  ]);
});

test('a site that loads models without end fills its own places only', async () => {
  const { one, other } = await openBoth();
  one.connection.post(askOfSite('running'));
  await travel();
  for (let index = 0; index < 20; index++)
    one.connection.post(call('models/load', { id: index % 2 ? 'a' : 'b' }, `${index}`));
  await travel();
  other.connection.post(askOfSite('other'));
  const load = vi.spyOn(worker.engine, 'load');
  worker.engine.runFreely();
  await travel();
  await travel();
  expect(load.mock.calls.length).toBeLessThan(12);
  expect(other.types('other').at(-1)).toBe('done');
});

test('a site cannot pass its limit of waiting requests by calling them requests in the background', async () => {
  const { one } = await openBoth();
  for (let subscription = 0; subscription < 20; subscription++)
    one.connection.post({ ...askOfSite(`${subscription}`), subscription, isBackground: true } as never);
  await travel();
  expect(one.messages.filter((message) => JSON.stringify(message).includes('rate_limit_exceeded'))).toHaveLength(11);
});

test('a request that was refused takes no memory, although its site does not say that it has got the error', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { one } = await openBoth();
  for (let subscription = 0; subscription < 20; subscription++)
    one.connection.post({ ...askOfSite(`${subscription}`), subscription });
  await travel();
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await travel();
  // Those that the engine still remembers get an error of the silence.
  expect(one.types('19').filter((type) => type === 'error')).toHaveLength(1);
});

test('a context that watches the status many times gets it once', async () => {
  const { one } = await openBoth();
  for (let index = 0; index < 5; index++) one.connection.post({ type: 'watch-status' });
  await travel();
  const before = one.messages.length;
  worker.engine.runFreely();
  one.connection.post({ ...askOfSite('x'), request: { ...askOfSite('x').request, model: 'b' } });
  await travel();
  const states = one.messages
    .slice(before)
    .flatMap((message) => (message.type === 'status' ? [message.status.state] : []));
  expect(states.filter((state) => state === 'ready').length).toBeLessThan(4);
});

test('ports that say hello late are limited, too', async () => {
  const { frame } = await openBoth();
  let answered = 0;
  const ports = Array.from({ length: 300 }, () => frame.embed(ONE));
  await travel();
  for (const [index, port] of ports.entries()) {
    port.addEventListener('message', ({ data }) => (answered += data.type === 'welcome' ? 1 : 0));
    port.start();
    port.postMessage({ type: 'hello', version: PROTOCOL_VERSION, client: 'page', incarnation: `x${index}` });
  }
  await travel();
  await travel();
  expect(answered).toBeLessThanOrEqual(200);
});

test('two service workers of one origin, of different paths, keep their connections', async () => {
  const frame = await openHubFrame(worker);
  await frame.admit(ONE);
  const first = await connectSite(worker, frame, ONE, 'service-worker', '/first/');
  first.connection.post(askOfSite('one two'));
  await travel();
  const second = await connectSite(worker, frame, ONE, 'service-worker', '/second/');
  second.connection.post(askOfSite('three'));
  await travel();
  worker.engine.runFreely();
  await travel();
  expect([first.types('one two').at(-1), second.types('three').at(-1)]).toEqual(['done', 'done']);
});

test('a request that joins its running answer does not need tokens that this has used', async () => {
  const frame = await openHubFrame(worker);
  await frame.admit(ONE);
  await frame.change(ONE, { tokensPerMinute: 1 });
  const stream = { resumable: { id: 's', outlives: 'page', joinsOnly: false } } as const;
  const lost = await connectSite(worker, frame, ONE);
  worker.engine.runFreely();
  lost.connection.post({ ...askOfSite('one two'), ...stream });
  await travel();
  const { connection, types } = await connectSite(worker, frame, ONE);
  connection.post({ ...askOfSite('one two'), ...stream });
  await travel();
  expect(types('one two').at(-1)).toBe('done');
});

test('requests that wait are held to the limit of tokens, too', async () => {
  const { frame, one } = await openBoth();
  await frame.change(ONE, { tokensPerMinute: 1 });
  for (const [subscription, text] of ['first', 'second', 'third'].entries())
    one.connection.post({ ...askOfSite(text), subscription });
  await travel();
  worker.engine.runFreely();
  await travel();
  expect([one.types('first').at(-1), one.error('second'), one.error('third')]).toEqual([
    'done',
    'rate_limit_exceeded',
    'rate_limit_exceeded',
  ]);
});
