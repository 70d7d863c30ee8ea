import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineBroker } from '../../../src/page/engine/engine-broker.ts';
// The page loads it when a script fails. Here it is loaded before, because the clock is a fake and loading takes real time.
import '../../../src/page/registration/explain-script-failure.ts';
import { PROTOCOL_VERSION, type EngineRequestMessage } from '../../../src/shared/messaging/messages.ts';
import { readSiteModels, type SiteModels } from '../../../src/shared/models/site-models.ts';
import { PolicyViolations } from '../../../src/shared/security/policy-violations.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const SITE = 'https://site.test/';

/** The worker's reaction to a port. */
type Behaviour = 'welcomes' | 'has no graphics device' | 'is silent' | 'has a broken script';

let behaviour: Behaviour;
let workers = 0;
const ports: MessagePort[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const locks = new MemoryLocks();
  const holdLock = (name = '') => void locks.request(`tabserve-engine ${name}`, () => new Promise(() => {}));
  vi.stubGlobal('navigator', { gpu: {}, locks });
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('location', { origin: 'https://site.test' });
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  workers = 0;
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      constructor(_: unknown, { name }: WorkerOptions = {}) {
        super();
        holdLock(name);
        workers++;
        if (behaviour === 'has a broken script') queueMicrotask(() => this.dispatchEvent(new Event('error')));
      }

      postMessage(_: unknown, [port]: [MessagePort]): void {
        ports.push(port);
        if (behaviour === 'is silent' || behaviour === 'has a broken script') return;
        const gpu = behaviour === 'welcomes' ? 'scripted' : null;
        port.addEventListener('message', ({ data }: MessageEvent<EngineRequestMessage>) => {
          if (data.type === 'hello')
            port.postMessage({ type: 'welcome', version: PROTOCOL_VERSION, lockName: 'engine', gpu });
        });
        port.start();
      }

      terminate(): void {}
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const port of ports.splice(0)) port.close();
});

/** Lets browsers have SharedWorkers, which react as the other workers do. @returns how many were started. */
function stubSharedWorker(): () => number {
  let started = 0;
  vi.stubGlobal(
    'SharedWorker',
    class extends EventTarget {
      readonly port: MessagePort;
      constructor(_: unknown, options: WorkerOptions) {
        super();
        started++;
        const { port1, port2 } = new MessageChannel();
        this.port = port1;
        new Worker('', options).postMessage(null, [port2]);
        workers--;
      }
    },
  );
  return () => started;
}

/** Creates the broker of a page that is alone on its site, in a browser without SharedWorker. */
function page(siteModels?: SiteModels): EngineBroker {
  const active = siteModels ? { postMessage: () => {} } : null;
  const registration = { scope: SITE, active } as unknown as ServiceWorkerRegistration;
  return new EngineBroker({
    violations: new PolicyViolations({ addEventListener: () => {} }),
    script: new URL('https://site.test/engine.js'),
    serviceWorker: async () => registration,
    askVersion: async () => (siteModels ? ({ siteModels } as never) : null),
    receive: () => {},
    signal: new AbortController().signal,
  });
}

/** Returns the result of an attempt to open after `time` milliseconds. */
async function outcome(broker: EngineBroker, time: number): Promise<unknown> {
  const opened = broker.open().then(
    (connection) => connection.gpu,
    (thrown: unknown) => thrown,
  );
  for (let passed = 0; passed < time; passed += 100) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Promise.race([opened, Promise.resolve('pending')]);
}

test('after a silent engine was given up, the next attempt starts another', async () => {
  const broker = page();
  behaviour = 'is silent';
  expect(await outcome(broker, 25_000)).toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('in time'),
  });
  behaviour = 'welcomes';
  expect(await outcome(broker, 1000)).toBe('scripted');
  expect(workers).toBe(2);
  const { port } = broker.connect()!;
  ports.push(port);
  expect(port).toBeInstanceOf(MessagePort);
});

test('a page whose own lock is never granted gives up after a minute, says so, and the next attempt works', async () => {
  const { locks } = navigator;
  const request = vi.spyOn(locks, 'request');
  request.mockImplementationOnce(() => new Promise(() => {}));
  const broker = page();
  expect(request.mock.calls).toMatchObject([[expect.stringMatching(/^tabserve-page-/), expect.anything()]]);
  behaviour = 'welcomes';
  expect(await outcome(broker, 65_000)).toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('within 60 seconds'),
    retryAfter: 2,
  });
  expect(await outcome(broker, 1000)).toBe('scripted');
});

test('a page whose own lock is granted too late holds only the lock with which it tried again', async () => {
  const { locks } = navigator;
  const request = vi.spyOn(locks, 'request');
  const granted = new AbortController();
  request.mockImplementationOnce(async (...asked) => {
    await new Promise((resolve) => granted.signal.addEventListener('abort', resolve));
    return locks.request(...(asked as Parameters<typeof locks.request>));
  });
  const broker = page();
  behaviour = 'welcomes';
  await outcome(broker, 65_000);
  expect(await outcome(broker, 1000)).toBe('scripted');
  granted.abort();
  await vi.advanceTimersByTimeAsync(100);
  const { held } = await locks.query();
  expect(held!.filter(({ name }) => name!.startsWith('tabserve-page-'))).toHaveLength(1);
});

test('a script that fails before the handshake is reported at once', async () => {
  behaviour = 'has a broken script';
  expect(await outcome(page(), 1000)).toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('script'),
  });
});

test('an engine that restarts without a GPU is not used', async () => {
  const broker = page();
  behaviour = 'welcomes';
  expect(await outcome(broker, 1000)).toBe('scripted');
  behaviour = 'has no graphics device';
  broker.restart(broker.connect()!.lockName);
  expect(await outcome(broker, 1000)).toMatchObject({ code: 'gpu_unavailable' });
  expect(broker.connect()).toBeNull();
});

test.each([
  ['the page has none either', async () => null, [1, 0]],
  ['the page cannot ask for one', () => Promise.reject(new DOMException('No.', 'OperationError')), [1, 0]],
  ['the browser does not say whether the page has one', () => new Promise(() => {}), [1, 1]],
  ['the page has one', async () => ({}), [1, 1]],
])(
  'of a SharedWorker without a graphics device, if %s: engines in shared and dedicated workers',
  async (_, requestAdapter, started) => {
    Object.assign(navigator.gpu, { requestAdapter });
    const shared = stubSharedWorker();
    const siteModels = readSiteModels({ models: [{ id: 'small', gguf: 'small.gguf' }], builtInModels: [] }, SITE);
    behaviour = 'has no graphics device';
    expect(await outcome(page(siteModels), 9000)).toBeNull();
    expect([shared(), workers]).toEqual(started);
  },
);
