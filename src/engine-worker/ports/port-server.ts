import { ApiError } from '../../shared/api-error.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import type { EngineCallMessage, EngineCallName, EngineResultMessage } from '../../shared/engine/engine-calls.ts';
import { isLockHeld, whenReleased } from '../../shared/locks/liveness-lock.ts';
import {
  PROTOCOL_VERSION,
  type EngineReplyMessage,
  type EngineRequestMessage,
} from '../../shared/messaging/messages.ts';
import type { SiteModels } from '../../shared/models/site-models.ts';
import { embeddedSite } from '../embedded-site.ts';
import { revoked, type HubSites } from '../hub/hub-sites.ts';
import { readEmbeddedMessage, unreadableCall, unreadableRequest } from '../hub/embedded-message.ts';
import type { SiteLogs } from '../hub/site-logs.ts';
import { watchSilence } from '../hub/watch-silence.ts';
import { handleCall, type CallHandlers } from './call-handlers.ts';
import { traceMessage } from '../../shared/messaging/trace-message.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { EngineStatus } from '../../shared/engine/engine.ts';
import type { Completion } from '../completions/completion.ts';
import type { Completions } from '../completions/completions.ts';
import type { GpuSource } from '../gpu-source.ts';
import type { PostToPage } from './run-in-page.ts';
import { EventBatcher, type SendEvents } from './event-batcher.ts';

type Hello = Extract<EngineRequestMessage, { type: 'hello' }>;
/** Limit of connected pages and service workers of one other site. */
const MAX_CONTEXTS = 200;

/** Types of messages that do not reach a client's `receive`. */
const HANDLED_BY_SERVER = ['hello', 'abandon', 'ping', 'embed', 'serve', 'visible'] as const;

const NOT_FOR_SITES =
  'This site uses the models of a hub, which answers no such call. The person manages the models on the page of the hub.';

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
  /** The sites that use this engine through its hub. Default: none may. */
  readonly hub?: HubSites;
  /** Told which logs of stored answers such sites have stored. */
  readonly siteLogs?: Pick<SiteLogs, 'connected' | 'stored'>;
}

/** How a port of another site came to this engine. */
interface Embedding {
  /** Origin of the site, as the browser reported it to the hub's frame. */
  readonly origin: string;
  /** The hub's frame. */
  readonly frame: Client;
  /** What the context says is the root address of its site. An origin may have several, each with a service worker. */
  readonly scope: string;
}

export class PortServer {
  readonly #options: PortServerOptions;
  readonly #clients = new Set<Client>();

  constructor(options: PortServerOptions) {
    this.#options = options;
  }

  /** Whether any page, or service worker of this site, is connected. Ended ones of other sites are still clients. */
  get isUsed(): boolean {
    return [...this.#clients].some((client) => client.isPage || !client.isOfOtherSite);
  }

  /** The connected pages, most recently connected first. */
  get pages(): readonly PostToPage[] {
    return [...this.#clients].flatMap((client) => (client.runsTasks ? [client.postToPage] : [])).toReversed();
  }

  /**
   * Sends the log of a stored answer to one context of a site that uses this engine through its hub: to a page, because a
   * service worker that has ended is still among the clients.
   */
  sendLog(site: string, answerId: string, events: readonly CompletionEvent[]): void {
    const clients = [...this.#clients].filter((client) => client.site === site);
    (clients.find(({ isPage }) => isPage) ?? clients.at(-1))?.storeLog(answerId, events);
  }

  /** Ends the completions and connections of a site that uses this engine through its hub. */
  closeSite(site: string): void {
    // Also those that no context awaits: its site may start them again, or says that it has got them.
    this.#options.completions.failSite(site, revoked());
    for (const client of this.#clients) if (client.site === site) client.revoke();
  }

  /** Whether the person sees a page of this site, as the frames of the hub report it. */
  isInForeground(site: string): boolean {
    return [...this.#clients].some((client) => client.site === site && client.isInVisibleFrame);
  }

  serve(port: MessagePort): void {
    let client: Client | null = null;
    port.addEventListener('message', ({ data, ports }: MessageEvent<EngineRequestMessage>) => {
      traceMessage('gets', data);
      if (data.type === 'hello') client = this.#welcome(port, data);
      else if (data.type === 'abandon') this.#options.onAbandoned?.();
      else if (data.type === 'embed') this.#embed(data.origin, client, ports[0]);
      else if (data.type === 'serve') ports.forEach((further) => this.serve(further));
      else if (data.type === 'visible') {
        if (client) client.isVisible = data.visible;
      }
      // A ping is answered even without a `hello`: a page that hosts this worker sends pings only to check that it runs.
      else if (data.type === 'ping') port.postMessage({ type: 'pong' } satisfies EngineReplyMessage);
      else client?.receive(data);
    });
    port.start();
  }

  /** Serves a port of another site, which a frame of the hub has passed on. */
  #embed(origin: string, frame: Client | null, port: MessagePort | undefined): void {
    const { hub } = this.#options;
    if (!port) return;
    const site = embeddedSite(origin);
    const isServed = () =>
      hub?.isAdmitted(origin) && [...this.#clients].filter((client) => client.site === site).length < MAX_CONTEXTS;
    if (!frame || !isServed()) return port.close();
    let client: Client | null = null;
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = readEmbeddedMessage(data);
      if (message === null) client?.refuse(data);
      else if (message.type === 'hello')
        client ??= isServed()
          ? this.#welcome(port, { ...message, site }, { origin, frame, scope: message.site })
          : null;
      else if (message.type === 'ping') {
        client?.heard();
        port.postMessage({ type: 'pong' } satisfies EngineReplyMessage);
      } else client?.receive(message);
    });
    port.start();
  }

  #welcome(port: MessagePort, hello: Hello, embedding: Embedding | null = null): Client | null {
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
    const client = new Client(port, hello, embedding, this.#options, () => this.#clients.delete(client));
    for (const earlier of this.#clients) if (client.replaces(earlier)) earlier.close();
    this.#clients.add(client);
    this.#options.onConnected?.();
    if (embedding) this.#options.siteLogs?.connected(client.site);
    return client;
  }
}

/** One connected port and its subscriptions. */
class Client {
  readonly incarnation: string;
  readonly isPage: boolean;
  readonly site: string;
  /** Whether the person sees the page around this frame of a hub. */
  isVisible = false;
  readonly #embedding: Embedding | null;
  readonly #port: MessagePort;
  readonly #options: PortServerOptions;
  readonly #onClose: () => void;
  readonly #subscriptions = new Map<number, { completion: Completion; unsubscribe: () => void }>();
  readonly #closed = new AbortController();
  #watchesStatus = false;

  constructor(
    port: MessagePort,
    { incarnation, site, client }: Hello,
    embedding: Embedding | null,
    options: PortServerOptions,
    onClose: () => void,
  ) {
    this.#port = port;
    this.#onClose = onClose;
    this.incarnation = incarnation;
    this.isPage = client === 'page';
    this.site = site;
    this.#embedding = embedding;
    this.#options = options;
    if (embedding) this.#watchEmbedded(embedding);
    else void this.#watch();
  }

  /** Whether it is a context of a site that uses this engine through its hub. */
  get isOfOtherSite(): boolean {
    return this.#embedding !== null;
  }

  /** Whether an earlier client is a service worker in whose place this one is. */
  replaces(earlier: Client): boolean {
    const isSameSite = this.site === earlier.site && this.#embedding?.scope === earlier.#embedding?.scope;
    return !this.isPage && !earlier.isPage && isSameSite && this.incarnation !== earlier.incarnation;
  }

  /** Whether this is a page of another site that the person sees. */
  get isInVisibleFrame(): boolean {
    return this.isPage && (this.#embedding?.frame.isVisible ?? false);
  }

  /** Whether the engine may run tasks in this client: a page, and no other site's. */
  get runsTasks(): boolean {
    return this.isPage && this.#embedding === null;
  }

  readonly postToPage: PostToPage = (message, transfer) => {
    traceMessage('sends', message);
    this.#port.postMessage(message, transfer);
  };

  receive(message: Exclude<EngineRequestMessage, { type: (typeof HANDLED_BY_SERVER)[number] }>): void {
    this.heard();
    switch (message.type) {
      case 'complete':
        return this.#complete(message);
      case 'cancel': {
        const completion = this.#forget(message.subscription);
        if (completion) this.#options.completions.joinable.leave(completion);
        return;
      }
      case 'cancel-stream':
        return this.#options.completions.joinable.cancel(this.site, message.streamId, message.deleted);
      case 'delivered':
        this.#forget(message.subscription);
        return;
      case 'leave':
        return this.close();
      case 'watch-status': {
        if (this.#watchesStatus) return;
        this.#watchesStatus = true;
        const end = this.#options.completions.watchStatus((status) =>
          this.#post({ type: 'status', status: this.#embedding ? withoutUse(status) : status }),
        );
        this.#closed.signal.addEventListener('abort', end, { once: true });
        return;
      }
      case 'log-stored':
        return this.#options.siteLogs?.stored(this.site, message.answerId);
      case 'call':
        void this.#call(message);
    }
  }

  /** Called for each message, also for a ping. */
  heard: () => void = () => {};

  /** Replies to a message that this site may not send. */
  refuse(data: unknown): void {
    const unreadable = unreadableRequest(data);
    if (unreadable) {
      const { param, ...subscription } = unreadable;
      const sentence = `The hub does not accept \`${param}\` of this request.`;
      const error = new ApiError('invalid_value', sentence, { param }).toData();
      this.#post({ type: 'events', ...subscription, sequence: 0, events: [{ type: 'error', error }] });
    }
    const callId = unreadableCall(data);
    if (callId === null) return;
    const error = new ApiError('forbidden_request', NOT_FOR_SITES);
    this.#post({ type: 'failure', callId, error: error.toData() });
  }

  storeLog(answerId: string, events: readonly CompletionEvent[]): void {
    this.#post({ type: 'store-log', answerId, events });
  }

  /** Ends the connection of a site whose permission was revoked. */
  revoke(): void {
    this.#post({ type: 'revoked' });
    this.close();
  }

  /**
   * Of another site's contexts this worker sees no locks. A page ends with the hub's frame in it. A service worker may
   * live longer. While it awaits events it sends pings; if it sends none, it has ended, and its completions continue for
   * the grace time only.
   */
  #watchEmbedded({ frame }: Embedding): void {
    if (this.isPage) frame.closed.addEventListener('abort', () => this.close(), { once: true });
    this.heard = watchSilence(
      () => this.#subscriptions.size > 0,
      () => this.#loseAll(),
      this.closed,
    );
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
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
    this.#orphanAll();
    this.#port.close();
  }

  /** Ends the subscriptions of a context that has probably ended. If it has not, it gets an error. */
  #loseAll(): void {
    const error = engineUnavailable('The hub has heard nothing from this site for too long.', 2).toData();
    for (const [subscription, { completion }] of this.#subscriptions) {
      const { requestId } = completion.options;
      this.#post({ type: 'events', subscription, requestId, sequence: 0, events: [{ type: 'error', error }] });
    }
    this.#orphanAll();
  }

  #orphanAll(): void {
    for (const { completion, unsubscribe } of this.#subscriptions.values()) {
      unsubscribe();
      this.#options.completions.joinable.orphan(completion);
    }
    this.#subscriptions.clear();
  }

  #complete({ subscription, requestId, request, ...options }: Complete): void {
    const completion = this.#options.completions.start(request, { ...options, requestId }, this.site);
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
    // All was sent, and no other context can join. A hostile site would never say that it has got the error.
    if (completion.log.failed) this.#forget(subscription);
  }

  #forget(subscription: number): Completion | undefined {
    const subscribed = this.#subscriptions.get(subscription);
    this.#subscriptions.delete(subscription);
    subscribed?.unsubscribe();
    return subscribed?.completion;
  }

  async #call<Name extends EngineCallName>({ callId, name, parameters }: EngineCallMessage<Name>): Promise<void> {
    try {
      const value = await handleCall(this.#options.handlers, name, parameters, this.site);
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

/** The status without what other sites have used. */
function withoutUse(status: EngineStatus): EngineStatus {
  if (status.state !== 'ready') return status;
  return { ...status, promptCache: { promptTokens: 0, cachedTokens: 0, off: status.promptCache.off } };
}
