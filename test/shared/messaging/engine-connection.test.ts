import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  EngineClientIdentity,
  EngineConnection,
  type EnginePort,
} from '../../../src/shared/messaging/engine-connection.ts';
import {
  PROTOCOL_VERSION,
  type EngineReplyMessage,
  type EngineRequestMessage,
} from '../../../src/shared/messaging/messages.ts';
import { startEngineWorker, travel } from '../../support/fakes/engine-worker.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const never = new AbortController().signal;

let worker: ReturnType<typeof startEngineWorker>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  worker = startEngineWorker({ locks });
});

afterEach(() => {
  worker.die();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(port: EnginePort = worker.connect()): Promise<EngineConnection | null> {
  return EngineConnection.open(port, new EngineClientIdentity('page'), { site: 'https://site.test/' }, () => {});
}

async function opened(): Promise<EngineConnection> {
  const connection = await open();
  if (!connection) throw new Error('No welcome.');
  return connection;
}

/** Advances the clock by this many seconds, and delivers messages after each. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    await travel();
  }
}

test('an engine whose thread is blocked for half a minute is abandoned, and ends itself when it runs again', async () => {
  const connection = await opened();
  connection.monitorUntil(connection.ended);
  await pass(20);
  const release = worker.block();
  await pass(28);
  expect(connection.ended.aborted).toBe(false);
  await pass(12);
  expect(connection.ended.reason).toMatchObject({ code: 'engine_unavailable', retryAfter: expect.any(Number) });
  expect(connection.unresponsive).toBe(true);
  expect(worker.alive).toBe(true);
  release();
  await travel();
  expect(worker.alive).toBe(false);
});

test('an engine that is only blocked for a while is kept', async () => {
  const connection = await opened();
  connection.monitorUntil(connection.ended);
  for (let round = 0; round < 3; round++) {
    const release = worker.block();
    await pass(22);
    release();
    await pass(6);
  }
  expect(connection.ended.aborted).toBe(false);
});

test('an engine that is not monitored gets no pings', async () => {
  const connection = await opened();
  const answer = new AbortController();
  connection.monitorUntil(answer.signal);
  await pass(6);
  answer.abort();
  expect(vi.getTimerCount()).toBe(0);
  worker.block();
  await pass(60);
  expect(connection.ended.aborted).toBe(false);
  const [one, other] = [new AbortController(), new AbortController()];
  connection.monitorUntil(one.signal);
  connection.monitorUntil(other.signal);
  one.abort();
  await pass(36);
  expect(connection.unresponsive).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('an engine that dies during the handshake is detected at once', async () => {
  worker.block();
  const opening = open();
  await pass(1);
  worker.die();
  await pass(1);
  expect(await Promise.race([opening, Promise.resolve('pending')])).toBeNull();
});

/** Passes time, and delivers the messages that are sent meanwhile. */
async function passInSteps(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    await vi.advanceTimersByTimeAsync(10);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test.each(['page', 'service-worker'] as const)(
  'an engine that dies right after its welcome is detected at once by a %s, whose browser tells slowly which locks are held',
  async (client) => {
    const locks = new MemoryLocks();
    const query = () => new Promise((resolve) => setTimeout(() => resolve(locks.query()), 60));
    vi.stubGlobal('navigator', { locks: { request: locks.request.bind(locks), query } });
    let die!: () => void;
    void locks.request('dying', () => new Promise<void>((resolve) => (die = resolve)));
    const { port1, port2 } = new MessageChannel();
    port2.addEventListener('message', ({ data }: MessageEvent<EngineRequestMessage>) => {
      if (data.type !== 'hello') return;
      const welcome = { type: 'welcome', version: PROTOCOL_VERSION, lockName: 'dying', gpu: 'scripted' } as const;
      setTimeout(() => port2.postMessage(welcome satisfies EngineReplyMessage), 200);
      setTimeout(() => die(), 210);
    });
    port2.start();
    const opening = EngineConnection.open(
      { port: port1, lockName: 'dying' },
      new EngineClientIdentity(client),
      { site: 'https://site.test/' },
      () => {},
    );
    await passInSteps(1000);
    expect((await opening)?.ended.aborted).toBe(true);
    port2.close();
  },
);

test('an engine that takes its lock after a look for it, and ends before the next, is detected at once', async () => {
  const locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  const { port1, port2 } = new MessageChannel();
  const opening = EngineConnection.open(
    { port: port1, lockName: 'late' },
    new EngineClientIdentity('page'),
    { site: 'https://site.test/' },
    () => {},
  );
  // By then, the time between two looks has grown to several seconds.
  await passInSteps(15_000);
  let die!: () => void;
  void locks.request('late', () => new Promise<void>((resolve) => (die = resolve)));
  const welcome = { type: 'welcome', version: PROTOCOL_VERSION, lockName: 'late', gpu: 'scripted' } as const;
  port2.postMessage(welcome satisfies EngineReplyMessage);
  await passInSteps(50);
  const connection = await opening;
  expect(connection?.ended.aborted).toBe(false);
  // Also once the first watch has looked again.
  await passInSteps(6000);
  expect((await locks.query()).pending?.filter(({ name }) => name === 'late')).toHaveLength(1);
  die();
  await passInSteps(100);
  expect(connection?.ended.aborted).toBe(true);
  port2.close();
});

test('an engine that does not answer the handshake gets a message to end', async () => {
  const release = worker.block();
  const opening = open();
  await pass(21);
  expect(await opening).toBeNull();
  release();
  await travel();
  expect(worker.alive).toBe(false);
});

test('a context that was frozen during the handshake completes it afterwards', async () => {
  const release = worker.block();
  const opening = open();
  await pass(1);
  // After a freeze, expired timers fire before the waiting messages arrive.
  vi.advanceTimersByTime(600_000);
  release();
  await pass(1);
  expect(await Promise.race([opening, Promise.resolve('pending')])).toBeInstanceOf(EngineConnection);
});

test('a client that ends stops waiting for the handshake', async () => {
  worker.block();
  const end = new AbortController();
  const identity = new EngineClientIdentity('page', end.signal);
  const opening = EngineConnection.open(worker.connect(), identity, { site: 'https://site.test/' }, () => {}).catch(
    String,
  );
  await pass(1);
  end.abort(new Error('No more.'));
  expect(await opening).toContain('No more.');
  await pass(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a closed connection sends nothing more', async () => {
  const connection = await opened();
  connection.monitorUntil(never);
  connection.close();
  expect(vi.getTimerCount()).toBe(0);
  connection.monitorUntil(never);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['a page ends', 'page', false],
  ['a service worker keeps', 'service-worker', true],
] as const)("%s an engine whose lock it cannot see after the site's data were cleared", async (_, client, isKept) => {
  const other = startEngineWorker({ locks: new MemoryLocks() });
  const connection = await EngineConnection.open(
    other.connect(),
    new EngineClientIdentity(client),
    { site: 'https://site.test/' },
    () => {},
  );
  await travel();
  expect(connection?.ended.aborted).toBe(!isKept);
  expect(other.alive).toBe(isKept);
  other.die();
});
