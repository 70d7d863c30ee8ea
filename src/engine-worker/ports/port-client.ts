import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { EngineCallMessage, EngineCallName, EngineResultMessage } from '../../shared/engine/engine-calls.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import type { EngineStatus } from '../../shared/engine/engine.ts';
import { isLockHeld, whenReleased } from '../../shared/locks/liveness-lock.ts';
import type { EngineReplyMessage, EngineRequestMessage } from '../../shared/messaging/messages.ts';
import { traceMessage } from '../../shared/messaging/trace-message.ts';
import type { Completion } from '../completions/completion.ts';
import type { Completions } from '../completions/completions.ts';
import { unreadableCall, unreadableRequest } from '../hub/embedded-message.ts';
import type { SiteLogs } from '../hub/site-logs.ts';
import { watchSilence } from '../hub/watch-silence.ts';
import { handleCall, type CallHandlers } from './call-handlers.ts';
import { EventBatcher, type SendEvents } from './event-batcher.ts';
import type { PostToPage } from './run-in-page.ts';

export type Hello = Extract<EngineRequestMessage, { type: 'hello' }>;
type Complete = Extract<EngineRequestMessage, { type: 'complete' }>;

/** Types of messages that do not reach a client's `receive`. */
type HandledByServer = 'hello' | 'abandon' | 'ping' | 'embed' | 'serve' | 'visible';

const NOT_FOR_SITES =
  'This site uses the models of a hub, which answers no such call. The person manages the models on the page of the hub.';

/** What a connected context needs of the engine. */
export interface PortClientOptions {
  readonly completions: Completions;
  readonly handlers: Partial<CallHandlers>;
  /** Milliseconds between two messages with deltas. Default: 50. */
  readonly pace?: number;
  /**
   * Called when a page uses this worker; the models of its site are known then. Before, a page only asks what the worker
   * can do, and leaves one that has no graphics device. Default: nothing is called.
   */
  readonly onAccepted?: () => void;
  /** Told which logs of stored answers sites that use this engine through its hub have stored. */
  readonly siteLogs?: Pick<SiteLogs, 'connected' | 'stored'>;
}

/** How a port of another site came to this engine. */
export interface Embedding {
  /** Origin of the site, as the browser reported it to the hub's frame. */
  readonly origin: string;
  /** The hub's frame. */
  readonly frame: PortClient;
  /** What the context says is the root address of its site. An origin may have several, each with a service worker. */
  readonly scope: string;
}

/** One connected port and its subscriptions. */
export class PortClient {
  readonly incarnation: string;
  readonly isPage: boolean;
  readonly site: string;
  /** Whether the person sees the page around this frame of a hub. */
  isVisible = false;
  readonly #embedding: Embedding | null;
  readonly #port: MessagePort;
  readonly #options: PortClientOptions;
  readonly #onClose: () => void;
  readonly #subscriptions = new Map<number, { completion: Completion; unsubscribe: () => void }>();
  readonly #closed = new AbortController();
  #watchesStatus = false;

  constructor(
    port: MessagePort,
    { incarnation, site, client }: Hello,
    embedding: Embedding | null,
    options: PortClientOptions,
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
  replaces(earlier: PortClient): boolean {
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

  receive(message: Exclude<EngineRequestMessage, { type: HandledByServer }>): void {
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
        return this.#options.completions.joinable.cancel(this.site, message.streamId, message);
      case 'delivered': {
        const completion = this.#forget(message.subscription);
        if (completion) this.#options.completions.joinable.awaitReturn(completion);
        return;
      }
      case 'leave':
        return this.close();
      case 'watch-status': {
        if (this.#watchesStatus) return;
        this.#watchesStatus = true;
        const end = this.#options.completions.watchStatus((status) =>
          this.#post({ type: 'status', status: this.#embedding ? withoutUse(status) : status }),
        );
        this.#closed.signal.addEventListener('abort', end, { once: true });
        return this.#options.onAccepted?.();
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
