import { ApiError } from '../../shared/api-error.ts';
import type { EngineCallMessage, EngineCallName, EngineResultMessage } from '../../shared/messaging/engine-calls.ts';
import { isLockHeld, whenReleased } from '../../shared/locks/liveness-lock.ts';
import {
  PROTOCOL_VERSION,
  type EngineReplyMessage,
  type EngineRequestMessage,
} from '../../shared/messaging/messages.ts';
import type { SiteModels } from '../../shared/models/site-models.ts';
import { handleCall, type CallHandlers } from './call-handlers.ts';
import { traceMessage } from '../../shared/trace/trace-message.ts';
import type { Completion } from '../completions/completion.ts';
import type { Completions } from '../completions/completions.ts';
import type { GpuSource } from '../gpu-source.ts';
import { EventBatcher, type SendEvents } from './event-batcher.ts';

type Hello = Extract<EngineRequestMessage, { type: 'hello' }>;
type Complete = Extract<EngineRequestMessage, { type: 'complete' }>;

export interface PortServerOptions {
  readonly completions: Completions;
  readonly handlers: Partial<CallHandlers>;
  /** The Web Lock that this worker holds, once it does. */
  readonly lockName: Promise<string>;
  /** Description of the graphics adapter, null where there is none. */
  readonly gpu: Pick<GpuSource, 'find'>;
  /** Is told what each site says of its models, by its root. Default: nobody is. */
  readonly sites?: Map<string, SiteModels>;
  /** Milliseconds between two messages with pieces of an answer. Default: 50. */
  readonly pace?: number;
  /** Called when a client has waited in vain for a sign of life: this worker is to end. */
  readonly onAbandoned?: () => void;
}

/** Serves the engine on every port it is given. */
export class PortServer {
  readonly #options: PortServerOptions;
  /** The port of the living service worker of each site. */
  readonly #serviceWorkers = new Map<string, Client>();
  readonly #clients = new Set<Client>();

  constructor(options: PortServerOptions) {
    this.#options = options;
  }

  /** Whether any page or service worker is connected. */
  get isUsed(): boolean {
    return this.#clients.size > 0;
  }

  serve(port: MessagePort): void {
    let client: Client | null = null;
    port.addEventListener('message', ({ data }: MessageEvent<EngineRequestMessage>) => {
      traceMessage('gets', data);
      if (data.type === 'hello') client = this.#welcome(port, data);
      else if (data.type === 'abandon') this.#options.onAbandoned?.();
      // Answered without a hello too: the page that hosts this worker only asks whether it runs.
      else if (data.type === 'ping') port.postMessage({ type: 'pong' } satisfies EngineReplyMessage);
      else client?.receive(data);
    });
    port.start();
  }

  #welcome(port: MessagePort, hello: Hello): Client | null {
    const { lockName, gpu, sites } = this.#options;
    void Promise.all([lockName, gpu.find()]).then(([lockName, found]) =>
      port.postMessage({
        type: 'welcome',
        version: PROTOCOL_VERSION,
        lockName,
        gpu: found?.description ?? null,
      } satisfies EngineReplyMessage),
    );
    // The welcome tells the client so; it will not use the port.
    if (hello.version !== PROTOCOL_VERSION) return null;
    if (hello.siteModels) sites?.set(hello.site, hello.siteModels);
    const client = new Client(port, hello, this.#options, () => this.#clients.delete(client));
    this.#clients.add(client);
    if (hello.client === 'service-worker') {
      const earlier = this.#serviceWorkers.get(hello.site);
      if (earlier && earlier.incarnation !== hello.incarnation) earlier.close();
      this.#serviceWorkers.set(hello.site, client);
    }
    return client;
  }
}

/** The far end of one port: what it subscribed to, for as long as it lives. */
class Client {
  readonly incarnation: string;
  readonly #site: string;
  readonly #port: MessagePort;
  readonly #options: PortServerOptions;
  readonly #onClose: () => void;
  readonly #subscriptions = new Map<string, { completion: Completion; unsubscribe: () => void }>();
  readonly #closed = new AbortController();

  constructor(port: MessagePort, { incarnation, site }: Hello, options: PortServerOptions, onClose: () => void) {
    this.#port = port;
    this.#onClose = onClose;
    this.incarnation = incarnation;
    this.#site = site;
    this.#options = options;
    void this.#watch();
  }

  receive(message: Exclude<EngineRequestMessage, { type: 'hello' | 'abandon' | 'ping' }>): void {
    switch (message.type) {
      case 'complete':
        return this.#complete(message);
      case 'cancel': {
        const completion = this.#forget(message.requestId);
        if (completion) this.#options.completions.joinable.leave(completion);
        return;
      }
      case 'cancel-stream':
        return this.#options.completions.joinable.cancel(this.#site, message.streamId, message.deleted);
      case 'delivered':
        this.#forget(message.requestId);
        return;
      case 'leave':
        return this.close();
      case 'watch-status': {
        const end = this.#options.completions.watchStatus((status) => this.#post({ type: 'status', status }));
        this.#closed.signal.addEventListener('abort', end, { once: true });
        return;
      }
      case 'call':
        void this.#call(message);
    }
  }

  async #watch(): Promise<void> {
    // A client of after the site's data were cleared holds a lock that is not seen here; its successor's hello ends it.
    if (await isLockHeld(this.incarnation)) whenReleased(this.incarnation, () => this.close(), this.#closed.signal);
  }

  /** The client is dead: what it waited for becomes orphaned. */
  close(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#onClose();
    for (const { completion, unsubscribe } of this.#subscriptions.values()) {
      unsubscribe();
      this.#options.completions.joinable.orphan(completion);
    }
    this.#subscriptions.clear();
    this.#port.close();
  }

  #complete({ requestId, request, ...options }: Complete): void {
    const completion = this.#options.completions.start(request, { ...options, requestId }, this.#site);
    // Noted before the replay, which may be the whole log.
    const subscription = { completion, unsubscribe: () => {} };
    this.#subscriptions.set(requestId, subscription);
    const send: SendEvents = (events, sequence) => this.#post({ type: 'events', requestId, sequence, events });
    const pacer = new EventBatcher(send, this.#options.pace);
    const unsubscribe = pacer.together(() => completion.log.subscribe((event) => pacer.push(event)));
    subscription.unsubscribe = () => {
      unsubscribe();
      pacer.stop();
    };
  }

  #forget(requestId: string): Completion | undefined {
    const subscription = this.#subscriptions.get(requestId);
    this.#subscriptions.delete(requestId);
    subscription?.unsubscribe();
    return subscription?.completion;
  }

  async #call<Name extends EngineCallName>({ callId, name, parameters }: EngineCallMessage<Name>): Promise<void> {
    try {
      const value = await handleCall(this.#options.handlers, name, parameters, this.#site);
      this.#post<Name>({ type: 'result', callId, name, value });
    } catch (thrown) {
      const error = ApiError.from(thrown);
      if (error.cause) console.error(`The call ${name} failed.`, error.cause);
      this.#post({ type: 'failure', callId, error: error.toData() });
    }
  }

  #post<Name extends EngineCallName>(message: EngineReplyMessage | EngineResultMessage<Name>): void {
    traceMessage('sends', message);
    this.#port.postMessage(message);
  }
}
