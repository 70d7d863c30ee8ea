import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LeaderEngineHost } from '../../../src/page/engine/leader-engine-host.ts';
import { EngineConnection, type EnginePort } from '../../../src/shared/messaging/engine-connection.ts';
import { ENGINE_HOST_LOCK, ENGINE_LOCK_PREFIX } from '../../../src/shared/locks/site-locks.ts';
import { PROTOCOL_VERSION, type EngineRequestMessage } from '../../../src/shared/messaging/messages.ts';
import { joinHost, outcome } from '../../support/fakes/join-host.ts';
import { MemoryLocks, stolenInFrame } from '../../support/fakes/web-locks.ts';

let locks: MemoryLocks;
/** Number of workers that were started and not terminated. */
let workers: number;
let tabs: LeaderEngineHost[];
/** Name of the lock of the worker that was started last. */
let latestWorker: string | null;
/** Name of the lock of a live worker whose thread is blocked. */
let blockedWorker: string | null;
const ports: MessagePort[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  locks = new MemoryLocks();
  workers = 0;
  tabs = [];
  latestWorker = blockedWorker = null;
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      readonly #lockName: string;
      readonly #life = new AbortController();

      constructor(_: URL, { name }: { name: string }) {
        super();
        workers++;
        this.#lockName = ENGINE_LOCK_PREFIX + name;
        latestWorker = this.#lockName;
        const life = new Promise<void>((resolve) => this.#life.signal.addEventListener('abort', () => resolve()));
        void locks.request(this.#lockName, () => life);
      }

      postMessage(_: unknown, [port]: [MessagePort]): void {
        ports.push(port);
        port.addEventListener('message', ({ data }: MessageEvent<EngineRequestMessage>) => {
          if (this.#life.signal.aborted || blockedWorker === this.#lockName) return;
          if (data.type === 'ping') port.postMessage({ type: 'pong' });
          if (data.type !== 'hello') return;
          port.postMessage({ type: 'welcome', version: PROTOCOL_VERSION, lockName: this.#lockName, gpu: 'scripted' });
        });
        port.start();
      }

      terminate(): void {
        if (!this.#life.signal.aborted) workers--;
        this.#life.abort();
      }
    },
  );
});

afterEach(() => {
  for (const tab of tabs) tab.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const port of ports.splice(0)) port.close();
});

/**
 * @param reachable Whether the service worker can pass ports between the tabs.
 * @param page The tab's document.
 */
function openTab(reachable = true, page = new EventTarget()): LeaderEngineHost {
  vi.stubGlobal('document', page);
  const askOtherTab = async (): Promise<EnginePort | null> => {
    if (!reachable) return null;
    const answers = tabs.flatMap((tab) => tab.connect() ?? []);
    return answers[0] ?? null;
  };
  const tab = new LeaderEngineHost(new URL('https://site.test/engine.js'), askOtherTab, () => {});
  tabs.push(tab);
  return tab;
}

/** Acts as a frozen tab that hosted the engine: it holds the host lock and runs no code. */
function frozenHost(): Promise<unknown> {
  return locks.request(ENGINE_HOST_LOCK, () => new Promise(() => {})).catch(String);
}

test('the first tab hosts the engine, the next one when it closes', async () => {
  const [first, second] = [openTab(), openTab()];
  expect(await outcome(Promise.all([joinHost(first), joinHost(second)]), 1000)).toHaveLength(2);
  expect(workers).toBe(1);
  expect([first.connect(), second.connect()].map((port) => port !== null)).toEqual([true, false]);
  first.close();
  expect(await outcome(joinHost(second), 1000)).toBeInstanceOf(EngineConnection);
  expect(workers).toBe(1);
});

test("a tab that learns late of the end of another tab's engine keeps the one that it hosts since", async () => {
  const [first, second] = [openTab(), openTab()];
  await outcome(Promise.all([joinHost(first), joinHost(second)]), 1000);
  const ended = latestWorker!;
  first.close();
  await outcome(Promise.resolve(), 100);
  const port = second.connect()!;
  second.restart(ended);
  expect(second.connect()!.lockName).toBe(port.lockName);
  second.restart(port.lockName);
  expect(second.connect()!.lockName).not.toBe(port.lockName);
});

test('a host that cannot run code is replaced by one of the tabs that need the engine', async () => {
  void frozenHost();
  const joining = Promise.all([joinHost(openTab()), joinHost(openTab()), joinHost(openTab())]);
  expect(await outcome(joining, 9000)).toBe('pending');
  expect(await outcome(joining, 10_000)).toHaveLength(3);
  expect(workers).toBe(1);
});

test('a host whose page runs but whose worker does not is replaced by a tab that needs the engine', async () => {
  const host = openTab();
  expect(await outcome(joinHost(host), 1000)).toBeInstanceOf(EngineConnection);
  blockedWorker = latestWorker;
  const other = openTab(false);
  expect(await outcome(joinHost(other), 19_000)).toBeInstanceOf(EngineConnection);
  expect([host.connect(), other.connect()].map((port) => port !== null)).toEqual([false, true]);
  expect(workers).toBe(1);
});

test('a host whose page passes on ports although its worker is blocked is replaced', async () => {
  const host = openTab();
  expect(await outcome(joinHost(host), 1000)).toBeInstanceOf(EngineConnection);
  blockedWorker = latestWorker;
  const other = openTab();
  expect(await outcome(joinHost(other), 21_000)).toBeInstanceOf(EngineConnection);
  expect([host.connect(), other.connect()].map((port) => port !== null)).toEqual([false, true]);
  expect(workers).toBe(1);
});

test('a tab whose handshake with the engine of another tab ends with that tab joins the engine that it hosts since', async () => {
  const host = openTab();
  expect(await outcome(joinHost(host), 1000)).toBeInstanceOf(EngineConnection);
  blockedWorker = latestWorker;
  const other = openTab();
  const joining = joinHost(other);
  expect(await outcome(joining, 1000)).toBe('pending');
  host.close();
  expect(await outcome(joining, 1000)).toBeInstanceOf(EngineConnection);
  expect(other.connect()).not.toBeNull();
  expect(workers).toBe(1);
});

test('a tab that becomes the host while it looks for the engine of another tab joins its own at once', async () => {
  const tab = new LeaderEngineHost(
    new URL('https://site.test/engine.js'),
    () => new Promise(() => {}),
    () => {},
  );
  tabs.push(tab);
  expect(await outcome(joinHost(tab), 300)).toBeInstanceOf(EngineConnection);
});

test('a tab whose own engine does not answer the handshake fails at once', async () => {
  const tab = openTab();
  await outcome(Promise.resolve(), 100);
  blockedWorker = latestWorker;
  expect(await outcome(joinHost(tab), 21_000)).toMatchObject({ code: 'engine_unavailable', retryAfter: 2 });
});

test('a host that is frozen hands the engine over to a waiting tab, and joins it when it is resumed', async () => {
  const page = new EventTarget();
  const [host, other] = [openTab(true, page), openTab()];
  expect(await outcome(Promise.all([joinHost(host), joinHost(other)]), 1000)).toHaveLength(2);
  page.dispatchEvent(new Event('freeze'));
  expect(await outcome(joinHost(other), 200)).toBeInstanceOf(EngineConnection);
  expect([host.connect(), other.connect()].map((port) => port !== null)).toEqual([false, true]);
  page.dispatchEvent(new Event('resume'));
  expect(await outcome(joinHost(host), 200)).toBeInstanceOf(EngineConnection);
  expect(workers).toBe(1);
  other.close();
  expect(await outcome(joinHost(host), 200)).toBeInstanceOf(EngineConnection);
  expect(host.connect()).not.toBeNull();
});

test('a frozen host without other tabs keeps its engine until one opens', async () => {
  const page = new EventTarget();
  const host = openTab(true, page);
  const connection = await outcome(joinHost(host), 1000);
  if (!(connection instanceof EngineConnection)) throw new Error('Not connected.');
  page.dispatchEvent(new Event('freeze'));
  page.dispatchEvent(new Event('resume'));
  page.dispatchEvent(new Event('freeze'));
  expect(await outcome(joinHost(host), 1000)).toBeInstanceOf(EngineConnection);
  expect(connection.ended.aborted).toBe(false);
  const other = openTab(false);
  expect(await outcome(joinHost(other), 200)).toBeInstanceOf(EngineConnection);
  expect(workers).toBe(1);
});

test('a frozen tab is skipped as the next host', async () => {
  const page = new EventTarget();
  const host = openTab();
  expect(await outcome(joinHost(host), 1000)).toBeInstanceOf(EngineConnection);
  const frozen = openTab(true, page);
  const next = openTab();
  page.dispatchEvent(new Event('freeze'));
  host.close();
  expect(await outcome(joinHost(next), 200)).toBeInstanceOf(EngineConnection);
  expect([frozen.connect(), next.connect()].map((port) => port !== null)).toEqual([false, true]);
});

test('a host that can run code stays, even if others cannot reach its engine', async () => {
  const host = openTab();
  expect(await outcome(joinHost(host), 1000)).toBeInstanceOf(EngineConnection);
  const refused = await outcome(joinHost(openTab(false)), 29_000);
  expect(refused).toMatchObject({ code: 'engine_unavailable', retryAfter: expect.any(Number) });
  expect(host.connect()).not.toBeNull();
  expect(workers).toBe(1);
});

test.each<[where: string, stolen?: () => unknown]>([['own'], ['that of a frame', stolenInFrame]])(
  'a host that lost its lock while it could not run code ends its engine, and queues last (lock manager: %s)',
  async (_, stolen = locks.stolen) => {
    locks.stolen = stolen;
    const host = openTab();
    const connection = await outcome(joinHost(host), 1000);
    if (!(connection instanceof EngineConnection)) throw new Error('Not connected.');
    const life = new AbortController();
    const thief = locks.request(
      ENGINE_HOST_LOCK,
      { steal: true },
      () => new Promise<void>((resolve) => life.signal.addEventListener('abort', () => resolve())),
    );
    await outcome(thief, 300);
    expect(host.connect()).toBeNull();
    expect(workers).toBe(0);
    expect(connection.ended.aborted).toBe(true);
    life.abort();
    expect(await outcome(joinHost(host), 1000)).toBeInstanceOf(EngineConnection);
    expect(workers).toBe(1);
  },
);
