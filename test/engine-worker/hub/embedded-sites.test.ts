import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PROTOCOL_VERSION, type EngineReplyMessage } from '../../../src/shared/messaging/messages.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { startEngineWorker, travel } from '../../support/fakes/engine-worker.ts';
import { askOfSite as ask, connectSite, HUB, openHubFrame, type HubFrame } from '../../support/fakes/hub-frame.ts';
import { MemoryHubRecords } from '../../support/fakes/memory-hub-records.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const ONE = 'https://one.test';
const OTHER = 'https://other.test';

let worker: ReturnType<typeof startEngineWorker>;
let records: MemoryHubRecords;

beforeEach(() => {
  const locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  records = new MemoryHubRecords();
  worker = startEngineWorker({ locks, hubRecords: records });
});

afterEach(() => {
  worker.die();
  vi.unstubAllGlobals();
});

const openFrame = () => openHubFrame(worker);
const connect = (frame: HubFrame, origin: string, client?: 'service-worker' | 'page') =>
  connectSite(worker, frame, origin, client);
const logs = (messages: readonly EngineReplyMessage[]) => messages.filter(({ type }) => type === 'store-log');
const resumable = (id: string, answerId?: string) =>
  ({ id, outlives: 'page', joinsOnly: false, ...(answerId !== undefined && { answerId }) }) as const;

test('a site that the person allows gets answers of the models of the hub', async () => {
  const frame = await openFrame();
  expect(await frame.admit(ONE)).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  const load = vi.spyOn(worker.engine, 'load');
  worker.engine.loadedModel = null;
  worker.engine.runFreely();
  const { connection, types } = await connect(frame, ONE);
  connection.post(ask('one two'));
  await travel();
  expect(types('one two').at(-1)).toBe('done');
  expect(load.mock.calls[0]?.[0].modelUrl).toBe(builtInModel(HUB).modelUrl);
});

test.each([
  ['that nobody has allowed', 'none', false],
  ['of the domain of the hub', 'same-site', true],
  ['that the person has just allowed', 'given', true],
] as const)('a site %s is served: %s, %s', async (_, consent, isServed) => {
  const frame = await openFrame();
  expect((await frame.admit(ONE, consent)) !== null).toBe(isServed);
  expect(await frame.sites()).toMatchObject([{ origin: ONE, isAllowed: isServed }]);
});

test('the port of a site that is not allowed is closed without an answer', async () => {
  const frame = await openFrame();
  const port = frame.embed(OTHER);
  const received = vi.fn<() => void>();
  port.addEventListener('message', received);
  port.start();
  port.postMessage({ type: 'hello', version: 0, client: 'page', incarnation: 'x', site: HUB });
  port.postMessage({ type: 'ping' });
  await travel();
  expect(received).not.toHaveBeenCalled();
});

test('a port that a site sends is not served', async () => {
  const frame = await openFrame();
  await frame.admit(ONE);
  const { connection } = await connect(frame, ONE);
  const { port1, port2 } = new MessageChannel();
  const received = vi.fn<() => void>();
  port1.addEventListener('message', received);
  port1.start();
  connection.post({ type: 'serve' }, [port2]);
  port1.postMessage({ type: 'hello', version: PROTOCOL_VERSION, client: 'page', incarnation: 'x', site: HUB });
  port1.postMessage({ type: 'ping' });
  await travel();
  expect(received).not.toHaveBeenCalled();
  port1.close();
});

test('a site can neither join nor cancel the stream of another site', async () => {
  const frame = await openFrame();
  await Promise.all([frame.admit(ONE), frame.admit(OTHER)]);
  const one = await connect(frame, ONE);
  const other = await connect(frame, OTHER);
  one.connection.post({ ...ask('secret'), resumable: resumable('stream') });
  await travel();
  other.connection.post({ type: 'cancel-stream', streamId: 'stream' });
  other.connection.post({ ...ask('secret', 'joined'), resumable: { ...resumable('stream'), joinsOnly: true } });
  await travel();
  expect(other.error('joined')).toBe('stream_not_found');
  worker.engine.runFreely();
  await travel();
  expect(one.types('secret').at(-1)).toBe('done');
});

test('the request of a site whose service worker was lost is not continued for another site', async () => {
  const frame = await openFrame();
  await Promise.all([frame.admit(ONE), frame.admit(OTHER)]);
  const one = await connect(frame, ONE);
  one.connection.post(ask('secret'));
  await travel();
  await connect(frame, ONE);
  const start = vi.spyOn(worker.completions.joinable, 'join');
  const other = await connect(frame, OTHER);
  other.connection.post(ask('secret', 'other'));
  await travel();
  expect(start.mock.results[0]?.value.site).toContain(OTHER);
});

test.each([
  ['models/delete', { id: 'a' }],
  ['models/unload', null],
  ['models/list', null],
  ['models/download', { id: 'a' }],
  ['models/inspect-gguf', { from: 'https://evil.test/x.gguf' }],
  ['models/storage', null],
  ['files/list', {}],
  ['hub/sites', null],
  ['hub/admit', { origin: OTHER, consent: 'given' }],
  ['hub/change-site', { origin: ONE, changes: { models: null } }],
])('a site cannot call %s', async (name, parameters) => {
  const frame = await openFrame();
  await frame.admit(ONE);
  const { connection, messages } = await connect(frame, ONE, 'page');
  connection.post({ type: 'call', callId: '1', name, parameters } as never);
  await travel();
  expect(messages).toMatchObject([{ type: 'failure', callId: '1', error: { code: 'forbidden_request' } }]);
});

const CYCLE: Record<string, unknown> = {};
CYCLE['self'] = CYCLE;

test.each([
  [
    'an image of another server',
    { messages: [{ role: 'user', content: [{ type: 'image', url: 'https://a.test/' }] }] },
  ],
  ['messages that are none', { messages: { length: 3 } }],
  ['a schema with a cycle', { responseFormat: { type: 'json_schema', schema: CYCLE } }],
  ['a thousand choices', { choices: 1000 }],
  ['no number as a limit', { maxTokens: Number.NaN }],
  ['no model', { model: undefined }],
])('a request with %s is refused, and the engine goes on', async (_, fields) => {
  const frame = await openFrame();
  await frame.admit(ONE);
  worker.engine.runFreely();
  const { connection, error, types } = await connect(frame, ONE);
  connection.post({ ...ask('bad'), request: { ...completionRequest('bad'), ...(fields as object) } } as never);
  connection.post(ask('good'));
  await travel();
  expect([error('bad'), types('good').at(-1)]).toEqual(['invalid_value', 'done']);
});

test.each([
  null,
  'text',
  { type: 'abandon' },
  { type: 'embed', origin: OTHER },
  { type: 'visible', visible: true },
  { type: 'complete' },
  { type: 'complete', subscription: 1, requestId: 'x'.repeat(5000) },
  { type: '__proto__' },
  { type: 'cancel-stream', streamId: {} },
])('the message %j of a site has no effect', async (message) => {
  const frame = await openFrame();
  await frame.admit(ONE);
  worker.engine.runFreely();
  const { connection, types } = await connect(frame, ONE);
  connection.post(message as never);
  connection.post(ask('good'));
  await travel();
  expect([worker.alive, types('good').at(-1)]).toEqual([true, 'done']);
});

test('a revoked site loses its running answers and its connections, others do not', async () => {
  const frame = await openFrame();
  await Promise.all([frame.admit(ONE), frame.admit(OTHER)]);
  const one = await connect(frame, ONE);
  const page = await connect(frame, ONE, 'page');
  const other = await connect(frame, OTHER);
  one.connection.post(ask('one'));
  other.connection.post(ask('other'));
  await travel();
  await frame.change(ONE, { isAllowed: false });
  await travel();
  expect([one.error('one'), one.connection.ended.aborted, page.connection.ended.aborted]).toEqual([
    'engine_unavailable',
    true,
    true,
  ]);
  worker.engine.runFreely();
  await travel();
  expect(other.types('other').at(-1)).toBe('done');
  expect(await frame.admit(ONE, 'same-site')).toBeNull();
});

test('a site gets only the models that the person allows it', async () => {
  const frame = await openFrame();
  await frame.admit(ONE);
  await frame.change(ONE, { models: ['b'] });
  expect(await frame.admit(ONE, 'none')).toMatchObject([{ id: 'b' }]);
  const { connection, error } = await connect(frame, ONE);
  connection.post(ask('which'));
  await travel();
  expect(error('which')).toBe('model_not_found');
});

test('a site that has used up its tokens of a minute has to wait, and others answer', async () => {
  const frame = await openFrame();
  await Promise.all([frame.admit(ONE), frame.admit(OTHER)]);
  await frame.change(ONE, { tokensPerMinute: 1 });
  worker.engine.runFreely();
  const one = await connect(frame, ONE);
  const other = await connect(frame, OTHER);
  for (const text of ['first words', 'second']) {
    one.connection.post(ask(text));
    await travel();
  }
  other.connection.post(ask('other'));
  await travel();
  expect([one.types('first words').at(-1), one.error('second'), other.types('other').at(-1)]).toEqual([
    'done',
    'rate_limit_exceeded',
    'done',
  ]);
  expect(await frame.sites()).toContainEqual(expect.objectContaining({ origin: ONE, requests: 1 }));
});

test('the prompts of each site have a cache of their own, apart from that of the hub', async () => {
  const frame = await openFrame();
  await Promise.all([frame.admit(ONE), frame.admit(OTHER)]);
  worker.engine.runFreely();
  const generate = vi.spyOn(worker.engine, 'generate');
  for (const origin of [ONE, OTHER]) {
    const { connection } = await connect(frame, origin);
    connection.post(ask('question'));
    await travel();
  }
  const scopes = generate.mock.calls.map(([{ cacheScope }]) => cacheScope);
  expect(new Set([...scopes, undefined]).size).toBe(3);
});

test('the status that a site sees does not tell what others have used', async () => {
  const frame = await openFrame();
  await Promise.all([frame.admit(ONE), frame.admit(OTHER)]);
  worker.engine.runFreely();
  const other = await connect(frame, OTHER);
  worker.engine.loadedModel = null;
  other.connection.post(ask('a question'));
  await travel();
  const { connection, messages } = await connect(frame, ONE, 'page');
  connection.post({ type: 'watch-status' });
  await travel();
  expect(messages).toMatchObject([{ status: { state: 'ready', promptCache: { promptTokens: 0, cachedTokens: 0 } } }]);
});

test('the log of a stored answer is sent to its site until that has stored it', async () => {
  const frame = await openFrame();
  await Promise.all([frame.admit(ONE), frame.admit(OTHER)]);
  worker.engine.runFreely();
  const one = await connect(frame, ONE);
  const other = await connect(frame, OTHER);
  one.connection.post({ ...ask('kept'), resumable: resumable('stream', 'answer') });
  await travel();
  expect([logs(one.messages), logs(other.messages)]).toMatchObject([[{ answerId: 'answer' }], []]);
  const page = await connect(frame, ONE, 'page');
  await travel();
  expect(logs(page.messages)).toMatchObject([{ answerId: 'answer' }]);
  page.connection.post({ type: 'log-stored', answerId: 'answer' });
  await travel();
  const later = await connect(frame, ONE, 'page');
  await travel();
  expect(logs(later.messages)).toEqual([]);
});

test('the page of a site ends with the frame in it, its service worker goes on', async () => {
  const frame = await openFrame();
  const second = await openFrame();
  await frame.admit(ONE);
  const page = await connect(frame, ONE, 'page');
  const serviceWorker = await connect(frame, ONE);
  frame.close();
  await travel();
  worker.engine.runFreely();
  page.connection.post(ask('lost'));
  serviceWorker.connection.post(ask('kept'));
  await travel();
  expect([page.types('lost'), serviceWorker.types('kept').at(-1)]).toEqual([[], 'done']);
  expect(await second.sites()).toHaveLength(1);
});

test('the requests of the site that the person sees go first', async () => {
  const [hidden, visible] = [await openFrame(), await openFrame()];
  await Promise.all([hidden.admit(ONE), visible.admit(OTHER)]);
  const one = await connect(hidden, ONE);
  await connect(visible, OTHER, 'page');
  const other = await connect(visible, OTHER);
  visible.show();
  const order: string[] = [];
  const generate = vi.spyOn(worker.engine, 'generate');
  for (const [index, text] of ['1', '2', '3'].entries()) one.connection.post({ ...ask(text), subscription: index });
  await travel();
  other.connection.post(ask('seen'));
  await travel();
  worker.engine.runFreely();
  await travel();
  for (const [{ messages }] of generate.mock.calls) order.push(String(messages.at(-1)?.content));
  expect(order).toEqual(['1', 'seen', '2', '3']);
});

test('a site that opens ports without end is served by some of them only, and other sites are', async () => {
  const frame = await openFrame();
  await Promise.all([frame.admit(ONE), frame.admit(OTHER)]);
  worker.engine.runFreely();
  let answered = 0;
  for (let index = 0; index < 300; index++) {
    const port = frame.embed(ONE);
    port.addEventListener('message', ({ data }) => (answered += data.type === 'welcome' ? 1 : 0));
    port.start();
    port.postMessage({ type: 'hello', version: PROTOCOL_VERSION, client: 'page', incarnation: `x${index}` });
    if (index % 50 === 49) await travel();
  }
  await travel();
  const { connection, types } = await connect(frame, OTHER);
  connection.post(ask('other'));
  await travel();
  expect([answered <= 200, types('other').at(-1)]).toEqual([true, 'done']);
});

test('the engine runs no task in the page of a site', async () => {
  const frame = await openFrame();
  await frame.admit(ONE);
  const before = worker.server.pages.length;
  await connect(frame, ONE, 'page');
  expect(worker.server.pages).toHaveLength(before);
});

test('the list of sites that were not allowed does not grow without bound', async () => {
  const frame = await openFrame();
  await frame.admit(ONE);
  for (let index = 0; index < 80; index++) await frame.admit(`https://s${index}.test`, 'none');
  const sites = await frame.sites();
  expect([sites.length, sites.some(({ origin }) => origin === ONE)]).toEqual([51, true]);
});

test('an engine of which only service workers of other sites are left is unused', async () => {
  const frame = await openFrame();
  await frame.admit(ONE);
  await connect(frame, ONE, 'service-worker');
  await connect(frame, ONE, 'page');
  expect(worker.server.isUsed).toBe(true);
  frame.close();
  await travel();
  expect(worker.server.isUsed).toBe(false);
});
