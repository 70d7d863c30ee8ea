import { ApiError } from '../../shared/api-error.ts';
import type { EngineCallMessage, EngineCallName, EngineResultMessage } from '../../shared/engine/engine-calls.ts';
import { isLockHeld, whenReleased } from '../../shared/locks/liveness-lock.ts';
import {
  PROTOCOL_VERSION,
  type EngineReplyMessage,
  type EngineRequestMessage,
} from '../../shared/messaging/messages.ts';
import type { SiteModels } from '../../shared/models/site-models.ts';
import { handleCall, type CallHandlers } from './call-handlers.ts';
import { traceMessage } from '../../shared/messaging/trace-message.ts';
import type { Completion } from '../completions/completion.ts';
import type { Completions } from '../completions/completions.ts';
import type { GpuSource } from '../gpu-source.ts';
import type { PostToPage } from './run-in-page.ts';
import { EventBatcher, type SendEvents } from './event-batcher.ts';

type Hello = Extract<EngineRequestMessage, { type: 'hello' }>;
type Complete = Extract<EngineRequestMessage, { type: 'complete' }>;

export interface PortServerOptions {
  readonly completions: Completions;
  readonly handlers: Partial<CallHandlers>;
  /** Resolves to the name of this worker's Web Lock after the lock is held. */
  readonly lockName: Promise<string>;
  readonly gpu: Pick<GpuSource, 'find'>;
  /** Why this worker can run no model. Default: it can. */
  readonly fault?: ApiError | null;
  /** The models of each site, by the site's root address. The server adds entries. Default: they are not recorded. */
  readonly sites?: Map<string, SiteModels>;
  /** Called when a client has connected; the models of its site are known then. Default: nothing is called. */
  readonly onConnected?: () => void;
  /** Milliseconds between two messages with deltas. Default: 50. */
  readonly pace?: number;
  /**
   * Called when a client reports that this worker is unresponsive. The worker must then end. Default: it keeps running.
   */
  readonly onAbandoned?: () => void;
}

export class PortServer {
  readonly #options: PortServerOptions;
  /** The current service worker of each site, by the site's root address. */
  readonly #serviceWorkers = new Map<string, Client>();
  readonly #clients = new Set<Client>();

  constructor(options: PortServerOptions) {
    this.#options = options;
  }

  /** Whether any page or service worker is connected. */
  get isUsed(): boolean {
    return this.#clients.size > 0;
  }

  /** The connected pages, most recently connected first. */
  get pages(): readonly PostToPage[] {
    return [...this.#clients].flatMap((client) => (client.isPage ? [client.postToPage] : [])).toReversed();
  }

  serve(port: MessagePort): void {
    let client: Client | null = null;
    port.addEventListener('message', ({ data }: MessageEvent<EngineRequestMessage>) => {
      traceMessage('gets', data);
      if (data.type === 'hello') client = this.#welcome(port, data);
      else if (data.type === 'abandon') this.#options.onAbandoned?.();
      // A ping is answered even without a `hello`: a page that hosts this worker sends pings only to check that it runs.
      else if (data.type === 'ping') port.postMessage({ type: 'pong' } satisfies EngineReplyMessage);
      else client?.receive(data);
    });
    port.start();
  }

  #welcome(port: MessagePort, hello: Hello): Client | null {
    const { lockName, gpu, sites, fault } = this.#options;
    void Promise.all([lockName, gpu.find()]).then(([lockName, found]) =>
      port.postMessage({
        type: 'welcome',
        version: PROTOCOL_VERSION,
        lockName,
        gpu: found?.description ?? null,
        ...(fault && { fault: fault.toData() }),
      } satisfies EngineReplyMessage),
    );
    // A client of another version sees the version in the welcome message, and does not use the port.
    if (hello.version !== PROTOCOL_VERSION) return null;
    if (hello.siteModels) sites?.set(hello.site, hello.siteModels);
    const client = new Client(port, hello, this.#options, () => this.#clients.delete(client));
    this.#clients.add(client);
    if (hello.client === 'service-worker') {
      const earlier = this.#serviceWorkers.get(hello.site);
      if (earlier && earlier.incarnation !== hello.incarnation) earlier.close();
      this.#serviceWorkers.set(hello.site, client);
    }
    this.#options.onConnected?.();
    return client;
  }
}

/** One connected port and its subscriptions. */
class Client {
  readonly incarnation: string;
  readonly isPage: boolean;
  readonly #site: string;
  readonly #port: MessagePort;
  readonly #options: PortServerOptions;
  readonly #onClose: () => void;
  readonly #subscriptions = new Map<number, { completion: Completion; unsubscribe: () => void }>();
  readonly #closed = new AbortController();

  constructor(
    port: MessagePort,
    { incarnation, site, client }: Hello,
    options: PortServerOptions,
    onClose: () => void,
  ) {
    this.#port = port;
    this.#onClose = onClose;
    this.incarnation = incarnation;
    this.isPage = client === 'page';
    this.#site = site;
    this.#options = options;
    void this.#watch();
  }

  readonly postToPage: PostToPage = (message, transfer) => {
    traceMessage('sends', message);
    this.#port.postMessage(message, transfer);
  };

  receive(message: Exclude<EngineRequestMessage, { type: 'hello' | 'abandon' | 'ping' }>): void {
    switch (message.type) {
      case 'complete':
        return this.#complete(message);
      case 'cancel': {
        const completion = this.#forget(message.subscription);
        if (completion) this.#options.completions.joinable.leave(completion);
        return;
      }
      case 'cancel-stream':
        return this.#options.completions.joinable.cancel(this.#site, message.streamId, message.deleted);
      case 'delivered':
        this.#forget(message.subscription);
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
    if (await isLockHeld(this.incarnation)) whenReleased(this.incarnation, () => this.close(), this.#closed.signal);
    // The page was closed before its hello was read, or the site's data were cleared and the page, which cannot see this
    // engine's lock either, moves to another engine. A service worker whose lock is invisible after a clearing is closed
    // by the hello of the site's next one.
    else if (this.isPage) this.close();
  }

  /**
   * Disconnects a service worker or page. Its completions continue for a grace time, in which another client can join
   * them.
   */
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

  #complete({ subscription, requestId, request, ...options }: Complete): void {
    const completion = this.#options.completions.start(request, { ...options, requestId }, this.#site);
    // The function that unsubscribes is known only after the replay of the log; until then, an empty one stands for it.
    const subscribed = { completion, unsubscribe: () => {} };
    this.#subscriptions.set(subscription, subscribed);
    const send: SendEvents = (events, sequence) =>
      this.#post({ type: 'events', subscription, requestId, sequence, events });
    // Confirms that the request was received: if this engine ends before, the service worker sends it to the next one.
    send([], 0);
    const batcher = new EventBatcher(send, this.#options.pace);
    const unsubscribe = batcher.together(() => completion.log.subscribe((event) => batcher.push(event)));
    subscribed.unsubscribe = () => {
      unsubscribe();
      batcher.stop();
    };
  }

  #forget(subscription: number): Completion | undefined {
    const subscribed = this.#subscriptions.get(subscription);
    this.#subscriptions.delete(subscription);
    subscribed?.unsubscribe();
    return subscribed?.completion;
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
