import { setMaxListeners } from 'node:events';
import { vi } from 'vitest';
import { PROTOCOL_VERSION, type EngineRequestMessage } from '../../../src/shared/messaging/messages.ts';
import type { EngineStatus } from '../../../src/shared/engine/engine.ts';
import { ENGINE_HEADER } from '../../../src/shared/upstreams/upstream.ts';
import { useLocks } from '../../../src/shared/locks/site-locks.ts';
import { MemoryLocks } from './web-locks.ts';
// The page loads these parts when it needs them. Here they are loaded before, because the clock is a fake: it would pass
// a timeout before a busy machine has read a file.
import '../../../src/page/fetch/resumed-response.ts';
import '../../../src/page/registration/adopt-newer-worker.ts';
import '../../../src/page/registration/check-site-models.ts';
import '../../../src/page/registration/explain-script-failure.ts';
import '../../../src/page/registration/refuse-foreign-worker.ts';
import '../../../src/page/registration/control-failures.ts';

export const PAGE = 'https://site.test/app/index.html';
const IDLE: EngineStatus = { state: 'idle' };

/** A service worker as pages see it. */
export class FakeServiceWorker extends EventTarget {
  readonly scriptURL: string;
  /** The version in the worker's reply; null for a worker that is not Tabserve's. */
  version: number | null = PROTOCOL_VERSION;
  /** Further fields of the reply. */
  options: object = { basePath: '/v1' };
  claims = true;
  readonly received: unknown[] = [];
  readonly #page: FakePage;

  constructor(page: FakePage, scriptURL: string) {
    super();
    this.#page = page;
    this.scriptURL = scriptURL;
  }

  get state(): ServiceWorkerState {
    const { active, waiting, installing } = this.#page.registration;
    if (this === active) return 'activated';
    return this === waiting ? 'installed' : this === installing ? 'installing' : 'redundant';
  }

  postMessage(message: { type: string }, [reply]: MessagePort[] = []): void {
    this.received.push(message);
    if (message.type === 'tabserve/version' && this.version !== null)
      reply?.postMessage({ ...this.options, version: this.version });
    if (message.type === 'tabserve/claim' && this.claims) this.#page.control(this);
    // There is no other tab.
    if (message.type === 'tabserve/find-engine') reply?.postMessage({ type: 'not-host' });
    if (message.type === 'SKIP_WAITING') this.#page.takeOver(this);
  }
}

export class FakeRegistration extends EventTarget {
  scope = '';
  active: FakeServiceWorker | null = null;
  installing: FakeServiceWorker | null = null;
  waiting: FakeServiceWorker | null = null;

  async update(): Promise<void> {}
}

/** A started engine worker, which a test can end. */
export class FakeEngine {
  readonly calls: unknown[] = [];
  /** The clients' handshake messages. */
  readonly hellos: unknown[] = [];
  abandoned = false;
  version = PROTOCOL_VERSION;
  gpu: string | null = 'scripted';
  /** True blocks the worker's thread while the worker lives. */
  blocked = false;
  /** False keeps calls waiting. */
  answersCalls = true;
  readonly #ports: MessagePort[] = [];
  readonly #lockName: string;
  #free: () => void = () => {};

  constructor(locks: MemoryLocks, name: string) {
    this.#lockName = `tabserve-engine ${name}`;
    void locks.request(this.#lockName, () => new Promise<void>((resolve) => (this.#free = resolve)));
  }

  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.serve(port2, port1);
    return port1;
  }

  /** @param far The other end of the port, if it is in this process. */
  serve(port2: MessagePort, far: MessagePort = port2): void {
    this.#ports.push(far, port2);
    port2.addEventListener('message', ({ data }: MessageEvent<EngineRequestMessage>) => {
      if (this.blocked) return;
      if (data.type === 'hello') {
        this.hellos.push(data);
        port2.postMessage({ type: 'welcome', version: this.version, lockName: this.#lockName, gpu: this.gpu });
      } else if (data.type === 'ping') {
        port2.postMessage({ type: 'pong' });
      } else if (data.type === 'watch-status') {
        port2.postMessage({ type: 'status', status: IDLE });
      } else if (data.type === 'abandon') {
        this.abandoned = true;
        this.die();
      } else if (data.type === 'call') {
        this.calls.push(data);
        if (this.answersCalls) port2.postMessage({ type: 'result', callId: data.callId, name: data.name, value: null });
      }
    });
    port2.start();
  }

  /** Sends a status to every page. */
  tell(status: EngineStatus): void {
    for (const [index, port] of this.#ports.entries())
      if (index % 2 === 1) port.postMessage({ type: 'status', status });
  }

  die(): void {
    for (const port of this.#ports) port.close();
    this.#free();
  }
}

/**
 * Fakes the globals of a page in Node. Everything works initially; a test can remove features before it registers. The
 * clock is fake; see {@link FakePage.pass}.
 */
export class FakePage {
  /** The lock manager of new frames and workers; see {@link clearData}. */
  locks = new MemoryLocks();
  readonly container = Object.assign(new EventTarget(), {
    controller: null as FakeServiceWorker | null,
    startMessages: () => {},
    register: vi.fn<(script: string, options: RegistrationOptions) => Promise<FakeRegistration>>(),
    getRegistration: async (): Promise<FakeRegistration | undefined> =>
      this.#registered ? this.registration : undefined,
    getRegistrations: async () => (this.#registered ? [this.registration] : []),
  });
  readonly navigator: Record<string, unknown> = { gpu: {}, locks: this.locks, serviceWorker: this.container };
  registration = new FakeRegistration();
  readonly location = { href: PAGE, origin: 'https://site.test', protocol: 'https:', reload: vi.fn<() => void>() };
  /** Every engine that was started, in order. */
  readonly engines: FakeEngine[] = [];
  /**
   * Whether requests reach the service worker. If false, they go to the web server although a worker controls the page;
   * if null, they fail as without a network.
   */
  reachesWorker: boolean | null = true;
  /** The web server's response for the engine worker's script. */
  engineScript = () => new Response('', { headers: { 'content-type': 'text/javascript' } });
  /** Changes an engine when it starts. */
  prepareEngine: (engine: FakeEngine) => void = () => {};
  readonly console = vi.fn<(...words: unknown[]) => void>();
  /** The method of each request for the endpoint. */
  readonly requests: string[] = [];
  readonly #observers = new Set<(list: { getEntries: () => readonly unknown[] }) => void>();
  #registered = true;

  constructor() {
    // A page's parts listen to one signal. Node warns of a leak if there are more than ten.
    setMaxListeners(20);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
    this.container.register.mockImplementation(async (script, { scope = new URL('../', script).href }) => {
      const { registration } = this;
      this.#registered = true;
      registration.scope = scope;
      registration.active ??= new FakeServiceWorker(this, script);
      return registration;
    });
    vi.stubGlobal(
      'document',
      Object.assign(new EventTarget(), {
        baseURI: PAGE,
        visibilityState: 'visible',
        createElement: () => ({ contentWindow: { navigator: { locks: this.locks } }, remove: () => {} }),
        documentElement: { append: () => {} },
      }),
    );
    vi.stubGlobal('location', this.location);
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', this.navigator);
    // An earlier page may have moved to another lock manager.
    useLocks(this.locks as unknown as LockManager);
    vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit = {}) => {
      if (method !== 'OPTIONS') return this.engineScript();
      this.requests.push(method);
      const startTime = performance.now();
      // The browser records a resource timing when the request has been answered.
      queueMicrotask(() => this.record({ name: address, startTime }));
      if (this.reachesWorker === null) throw new TypeError('The network is away.');
      return this.reachesWorker
        ? new Response(null, { status: 204, headers: { [ENGINE_HEADER]: 'local' } })
        : new Response('', { status: 404 });
    });
    const observers = this.#observers;
    vi.stubGlobal(
      'PerformanceObserver',
      class {
        readonly #tell: (list: { getEntries: () => readonly unknown[] }) => void;

        constructor(tell: (list: { getEntries: () => readonly unknown[] }) => void) {
          this.#tell = tell;
        }

        observe(): void {
          observers.add(this.#tell);
        }

        disconnect(): void {
          observers.delete(this.#tell);
        }
      },
    );
    vi.spyOn(console, 'error').mockImplementation(this.console);
    const start = (name: string) => this.#startEngine(name);
    const engines = new Map<string, FakeEngine>();
    vi.stubGlobal(
      'SharedWorker',
      class extends EventTarget {
        readonly port: MessagePort;

        constructor(_: URL, { name }: { name: string }) {
          super();
          const engine = engines.get(name) ?? start(name);
          engines.set(name, engine);
          this.port = engine.connect();
        }
      },
    );
    vi.stubGlobal(
      'Worker',
      class extends EventTarget {
        readonly #engine: FakeEngine;

        constructor(_: URL, { name }: { name: string }) {
          super();
          this.#engine = start(name);
        }

        postMessage(_: unknown, [port]: [MessagePort]): void {
          this.#engine.serve(port);
        }

        terminate(): void {
          this.#engine.die();
        }
      },
    );
    const stored = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
  }

  /**
   * Records a resource timing.
   * @param entry Values that differ from those of a request for the endpoint that has just begun.
   */
  record(entry: { name?: string; startTime?: number; workerStart?: number } = {}): void {
    const startTime = performance.now();
    const workerStart = this.reachesWorker === true ? startTime : 0;
    const entries = [{ name: 'https://site.test/v1/models', startTime, workerStart, ...entry }];
    for (const tell of this.#observers) tell({ getEntries: () => entries });
  }

  /** Simulates that the page's Content-Security-Policy blocks an address. */
  block(blockedURI: string, effectiveDirective: string, disposition = 'enforce'): void {
    const violation = { blockedURI, effectiveDirective, disposition };
    document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation));
  }

  /** Makes a service worker control this page. */
  control(worker: FakeServiceWorker): void {
    this.container.controller = worker;
    this.container.dispatchEvent(new Event('controllerchange'));
  }

  /** Activates a waiting service worker. */
  takeOver(worker: FakeServiceWorker): void {
    this.registration.waiting = null;
    this.registration.active = worker;
    worker.dispatchEvent(new Event('statechange'));
    this.control(worker);
  }

  /** Unregisters the worker. As in a browser, it controls this page until another one does. */
  unregister(): void {
    this.#registered = false;
    this.registration = new FakeRegistration();
  }

  /**
   * Clears the site's data. As in Chromium, the page keeps its lock manager, and new workers and frames get another
   * one.
   */
  clearData(): void {
    this.unregister();
    this.clearLocks();
    this.loseController();
  }

  /** Gives new workers and frames another lock manager. */
  clearLocks(): void {
    this.locks = new MemoryLocks();
  }

  loseController(): void {
    this.container.controller = null;
    this.container.dispatchEvent(new Event('controllerchange'));
  }

  /** Asks this window for the engine, as the service worker does. @returns the reply with its port. */
  async askForEngine(): Promise<{ readonly data: unknown; readonly port: MessagePort | undefined }> {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<MessageEvent<unknown>>((resolve) => port1.addEventListener('message', resolve));
    port1.start();
    const data = { type: 'tabserve/connect-engine' };
    this.container.dispatchEvent(Object.assign(new Event('message'), { data, ports: [port2] }));
    const { data: reply, ports } = await answer;
    port1.close();
    return { data: reply, port: ports[0] };
  }

  /** Advances the clock by this many milliseconds, and delivers messages. */
  async pass(time: number): Promise<void> {
    for (let passed = 0; passed <= time; passed += 100) {
      await vi.advanceTimersByTimeAsync(Math.min(100, time - passed));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  close(): void {
    for (const engine of this.engines) engine.die();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }

  #startEngine(name: string): FakeEngine {
    const engine = new FakeEngine(this.locks, name);
    this.prepareEngine(engine);
    this.engines.push(engine);
    return engine;
  }
}
