import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SharedEngineHost } from '../../../src/page/engine/shared-engine-host.ts';
import { EngineConnection } from '../../../src/shared/messaging/engine-connection.ts';
import {
  ENGINE_ABANDONED_PREFIX,
  ENGINE_LOCK_PREFIX,
  ENGINE_START_LOCK,
} from '../../../src/shared/locks/site-locks.ts';
import { PROTOCOL_VERSION, type EngineRequestMessage } from '../../../src/shared/messaging/messages.ts';
import { joinHost, outcome } from '../../support/fakes/join-host.ts';
import { MemoryLocks, stolenInFrame } from '../../support/fakes/web-locks.ts';

/** An engine worker. It lives until the controller aborts, and holds the lock with its name meanwhile. */
type TestWorker = AbortController;

let locks: MemoryLocks;
let workers: Map<string, TestWorker>;
/** Whether workers ignore the handshake. */
let silent: boolean;
/** Names of workers whose thread is blocked. */
let blocked: Set<string>;
/** Aborts when the pages end. */
let pages: AbortController;
const ports: MessagePort[] = [];

function startWorker(name: string): TestWorker {
  const life = new AbortController();
  void locks.request(
    ENGINE_LOCK_PREFIX + name,
    () => new Promise<void>((resolve) => life.signal.addEventListener('abort', () => resolve())),
  );
  return life;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  locks = new MemoryLocks();
  workers = new Map();
  silent = false;
  blocked = new Set();
  pages = new AbortController();
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal(
    'SharedWorker',
    class extends EventTarget {
      readonly port: MessagePort;

      constructor(_: URL, { name }: { name: string }) {
        super();
        // Browsers may return a dead worker for its name, which never responds.
        const worker = workers.get(name) ?? startWorker(name);
        workers.set(name, worker);
        const { port1, port2 } = new MessageChannel();
        this.port = port1;
        ports.push(port1, port2);
        port2.addEventListener('message', ({ data }: MessageEvent<EngineRequestMessage>) => {
          if (data.type !== 'hello') return;
          const lockName = ENGINE_LOCK_PREFIX + name;
          if (worker.signal.aborted || silent || blocked.has(name)) return;
          port2.postMessage({ type: 'welcome', version: PROTOCOL_VERSION, lockName, gpu: 'scripted' });
        });
        port2.start();
      }
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const port of ports.splice(0)) port.close();
});

function startHost(): SharedEngineHost {
  return new SharedEngineHost(new URL('https://site.test/engine.js'), () => {}, pages.signal);
}

const join = (host = startHost()): Promise<EngineConnection> => joinHost(host);

test('an engine that died while a frozen tab waited for its lock does not count as alive', async () => {
  expect(await outcome(join(), 1000)).toBeInstanceOf(EngineConnection);
  const [name] = workers.keys();
  // A frozen tab had waited for the engine's death. It is granted its shared lock and keeps it.
  void locks.request(ENGINE_LOCK_PREFIX + name!, { mode: 'shared' }, () => new Promise(() => {}));
  workers.get(name!)!.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(await outcome(join(), 1000)).toBeInstanceOf(EngineConnection);
  expect(workers.size).toBe(2);
});

test('an engine that dies during the handshake is replaced at once', async () => {
  silent = true;
  const joining = join();
  await outcome(joining, 500);
  const [name] = workers.keys();
  silent = false;
  workers.get(name!)!.abort();
  expect(await outcome(joining, 1000)).toBeInstanceOf(EngineConnection);
  expect(workers.size).toBe(2);
});

test('after three engines that die during the handshake no further one is started', async () => {
  silent = true;
  const joining = join();
  for (let attempt = 0; attempt < 5; attempt++) {
    await outcome(joining, 500);
    for (const worker of workers.values()) worker.abort();
  }
  expect(await outcome(joining, 500)).toMatchObject({ code: 'engine_unavailable', retryAfter: expect.any(Number) });
  expect(workers.size).toBe(3);
});

test('the start lock of a tab that cannot run code is stolen', async () => {
  void locks.request(ENGINE_START_LOCK, () => new Promise(() => {})).catch(() => {});
  const waiting = join();
  expect(await outcome(waiting, 20_000)).toBe('pending');
  expect(await outcome(waiting, 6000)).toBeInstanceOf(EngineConnection);
});

test('a start lock that another tab holds does not delay joining a running engine', async () => {
  await outcome(join(), 1000);
  void locks.request(ENGINE_START_LOCK, () => new Promise(() => {}));
  expect(await outcome(join(), 1000)).toBeInstanceOf(EngineConnection);
  expect(workers.size).toBe(1);
});

test.each<[where: string, stolen?: () => unknown]>([['own'], ['that of a frame', stolenInFrame]])(
  'a tab whose start lock was stolen while it could not run code joins the engine of the others (lock manager: %s)',
  async (_, stolen = locks.stolen) => {
    locks.stolen = stolen;
    silent = true;
    const slow = join();
    await outcome(slow, 100);
    silent = false;
    const other = locks.request(ENGINE_START_LOCK, { steal: true }, () => 'done');
    expect(await outcome(other, 100)).toBe('done');
    expect(await outcome(slow, 1000)).toBeInstanceOf(EngineConnection);
    expect(workers.size).toBe(1);
  },
);

test('tabs share one engine', async () => {
  const joined = await outcome(Promise.all([join(), join(), join()]), 1000);
  expect(joined).toHaveLength(3);
  expect(workers.size).toBe(1);
});

/** Returns the names of the engines that are marked as unresponsive. */
async function abandoned(): Promise<string[]> {
  const { held } = await locks.query();
  return held.flatMap(({ name }) => (name.startsWith(ENGINE_ABANDONED_PREFIX) ? [name] : []));
}

test('a new tab waits for an engine that does not answer, then starts another, which later tabs join at once', async () => {
  await outcome(join(), 1000);
  const [name] = workers.keys();
  blocked.add(name!);
  const late = join();
  expect(await outcome(late, 19_000)).toBe('pending');
  expect(await outcome(late, 2000)).toBeInstanceOf(EngineConnection);
  expect(await outcome(join(), 1000)).toBeInstanceOf(EngineConnection);
  expect(workers.size).toBe(2);
});

test('no tab joins an engine that another tab has abandoned', async () => {
  const host = startHost();
  await outcome(join(host), 1000);
  const [name] = workers.keys();
  blocked.add(name!);
  host.restart(ENGINE_LOCK_PREFIX + name!);
  expect(await outcome(Promise.all([join(host), join()]), 1000)).toHaveLength(2);
  expect(workers.size).toBe(2);
  expect(await abandoned()).toHaveLength(1);
  workers.get(name!)!.abort();
  await outcome(Promise.resolve(), 100);
  expect(await abandoned()).toEqual([]);
});

test('a tab marks only the engine that has ended as abandoned, and releases its mark when it closes', async () => {
  const host = startHost();
  await outcome(join(host), 1000);
  const [name] = workers.keys();
  host.restart('the engine before');
  await outcome(Promise.resolve(), 100);
  expect(await abandoned()).toHaveLength(0);
  host.restart(ENGINE_LOCK_PREFIX + name!);
  await outcome(Promise.resolve(), 100);
  expect(await abandoned()).toHaveLength(1);
  pages.abort();
  await outcome(Promise.resolve(), 100);
  expect(await abandoned()).toEqual([]);
});

test('after three engines that do not respond no further one is started', async () => {
  silent = true;
  const joining = join();
  expect(await outcome(joining, 59_000)).toBe('pending');
  expect(await outcome(joining, 3000)).toMatchObject({ code: 'engine_unavailable', retryAfter: expect.any(Number) });
});
