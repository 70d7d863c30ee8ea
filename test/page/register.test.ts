import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { register, type RegisterOptions, type Tabserve } from '../../src/page/index.ts';
import { ApiError } from '../../src/shared/api-error.ts';
import { PROTOCOL_VERSION } from '../../src/shared/messaging/messages.ts';
import { FakePage, FakeServiceWorker, PAGE } from '../support/fakes/fake-page.ts';

vi.mock('../../src/shared/storage/site-database.ts', () => ({ openSiteDatabase: async () => ({}) }));

const SCRIPT = 'https://site.test/tabserve-service-worker.js';
const OTHER_SCRIPT = 'https://site.test/other.js';

let page: FakePage;
let registered: Tabserve | undefined;

beforeEach(() => {
  page = new FakePage();
});

afterEach(() => {
  registered?.dispose();
  registered = undefined;
  page.close();
});

function start(options?: RegisterOptions): Tabserve {
  return (registered = register(options));
}

/**
 * Returns how a promise has settled after the longest timeout, and before the page tries again; `pending` if it has not.
 */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  let settled: unknown = 'pending';
  promise.then(
    () => (settled = 'resolved'),
    (thrown: unknown) => (settled = thrown),
  );
  await page.pass(24_000);
  return settled;
}

function refuseScript(response: () => Response): void {
  page.container.register.mockRejectedValue(new TypeError('A bad HTTP response code was received.'));
  vi.stubGlobal('fetch', async () => response());
}

interface Fault {
  readonly fault: string;
  readonly arrange: () => void;
  readonly options?: RegisterOptions;
  /** Parts of the message: addresses, what was found there, what to do. */
  readonly says: readonly string[];
  readonly status?: object;
  readonly code?: string;
}

const html = { 'content-type': 'text/html; charset=utf-8' };

const faults: readonly Fault[] = [
  {
    fault: 'no WebGPU',
    arrange: () => delete page.navigator['gpu'],
    says: ['WebGPU'],
    status: { state: 'unsupported', reason: 'no-webgpu' },
    code: 'gpu_unavailable',
  },
  {
    fault: 'no secure context',
    arrange: () => vi.stubGlobal('isSecureContext', false),
    says: [PAGE, 'https'],
    status: { state: 'unsupported', reason: 'insecure-context' },
  },
  {
    fault: 'no service workers',
    arrange: () => delete page.navigator['serviceWorker'],
    says: ['service worker'],
    status: { state: 'unsupported', reason: 'no-service-worker' },
  },
  {
    fault: 'a sandbox in which access to service workers throws',
    arrange: () =>
      Object.defineProperty(page.navigator, 'serviceWorker', {
        get: () => {
          throw new DOMException('Sandboxed.', 'SecurityError');
        },
      }),
    says: ['service worker'],
    status: { state: 'unsupported', reason: 'no-service-worker' },
  },
  {
    fault: 'no window, as on a server',
    arrange: () => vi.unstubAllGlobals(),
    says: ['server'],
    status: { state: 'unsupported', reason: 'no-window' },
  },
  {
    fault: 'a missing worker script',
    arrange: () => refuseScript(() => new Response('', { status: 404, headers: { 'content-type': 'text/plain' } })),
    says: [SCRIPT, 'missing', '404', 'text/plain'],
  },
  {
    fault: 'an HTML page of the site instead of the worker script',
    arrange: () => refuseScript(() => new Response('<!doctype html>', { headers: html })),
    says: [SCRIPT, 'missing', 'text/html'],
  },
  {
    fault: 'a redirected worker script',
    arrange: () => refuseScript(() => Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })),
    says: [SCRIPT, 'redirected'],
  },
  {
    fault: 'a worker script that cannot be fetched',
    arrange: () =>
      refuseScript(() => {
        throw new TypeError('Failed to fetch');
      }),
    says: [SCRIPT, 'connection'],
  },
  {
    fault: 'a worker script that the browser refuses for another reason',
    arrange: () => page.container.register.mockRejectedValue(new DOMException('Too wide a scope.', 'SecurityError')),
    says: [SCRIPT, 'Too wide a scope.'],
  },
  {
    fault: 'a page outside the default scope of the script',
    arrange: () => {},
    options: { serviceWorker: '/library/worker.js' },
    says: [PAGE, 'https://site.test/library/', 'https://site.test/library/worker.js', 'Service-Worker-Allowed'],
  },
  {
    fault: 'a page outside the requested scope',
    arrange: () => {},
    options: { scope: '../application/' },
    says: [PAGE, 'https://site.test/application/', SCRIPT],
  },
  {
    fault: 'a worker script of another origin',
    arrange: () => {},
    options: { serviceWorker: 'https://elsewhere.test/worker.js' },
    says: ['https://elsewhere.test/worker.js', 'https://site.test'],
  },
  {
    fault: 'an engine script of another origin',
    arrange: () => {},
    options: { engineWorker: 'https://elsewhere.test/engine.js' },
    says: ['https://elsewhere.test/engine.js', 'https://site.test', 'engineWorker'],
  },
  {
    fault: 'a missing engine script',
    arrange: () => {
      breakEngineScript();
      page.engineScript = () => new Response('', { status: 404, headers: html });
    },
    options: { engineWorker: '/engine.js' },
    says: ['engine worker', 'https://site.test/engine.js', '404', 'text/html', 'engineWorker'],
  },
  {
    fault: 'a policy that blocks the service worker script',
    arrange: () => {
      page.container.register.mockImplementation(async () => {
        page.block(SCRIPT, 'worker-src');
        throw new DOMException('Blocked.', 'SecurityError');
      });
    },
    says: [SCRIPT, 'Content-Security-Policy', 'worker-src'],
  },
  {
    fault: 'a policy that blocks nothing, and a missing script',
    arrange: () => {
      refuseScript(() => new Response('', { status: 404 }));
      setTimeout(() => page.block(SCRIPT, 'worker-src', 'report'), 0);
    },
    says: [SCRIPT, '404'],
  },
  {
    fault: 'a policy that blocks the engine script',
    arrange: () => breakEngineScript(() => page.block('https://site.test/engine.js', 'worker-src')),
    options: { engineWorker: '/engine.js' },
    says: ['https://site.test/engine.js', 'Content-Security-Policy', 'worker-src'],
  },
  {
    fault: 'an endpoint at another base path',
    arrange: () => (activeWorker(SCRIPT).options = { basePath: '/api' }),
    options: { basePath: '/v1' },
    says: [SCRIPT, '/api', '/v1', 'basePath'],
  },
  {
    fault: 'an invalid base path',
    arrange: () => {},
    options: { basePath: 'v1' },
    says: ['basePath', '"v1"'],
  },
  {
    fault: 'a service worker with invalid options',
    arrange: () => (activeWorker(SCRIPT).options = { fault: 'TypeError: `models` must be an array.' }),
    says: [SCRIPT, 'options', '`models` must be an array.'],
  },
  {
    fault: 'an invalid address',
    arrange: () => {},
    options: { engineWorker: 'https://' },
    says: ['engineWorker', '"https://"'],
  },
  {
    fault: 'a worker that cannot be installed',
    arrange: () => {
      const { registration } = page;
      registration.installing = new FakeServiceWorker(page, SCRIPT);
      page.container.register.mockResolvedValue(registration);
      setTimeout(() => {
        const { installing } = registration;
        registration.installing = null;
        installing?.dispatchEvent(new Event('statechange'));
      }, 1000);
    },
    says: [SCRIPT, 'could not be installed'],
  },
  {
    fault: 'caches that do not respond during the installation',
    arrange: () => {
      silenceCaches();
      const { registration } = page;
      registration.installing = new FakeServiceWorker(page, SCRIPT);
      page.container.register.mockResolvedValue(registration);
    },
    says: ['Cache Storage', 'start it again'],
  },
  {
    fault: 'caches that do not respond, once the browser has aborted the installation',
    arrange: () => {
      silenceCaches();
      page.container.register.mockResolvedValue(page.registration);
    },
    says: ['Cache Storage', 'start it again'],
  },
  {
    fault: 'caches that can be listed but do not respond, during the installation',
    arrange: () => {
      silenceCaches({ keys: async () => ['one', 'other'] });
      const { registration } = page;
      registration.installing = new FakeServiceWorker(page, SCRIPT);
      page.container.register.mockResolvedValue(registration);
    },
    says: ['Cache Storage', 'start it again'],
  },
  {
    fault: 'a worker without the endpoint',
    arrange: () => (activeWorker(SCRIPT).version = null),
    says: [SCRIPT, 'install()'],
  },
  {
    fault: 'a service worker of the site',
    arrange: () => (activeWorker(OTHER_SCRIPT).version = null),
    says: [OTHER_SCRIPT, "importScripts('tabserve-service-worker.js')"],
  },
  {
    fault: 'a worker of another version',
    arrange: () => (activeWorker(SCRIPT).version = PROTOCOL_VERSION + 1),
    says: [SCRIPT, 'versions'],
  },
  {
    fault: 'a worker with a narrower scope',
    arrange: () => {
      activeWorker(SCRIPT).claims = false;
      page.control(new FakeServiceWorker(page, OTHER_SCRIPT));
    },
    says: [SCRIPT, OTHER_SCRIPT, 'scope'],
  },
  {
    fault: 'an engine of another version',
    arrange: () => (page.prepareEngine = (engine) => (engine.version = PROTOCOL_VERSION + 1)),
    says: ['engine', 'another version'],
  },
];

const never = () => new Promise(() => {});

/** @param responding The calls that respond. Default: none. */
function silenceCaches(responding: Partial<CacheStorage> = {}): void {
  vi.stubGlobal('caches', { keys: never, match: never, ...responding });
}

/** Makes the engine's script fail to load, in both kinds of worker. */
function breakEngineScript(before = () => {}): void {
  class BrokenWorker extends EventTarget {
    readonly port = new MessageChannel().port1;

    constructor() {
      super();
      queueMicrotask(() => {
        before();
        this.dispatchEvent(new Event('error'));
      });
    }
  }
  vi.stubGlobal('SharedWorker', BrokenWorker);
}

function activeWorker(script: string): FakeServiceWorker {
  return (page.registration.active = new FakeServiceWorker(page, script));
}

for (const { fault, arrange, options, says, status, code = 'engine_unavailable' } of faults) {
  test(`${fault}: \`ready\` rejects with the reason, and the status and one console line report it`, async () => {
    arrange();
    const tabserve = start(options);
    const error = await outcome(tabserve.ready);
    expect(error).toBeInstanceOf(ApiError);
    const { message } = error as ApiError;
    for (const part of says) expect(message).toContain(part);
    expect(error).toMatchObject({ code });
    expect(tabserve.status).toMatchObject({ ...(status ?? { state: 'failed', model: null }), message });
    expect(page.console.mock.calls.map(([line]) => line)).toEqual([`[tabserve] ${message}`]);
  });
}

test('a site may register the service worker itself, and does so again once the registration is lost', async () => {
  const register = vi.fn<NonNullable<RegisterOptions['registerServiceWorker']>>();
  register.mockImplementation((script, options) => navigator.serviceWorker.register(script, options));
  const tabserve = start({ registerServiceWorker: register });
  await tabserve.ready;
  expect(register.mock.calls).toEqual([[new URL(SCRIPT), { type: 'classic' }]]);
  page.clearData();
  await page.pass(10_000);
  expect(register).toHaveBeenCalledTimes(2);
  await tabserve.ready;
});

test('a failure without a listener causes no unhandled rejection', async () => {
  page.container.register.mockRejectedValue(new TypeError('No.'));
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', unhandled);
  const tabserve = start();
  await page.pass(1000);
  expect(tabserve.status.state).toBe('failed');
  tabserve.dispose();
  await page.pass(1000);
  expect(unhandled).not.toHaveBeenCalled();
  process.off('unhandledRejection', unhandled);
});

test('a second call with equivalent options returns the same object, silently', async () => {
  const tabserve = start();
  await tabserve.ready;
  expect(register({ serviceWorker: new URL(SCRIPT), serviceWorkerType: 'classic' })).toBe(tabserve);
  expect(register({ serviceWorker: '../tabserve-service-worker.js' })).toBe(tabserve);
  expect(page.container.register).toHaveBeenCalledTimes(1);
  expect(page.console).not.toHaveBeenCalled();
});

test('a second register() with other options returns the first object, and the console names the differences', async () => {
  const tabserve = start({ preload: 'pocket' });
  await tabserve.ready;
  expect(register({ preload: 'other', scope: '/app/' })).toBe(tabserve);
  expect(page.console.mock.calls).toEqual([[expect.stringMatching(/^\[tabserve\] .*\(scope, preload\).*dispose\(\)/)]]);
});

test('the first call also determines the result if nothing can run, until it is disposed', async () => {
  vi.stubGlobal('isSecureContext', false);
  const refused = start();
  expect(register()).toBe(refused);
  expect(page.console).toHaveBeenCalledTimes(1);
  refused.dispose();
  vi.stubGlobal('isSecureContext', true);
  await start().ready;
});

test('if a policy blocks requests to the endpoint, the status says so, and the console once', async () => {
  const tabserve = start();
  await tabserve.ready;
  page.block('https://elsewhere.test/v1/models', 'connect-src');
  page.block('https://site.test/other', 'connect-src');
  await page.pass(0);
  expect(tabserve.status.state).toBe('idle');
  page.block('https://site.test/v1/models', 'connect-src');
  page.block('https://site.test/v1/chat/completions', 'connect-src');
  const message = expect.stringMatching(/Content-Security-Policy.*https:\/\/site\.test\/v1.*connect-src/);
  expect(tabserve.status).toMatchObject({ state: 'failed', message });
  expect(page.console).toHaveBeenCalledTimes(1);
});

test('a page without a configured base path uses the one that the service worker reports', async () => {
  activeWorker(SCRIPT).options = { basePath: '/api/v1' };
  const tabserve = start();
  expect(tabserve.basePath).toBe('/v1');
  await tabserve.ready;
  expect(tabserve.basePath).toBe('/api/v1');
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    asked.push(...new Headers(headers).keys());
    return new Response('{}');
  });
  await tabserve.fetch('https://site.test/api/v1/chat/completions', { method: 'POST', body: '{}' });
  expect(asked).toContain('x-tabserve-stream-id');
  page.block('https://site.test/api/v1/chat/completions', 'connect-src');
  expect(tabserve.status.message).toContain('https://site.test/api/v1 ');
});

const GGUF = { id: 'small', format: 'gguf' };

test.each([
  ['tells', 'that does not serve it', [], 1],
  ['does not tell', 'that serves it', [GGUF], 0],
])('without WebGPU the console %s the author of a site %s of llama.cpp', async (_tells, _site, entries, times) => {
  delete page.navigator['gpu'];
  const withoutSimd = vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
  onTestFinished(() => withoutSimd.mockRestore());
  activeWorker(SCRIPT).options = { siteModels: { entries, catalogueBase: null } as never };
  await outcome(start().ready);
  const hints = page.console.mock.calls.flat().filter((part) => String(part).includes('llama.cpp'));
  expect(hints).toHaveLength(times);
  expect(page.console).toHaveBeenCalledTimes(1);
});

test('the base path can be set, and the engine gets the models of the site', async () => {
  const siteModels = { entries: [], catalogueBase: 'https://mirror.test/' };
  activeWorker(SCRIPT).options = { basePath: '/api', siteModels };
  await start({ basePath: '/api/' }).ready;
  expect(page.engines[0]!.hellos).toMatchObject([{ site: 'https://site.test/', siteModels }]);
});
