import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectEngine, passEnginePort } from '../../../src/service-worker/engine/connect-engine.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { EnginePort } from '../../../src/shared/messaging/engine-connection.ts';
import { PROTOCOL_VERSION, type ConnectEngineReply } from '../../../src/shared/messaging/messages.ts';

type Behaviour = 'silent' | ConnectEngineReply;

const PORT = { type: 'engine-port', version: PROTOCOL_VERSION, lockName: 'engine' } as const;

let asked: string[];
const opened: MessagePort[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  asked = [];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const port of opened.splice(0)) port.close();
});

/** The windows of the scope, in the browser's order: id → reply. A window whose id contains `hidden` is hidden. */
function openWindows(windows: Record<string, Behaviour>): void {
  const clients = Object.entries(windows).map(([id, behaviour]) => ({
    id,
    visibilityState: id.includes('hidden') ? 'hidden' : 'visible',
    postMessage(_: unknown, [reply]: [MessagePort]) {
      asked.push(id);
      opened.push(reply);
      if (behaviour === 'silent') return;
      const { port1, port2 } = new MessageChannel();
      opened.push(port1);
      // The other end sends the id of its window.
      port1.postMessage(id);
      reply.postMessage(behaviour, behaviour.type === 'engine-port' ? [port2] : []);
    },
  }));
  vi.stubGlobal('self', { clients: { matchAll: async () => clients } });
}

/** Delivers messages and lets `time` milliseconds pass. */
async function pass(time = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(time);
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function owner({ port }: Pick<EnginePort, 'port'>): Promise<unknown> {
  opened.push(port);
  return new Promise((resolve) => {
    port.addEventListener('message', ({ data }) => resolve(data), { once: true });
    port.start();
  });
}

test('the requesting window is asked first, then the visible ones, and no more than needed', async () => {
  openWindows({ hidden: PORT, visible: PORT, 'hidden asker': PORT });
  expect(await owner(await connectEngine('hidden asker'))).toBe('hidden asker');
  expect(await owner(await connectEngine('a worker'))).toBe('visible');
  expect(asked).toEqual(['hidden asker', 'visible']);
});

test('a window that does not reply delays the next one briefly', async () => {
  openWindows({ frozen: 'silent', foreign: { type: 'not-host' }, host: PORT });
  const connecting = connectEngine('frozen');
  await pass();
  expect(asked).toEqual(['frozen']);
  await pass(1000);
  expect(await owner(await connecting)).toBe('host');
});

test('a window without an engine does not delay the next one', async () => {
  openWindows({ one: { type: 'not-host' }, other: { type: 'not-host' }, host: PORT });
  const connecting = connectEngine();
  await pass();
  expect(await owner(await connecting)).toBe('host');
});

test('a window that looks for the engine of another one is not asked itself', async () => {
  openWindows({ asker: 'silent' });
  const { port1, port2 } = new MessageChannel();
  opened.push(port1, port2);
  const reply = new Promise<MessageEvent>((resolve) => port1.addEventListener('message', resolve, { once: true }));
  port1.start();
  void passEnginePort(port2, 'asker');
  await pass();
  expect(asked).toEqual([]);
  expect((await reply).data).toMatchObject({ type: 'engine-failure' });
});

test('many windows that look for the engine at once do not block each other', async () => {
  const searching = Array.from({ length: 20 }, (_, index) => [`searching ${index}`, 'silent'] as const);
  openWindows({ ...Object.fromEntries(searching), 'hidden host': PORT });
  const { port1, port2 } = new MessageChannel();
  opened.push(port1, port2);
  const reply = new Promise<MessageEvent>((resolve) => port1.addEventListener('message', resolve, { once: true }));
  port1.start();
  void passEnginePort(port2, 'a closed window');
  await pass(100);
  expect(await owner({ port: (await reply).ports[0]! })).toBe('hidden host');
});

test('a tab that is opened while those that were reloaded or closed do not reply is asked, too', async () => {
  openWindows({ gone: 'silent', 'gone, too': 'silent' });
  const connecting = connectEngine();
  await pass(3000);
  openWindows({ gone: 'silent', reloaded: PORT });
  await pass(1500);
  expect(await owner(await connecting)).toBe('reloaded');
  expect(asked).toEqual(['gone', 'gone, too', 'reloaded']);
});

test('a window that says that it still waits for an engine is not given up', async () => {
  openWindows({ starting: 'silent' });
  const connecting = connectEngine('starting');
  await pass();
  const [reply] = opened;
  for (let seconds = 0; seconds < 60; seconds += 10) {
    reply!.postMessage({ type: 'starting' } satisfies ConnectEngineReply);
    await pass(10_000);
  }
  const { port1, port2 } = new MessageChannel();
  opened.push(port1);
  port1.postMessage('starting');
  reply!.postMessage(PORT, [port2]);
  await pass();
  expect(await owner(await connecting)).toBe('starting');
});

test('a window that stops saying that it waits for an engine is given up', async () => {
  openWindows({ starting: 'silent' });
  const refusal = connectEngine('starting').catch((thrown: unknown) => thrown);
  await pass();
  opened[0]!.postMessage({ type: 'starting' } satisfies ConnectEngineReply);
  await pass(35_000);
  await pass(15_000);
  expect(await refusal).toMatchObject({ code: 'engine_unavailable', retryAfter: 2 });
});

test("a window's error is forwarded if no other window has the engine", async () => {
  const error = new ApiError('gpu_unavailable', 'No graphics device.').toData();
  openWindows({ one: { type: 'engine-failure', error }, other: { type: 'not-host' } });
  const refusal = connectEngine().catch((thrown: unknown) => thrown);
  await pass(1000);
  expect(await refusal).toMatchObject({ code: 'gpu_unavailable' });
});

for (const { windows, name } of [
  { name: 'no window', windows: {} },
  { name: 'a window that never replies', windows: { frozen: 'silent' } },
  { name: 'no host', windows: { one: { type: 'not-host' } } },
  { name: 'a window of another version', windows: { old: { ...PORT, version: PROTOCOL_VERSION + 1 } } },
] satisfies { name: string; windows: Record<string, Behaviour> }[]) {
  test(`${name} is engine_unavailable, with the seconds to wait`, async () => {
    openWindows(windows);
    const refusal = connectEngine().catch((thrown: unknown) => thrown);
    await pass(20_000);
    expect(await refusal).toMatchObject({ code: 'engine_unavailable', retryAfter: 2 });
  });
}

test('a window that does not host the engine gets a port to the one that does, or the reason', async () => {
  for (const { windows, type } of [
    { windows: { guest: { type: 'not-host' }, host: PORT }, type: 'engine-port' },
    { windows: {}, type: 'engine-failure' },
  ] satisfies { windows: Record<string, Behaviour>; type: string }[]) {
    openWindows(windows);
    const { port1, port2 } = new MessageChannel();
    opened.push(port1, port2);
    const reply = new Promise<MessageEvent>((resolve) => port1.addEventListener('message', resolve, { once: true }));
    port1.start();
    void passEnginePort(port2, 'a closed window');
    await pass(1000);
    const { data, ports } = await reply;
    opened.push(...ports);
    expect([data.type, ports.length]).toEqual([type, type === 'engine-port' ? 1 : 0]);
  }
});
