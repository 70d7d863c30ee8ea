import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openHub } from '../../../src/page/engine/open-hub.ts';
import { HubEngineHost } from '../../../src/page/engine/hub-engine-host.ts';
import type { EngineHost } from '../../../src/page/engine/engine-host.ts';
import type { HubState } from '../../../src/page/status/page-status.ts';
import type { HubHello, HubReply } from '../../../src/page/hub-messages.ts';
import { EngineClientIdentity, EngineConnection } from '../../../src/shared/messaging/engine-connection.ts';
import { startEngineWorker, travel } from '../../support/fakes/engine-worker.ts';
import { MemoryHubRecords } from '../../support/fakes/memory-hub-records.ts';
import { ANSWER_DATABASE } from '../../../src/shared/storage/answer-database.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const HUB = new URL('https://hub.test/models/');
const SITE = 'https://site.test';

/** What the frame in the page does with a hello. */
let answer: (hello: HubHello, reply: (message: HubReply) => void, port: MessagePort) => void;
let loads: boolean;
let frames: { readonly address: string; isRemoved: boolean }[];
let siteLocks: MemoryLocks;
let lastFrame: Frame;

class Frame extends EventTarget {
  src = '';
  allow = '';
  hidden = false;
  referrerPolicy = '';
  readonly state = { address: '', isRemoved: false };
  isConnected = true;
  readonly #window = {
    postMessage: (hello: HubHello, origin: string, [port]: [MessagePort]) => {
      if (origin !== HUB.origin) throw new Error(`The page says hello to ${origin}.`);
      port.start();
      answer(hello, (message) => port.postMessage(message), port);
    },
  };
  get contentWindow() {
    return this.isConnected ? this.#window : null;
  }
  remove(): void {
    this.isConnected = false;
    this.state.isRemoved = true;
  }
}

beforeEach(() => {
  frames = [];
  loads = true;
  siteLocks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks: siteLocks });
  vi.stubGlobal('document', {
    createElement: () => new Frame(),
    documentElement: {
      lang: 'en',
      append(frame: Frame) {
        frame.state.address = frame.src;
        frames.push(frame.state);
        lastFrame = frame;
        if (loads) queueMicrotask(() => frame.dispatchEvent(new Event('load')));
      },
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Joins the hub as a page does, with the identity of that page. @returns also what the page's status is told. */
const open = async (earlier: EngineHost | null = null) => {
  const identity = new EngineClientIdentity('page');
  const onState = vi.fn<(state: HubState) => void>();
  const join = async (host: EngineHost) =>
    host.join((port) => EngineConnection.open(port, identity, { site: `${SITE}/` }, () => {}));
  const opened = await openHub(HUB, earlier, join, onState);
  return { ...opened, fault: onState.mock.lastCall?.[0].fault };
};

test.each(['no-permission', 'no-access', 'nested', 'other-version', 'no-engine'] as const)(
  'a frame that refuses with %s leaves the site to its own engine, and goes',
  async (reason) => {
    answer = (_, reply) => {
      reply({ type: 'starting' });
      reply({ type: 'refused', reason });
    };
    expect(await open()).toEqual({ host: null, connection: null, fault: reason });
    await travel();
    expect(frames).toEqual([{ address: 'https://hub.test/models/tabserve-hub.html', isRemoved: true }]);
  },
);

test.each([
  ['does not load', false, 8000, () => {}],
  ['says nothing, such as a page that the browser shows in its place', true, 5000, () => {}],
  [
    'never starts its engine',
    true,
    25_000,
    (_: HubHello, reply: (message: HubReply) => void) => reply({ type: 'starting' }),
  ],
])('a frame that %s is waited for no longer than planned', async (_, isLoading, time, behaviour) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  loads = isLoading;
  answer = behaviour;
  const opened = open();
  const settled = vi.fn<() => void>();
  void opened.then(settled);
  await vi.advanceTimersByTimeAsync(time - 100);
  await travel();
  expect(settled).not.toHaveBeenCalled();
  for (let step = 0; step < 5; step++) {
    await travel();
    await vi.advanceTimersByTimeAsync(step === 0 ? 200 : 1500);
  }
  expect(await opened).toEqual({ host: null, connection: null, fault: 'no-answer' });
});

test('what a hostile frame says instead of models breaks nothing', async () => {
  answer = (_, reply) => {
    reply({ type: 'ready', engine: 'x', models: 'none' } as never);
    reply({ type: 'ended' });
  };
  expect(await open()).toEqual({ host: null, connection: null, fault: 'no-engine' });
});

test.each([null, 'text', { type: 'refused', reason: 'constructor' }, { type: 'refused', reason: {} }, { type: 'x' }])(
  'a hostile frame that replies with %j counts as one without an answer',
  async (message) => {
    answer = (_, reply) => {
      reply({ type: 'starting' });
      reply(message as never);
    };
    expect(await open()).toEqual({ host: null, connection: null, fault: 'no-answer' });
  },
);

/** A frame that passes ports on to an engine with locks of its own, as that of a hub. */
async function startHub() {
  const hubLocks = new MemoryLocks();
  const records = new MemoryHubRecords();
  const hub = startEngineWorker({ locks: hubLocks, hubRecords: records });
  vi.stubGlobal('navigator', { locks: hubLocks });
  const frame = await EngineConnection.open(
    hub.connect(),
    new EngineClientIdentity('page'),
    { site: HUB.href },
    () => {},
  );
  frame!.post({ type: 'call', callId: '1', name: 'hub/admit', parameters: { origin: SITE, consent: 'given' } });
  await travel();
  vi.stubGlobal('navigator', { locks: siteLocks });
  let tellEnd: (() => void) | null = null;
  answer = (_, reply, port) => {
    port.addEventListener('message', ({ ports }) => frame!.post({ type: 'embed', origin: SITE }, [ports[0]!]));
    tellEnd = () => reply({ type: 'ended' });
    reply({ type: 'starting' });
    reply({ type: 'ready', engine: frame!.lockName, models: [] });
  };
  return { hub, end: () => tellEnd?.() };
}

test('the engine of a hub is reached although its lock cannot be seen, and its end is known by the frame', async () => {
  const { hub, end } = await startHub();
  const opened = await open();
  if (opened.host === null) throw new Error(String(opened.fault));
  await travel();
  expect([opened.connection.ended.aborted, hub.alive]).toEqual([false, true]);
  end();
  await travel();
  expect([opened.connection.ended.aborted, opened.host instanceof HubEngineHost]).toEqual([true, true]);
  hub.die();
});

test('a page that has removed the frame, with all else in it, reaches the hub by another one', async () => {
  const { hub } = await startHub();
  const first = await open();
  if (first.host === null) throw new Error(String(first.fault));
  lastFrame.remove();
  // The page learns from the silence that the engine does not answer.
  first.host.restart(first.connection.lockName);
  const again = await open(first.host);
  expect([again.fault, frames.map(({ isRemoved }) => isRemoved)]).toEqual([null, [true, false]]);
  hub.die();
});

test('a page learns at once that the frame is gone, where the browser tells', async () => {
  const { hub } = await startHub();
  const connected = answer;
  let ofFrame: MessagePort | undefined;
  answer = (hello, reply, port) => connected(hello, reply, (ofFrame = port));
  const { connection } = await open();
  ofFrame!.close();
  await travel();
  expect(connection?.ended.aborted).toBe(true);
  hub.die();
});

test('a page that reaches the engine of a hub removes old answers of its own site, which that engine cannot', async () => {
  const { hub } = await startHub();
  const joins = answer;
  const opened: string[] = [];
  const closed = (name: string) => {
    opened.push(name);
    throw new DOMException('It is closed.');
  };
  vi.stubGlobal('indexedDB', { databases: async () => [{ name: ANSWER_DATABASE }], open: closed });
  answer = (_, reply) => reply({ type: 'refused', reason: 'no-permission' });
  expect((await open()).fault).toBe('no-permission');
  expect(opened).not.toContain(ANSWER_DATABASE);
  answer = joins;
  expect((await open()).fault).toBeNull();
  await travel();
  expect(opened).toContain(ANSWER_DATABASE);
  hub.die();
});

test('the service worker keeps its connection while any page reaches the engine', async () => {
  const { hub } = await startHub();
  const [first, second] = [await open(), await open()];
  if (first.host === null || second.host === null) throw new Error('The hub refuses.');
  const serviceWorker = await EngineConnection.open(
    first.host.connect()!,
    new EngineClientIdentity('service-worker'),
    { site: `${SITE}/` },
    () => {},
  );
  first.host.close();
  await travel();
  expect(serviceWorker?.ended.aborted).toBe(false);
  second.host.close();
  await travel();
  expect(serviceWorker?.ended.aborted).toBe(true);
  hub.die();
});

test('a page that ends while it joins leaves neither a frame nor a lock', async () => {
  const { hub } = await startHub();
  const connected = answer;
  for (const moment of ['before the frame replies', 'before it has loaded'] as const) {
    const host = new HubEngineHost(HUB, async () => {});
    answer = (...parameters) => {
      host.close();
      connected(...parameters);
    };
    const joined = host.join((port) =>
      EngineConnection.open(port, new EngineClientIdentity('page'), { site: `${SITE}/` }, () => {}),
    );
    const refused = joined.then(
      () => 'joined',
      (thrown: unknown) => String(thrown),
    );
    if (moment === 'before it has loaded') host.close();
    expect(await refused).toContain('no-engine');
    await travel();
  }
  expect(frames.map(({ isRemoved }) => isRemoved)).toEqual([true, true]);
  expect((await siteLocks.query()).held).toEqual([]);
  hub.die();
});
