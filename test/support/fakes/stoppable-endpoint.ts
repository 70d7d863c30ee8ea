import { setMaxListeners } from 'node:events';
import { vi } from 'vitest';
import { createResumingFetch } from '../../../src/page/fetch/resuming-fetch.ts';
import { createApp } from '../../../src/service-worker/create-app.ts';
import { OpenBodies } from '../../../src/service-worker/lifecycle/open-bodies.ts';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import { EngineClient } from '../../../src/service-worker/engine/engine-client.ts';
import { EngineClientIdentity } from '../../../src/shared/messaging/engine-connection.ts';
import { EMBEDDING_MODEL, scriptedModel, startEngineWorker } from './engine-worker.ts';
import { MemoryAnswers } from './memory-answers.ts';
import { MemoryLocks } from './web-locks.ts';
import { appDependencies } from '../../service-worker/support/app-dependencies.ts';

export const SITE = 'https://site.test/';

/**
 * The endpoint with a service worker that a test can stop at any time: response bodies break off, no message is sent,
 * and the next request starts another worker.
 */
export class StoppableEndpoint {
  readonly #locks: MemoryLocks;
  readonly #headersDelay: number;
  readonly #openBodies = new OpenBodies();
  #resumed = Promise.resolve();
  /** The stored answers, which outlive service worker and engine. */
  readonly answers = new MemoryAnswers();
  /** Whether the requesting client counts as disconnected. */
  clientDisconnected = false;
  #engine: ReturnType<typeof startEngineWorker>;
  readonly #earlier: ReturnType<typeof startEngineWorker>[] = [];
  #life = new AbortController();
  #app: ReturnType<typeof createApp>;
  /** Every request with its headers. */
  readonly requests: Request[] = [];
  /** Resolves when a new service worker finds the engine. */
  found = Promise.resolve();
  /** How streams end when the service worker is stopped: with an error in Chromium, without one in Firefox. */
  breaks: 'with an error' | 'with an end' = 'with an error';

  constructor(locks: MemoryLocks, headersDelay: number) {
    this.#locks = locks;
    this.#headersDelay = headersDelay;
    this.#engine = startEngineWorker({ locks, answers: this.answers });
    this.#app = this.#start();
  }

  /**
   * Creates an endpoint, and stubs the globals of a page of its site.
   * @param headersDelay Milliseconds after which response headers are sent without output, those of JSON too, so that its
   * failures after the headers can be tested. Default: so few that no test waits.
   */
  static ofPage(headersDelay = 20): StoppableEndpoint {
    const locks = new MemoryLocks();
    vi.stubGlobal('navigator', { locks });
    vi.stubGlobal('document', Object.assign(new EventTarget(), { baseURI: SITE }));
    vi.stubGlobal('location', { origin: new URL(SITE).origin });
    const endpoint = new StoppableEndpoint(locks, headersDelay);
    vi.stubGlobal('fetch', endpoint.fetch);
    return endpoint;
  }

  /** Creates the `tabserve.fetch` of a tab. */
  createTabFetch(): typeof fetch {
    return createResumingFetch(
      () => '/v1',
      (id) => this.completions.joinable.cancel(SITE, id),
    );
  }

  get engine() {
    return this.#engine.engine;
  }

  get completions() {
    return this.#engine.completions;
  }

  /** Ends the engine as a crash would, and starts another. */
  replaceEngine(): void {
    this.#engine.die();
    this.#engine = startEngineWorker({ locks: this.#locks, answers: this.answers });
  }

  /**
   * Publishes another build: its service worker uses an engine of its own, while the earlier engine goes on.
   * @returns the earlier engine, and a function that ends it.
   */
  updateSite(): Pick<ReturnType<typeof startEngineWorker>, 'engine' | 'die'> {
    const earlier = this.#engine;
    this.#earlier.push(earlier);
    this.#engine = startEngineWorker({ locks: this.#locks, answers: this.answers });
    this.stopServiceWorker();
    return earlier;
  }

  close(): void {
    for (const { die } of [...this.#earlier, this.#engine]) die();
  }

  stopServiceWorker(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#app = this.#start();
  }

  /** Freezes the requesting page after its `freeze` event. @returns a function that resumes it. */
  freezePage(): () => void {
    const frozen = new AbortController();
    this.#resumed = new Promise((resolve) => frozen.signal.addEventListener('abort', () => resolve()));
    this.#openBodies.breakOff('page');
    return () => frozen.abort();
  }

  /** The `fetch` of a page of the site. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input instanceof Request ? input : new URL(input, SITE), init);
    const { signal } = request;
    await this.#resumed;
    this.requests.push(request);
    const life = this.#life.signal;
    // In a service worker, the signal of a request never aborts.
    const { url, method, headers } = request;
    headers.set(EARLY_HEADERS_HEADER, '1');
    const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
    const answered = this.#app.fetch(new Request(url, { method, headers, body }), { clientId: 'page' });
    const response = answered.then((answer) => this.#openBodies.track('page', answer));
    const stopped = new Promise<never>((_, reject) => {
      life.addEventListener('abort', () => reject(new TypeError('Failed to fetch')));
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    stopped.catch(() => {});
    // The browser cancels a response that arrives after its client has aborted.
    signal.addEventListener('abort', async () => {
      const { body } = await response;
      if (!life.aborted && !body?.locked) await body?.cancel();
    });
    const head = await Promise.race([response, stopped]);
    const given = new Response(head.body && this.#untilStopped(head.body, life, signal), head);
    return Object.defineProperty(given, 'url', { value: url });
  };

  #untilStopped(body: ReadableStream<Uint8Array>, life: AbortSignal, signal: AbortSignal): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let over = false;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          life.addEventListener('abort', () => {
            if (over) return;
            over = true;
            if (this.breaks === 'with an end') controller.close();
            else controller.error(new TypeError('network error'));
          });
          signal.addEventListener('abort', () => {
            if (over) return;
            over = true;
            controller.error(signal.reason);
            void reader.cancel();
          });
        },
        async pull(controller) {
          const { done, value } = await reader.read();
          if (over) return;
          over = done;
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => {
          if (!life.aborted) void reader.cancel();
          over = true;
        },
      },
      { highWaterMark: 0 },
    );
  }

  #start(): ReturnType<typeof createApp> {
    // The signal gets a listener for each request, without Node's warning of a leak.
    setMaxListeners(0, this.#life.signal);
    const identity = new EngineClientIdentity('service-worker', this.#life.signal);
    return createApp(
      appDependencies({
        service: new EngineClient({
          identity,
          site: SITE,
          connect: () => this.found.then(() => this.#engine.connect()),
        }),
        models: async () => ['a', EMBEDDING_MODEL].map((id) => scriptedModel(id, SITE)),
        findKey: async (token) => ({ name: token, models: null }),
        answers: this.answers,
        clientDisconnected: async () => this.clientDisconnected,
        settings: { headersDelay: this.#headersDelay },
      }),
    );
  }
}
