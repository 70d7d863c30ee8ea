import { ApiError } from '../shared/api-error.ts';
import type { EngineCallName, EngineCalls } from '../shared/engine-calls.ts';
import type { EngineConnection } from '../shared/engine-connection.ts';
import {
  PROTOCOL_VERSION,
  type ConnectEngineMessage,
  type ConnectEngineReply,
  type EngineReplyMessage,
} from '../shared/messages.ts';
import { EngineBroker } from './engine-broker.ts';
import { keepAwake } from './keep-awake.ts';
import type { PageStatus } from './page-status.ts';
import { PendingCalls } from './pending-calls.ts';
import type { RegisterOptions } from './register.ts';
import { ServiceWorkerRegistrar } from './service-worker-registrar.ts';
import { STARTING, engineStatusForPage, failed, unsupported } from './status-messages.ts';
import type { Tabserve } from './tabserve.ts';

/** An engine that dies this soon (milliseconds) after it was reached, twice in a row, would only die again. */
const SHORT_LIFE = 5000;

/** {@link Tabserve} as `register()` makes it. */
export class Endpoint extends EventTarget implements Tabserve {
  readonly ready: Promise<void>;
  readonly #registrar: ServiceWorkerRegistrar;
  readonly #broker: EngineBroker;
  readonly #preload: string | undefined;
  readonly #calls = new PendingCalls();
  #status: PageStatus = STARTING;
  #updateAvailable = false;
  /** True when the last engine had a short life. */
  #diedYoung = false;
  #connection: Promise<EngineConnection>;

  constructor({ serviceWorker, serviceWorkerType, scope, engineWorker, preload }: RegisterOptions) {
    super();
    this.#preload = preload;
    this.#registrar = new ServiceWorkerRegistrar({
      script: serviceWorker ?? '/tabserve-service-worker.js',
      type: serviceWorkerType ?? 'classic',
      scope,
      onUpdate: () => this.#onUpdate(),
    });
    this.ready = this.#registrar.controlled;
    this.#broker = new EngineBroker({
      script: engineWorker === undefined ? undefined : new URL(engineWorker, document.baseURI),
      serviceWorker: () => this.#registrar.registration,
      receive: (message) => this.#receive(message),
    });
    this.#connection = this.#start();
    navigator.serviceWorker.addEventListener('message', (event: MessageEvent<ConnectEngineMessage>) => {
      const [reply] = event.ports;
      if (event.data?.type === 'tabserve/connect-engine' && reply) void this.#introduce(reply);
    });
    navigator.serviceWorker.startMessages();
    keepAwake();
  }

  get status(): PageStatus {
    return this.#status;
  }

  get updateAvailable(): boolean {
    return this.#updateAvailable;
  }

  async retry(): Promise<void> {
    const { status } = this;
    if (status.state === 'failed' && status.model !== null) {
      await this.load(status.model).catch(() => {});
      return;
    }
    if (status.state === 'failed' || status.state === 'unsupported') {
      this.#setStatus(STARTING);
      this.#connection = this.#start();
    }
    await this.#connection.catch(() => {});
  }

  async load(modelId: string): Promise<void> {
    await this.call('models/load', { id: modelId });
  }

  async call<Name extends EngineCallName>(
    name: Name,
    parameters: EngineCalls[Name]['parameters'],
  ): Promise<EngineCalls[Name]['result']> {
    return this.#calls.send(await this.#connection, name, parameters);
  }

  applyUpdate(): Promise<void> {
    return this.#registrar.applyUpdate();
  }

  /** Brings up both workers, and keeps `status` true about it. The failure is in the status. */
  #start(): Promise<EngineConnection> {
    const starting = this.#register().then(() => this.#open());
    starting.catch((thrown: unknown) => {
      const error = ApiError.from(thrown);
      if (error.cause) console.error(error.message, error.cause);
      this.#setStatus(error.code === 'gpu_unavailable' ? unsupported('no-webgpu') : failed(error.toData()));
    });
    return starting;
  }

  async #register(): Promise<void> {
    try {
      await this.#registrar.register();
    } catch (thrown) {
      throw new ApiError(
        'engine_unavailable',
        'The service worker could not be installed. Check the connection, then try again.',
        { cause: thrown },
      );
    }
  }

  async #open(): Promise<EngineConnection> {
    const connection = await this.#broker.open();
    const opened = performance.now();
    connection.ended.addEventListener('abort', () => this.#onEngineEnded(connection, opened), { once: true });
    connection.post({ type: 'watch-status' });
    if (this.#preload !== undefined) {
      // Its outcome is in the status.
      this.#calls.send(connection, 'models/load', { id: this.#preload }).catch(() => {});
    }
    return connection;
  }

  #onEngineEnded(connection: EngineConnection, opened: number): void {
    const error = ApiError.from(connection.ended.reason);
    this.#broker.restart();
    const diedYoungBefore = this.#diedYoung;
    this.#diedYoung = performance.now() - opened < SHORT_LIFE;
    if (diedYoungBefore && this.#diedYoung) {
      this.#setStatus(failed(error.toData()));
      return;
    }
    this.#setStatus(STARTING);
    this.#connection = this.#start();
  }

  /** Answers a service worker that asks this window for the engine, once this page has found it. */
  async #introduce(reply: MessagePort): Promise<void> {
    const { status } = this;
    // A request is reason enough for another try: not every page has somebody who could ask for it.
    if (status.state === 'failed' && status.model === null) await this.retry();
    const failure = await this.#connection.then(
      () => null,
      (thrown: unknown) => ApiError.from(thrown),
    );
    const port = failure ? null : this.#broker.connect();
    const message: ConnectEngineReply = failure
      ? { type: 'engine-failure', error: failure.toData() }
      : port
        ? { type: 'engine-port', version: PROTOCOL_VERSION }
        : { type: 'not-host' };
    reply.postMessage(message, port ? [port] : []);
  }

  #receive(message: Exclude<EngineReplyMessage, { type: 'welcome' }>): void {
    switch (message.type) {
      case 'status':
        this.#setStatus(engineStatusForPage(message.status));
        return;
      case 'result':
      case 'failure':
        this.#calls.receive(message);
    }
  }

  #setStatus(status: PageStatus): void {
    this.#status = status;
    this.dispatchEvent(new Event('statuschange'));
  }

  #onUpdate(): void {
    this.#updateAvailable = true;
    this.dispatchEvent(new Event('updateavailable'));
  }
}
