import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { engineUnavailable, gpuUnavailable } from '../../shared/engine/engine-errors.ts';
import {
  CONNECTION_LOST,
  type CallEngine,
  type CancelledStream,
  type CompletionOptions,
  type CompletionService,
} from '../../shared/engine/engine.ts';
import { EngineCallClient } from '../../shared/messaging/engine-call-client.ts';
import {
  EngineConnection,
  type EngineClientIdentity,
  type EnginePort,
} from '../../shared/messaging/engine-connection.ts';
import type { EngineReplyMessage } from '../../shared/messaging/messages.ts';
import { HUB_ENGINE_PREFIX } from '../../shared/locks/site-locks.ts';
import { modelsForProcessor, type SiteModels } from '../../shared/models/site-models.ts';
import { CAN_USE_HUB } from '../../shared/hub/can-use-hub.ts';
import { storeLog } from '../../shared/messaging/store-log.ts';
import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import { holdAnswerLock } from './admission.ts';
import { hasEnded } from './has-ended.ts';

export interface EngineClientOptions {
  readonly identity: EngineClientIdentity;
  /** Scope of the service worker. */
  readonly site: string;
  /** The models that the site provides. Default: only the built-in models. */
  readonly siteModels?: SiteModels;
  /** Opens a new port to the engine. */
  readonly connect: (clientId: string | undefined, requestId: string) => Promise<EnginePort>;
}

/**
 * Limit of the buffered characters of one response. Without it, a client that does not read would exhaust the memory.
 */
const MAX_UNREAD = 2 ** 20;

/**
 * Milliseconds before a request is sent to the next engine: time for the pages to learn that the last one has ended.
 * Before, a page could provide a port to that one.
 */
const NEXT_ENGINE_DELAY = 300;

const READER_TOO_SLOW = new ApiError(
  'engine_timeout',
  'The answer was stopped: more of it is unread than can be kept.',
);

type EventsMessage = Extract<EngineReplyMessage, { type: 'events' }>;

/**
 * The HTTP layer's access to the engine worker. It opens a port to the engine on demand. The port is lost when the
 * service worker or the engine ends, which is normal; the next request opens another.
 */
export class EngineClient implements CompletionService {
  readonly #options: EngineClientOptions;
  /** Number of a subscription → the function that receives its events. */
  readonly #streams = new Map<number, (events: readonly CompletionEvent[]) => void>();
  readonly #calls = new EngineCallClient();
  #connection: Promise<EngineConnection> | null = null;
  #subscriptions = 0;

  constructor(options: EngineClientOptions) {
    this.#options = options;
  }

  complete(request: CompletionRequest, options: CompletionOptions): ReadableStream<readonly CompletionEvent[]> {
    const { clientId, ...engineOptions } = options;
    const { requestId } = engineOptions;
    const subscription = ++this.#subscriptions;
    const finished = new AbortController();
    let connection: EngineConnection | null = null;
    /** Whether an engine has received the request. It confirms that at once, by a message without events. */
    let isReceived = false;
    const finish = (how: 'cancel' | 'delivered') => {
      if (finished.signal.aborted) return;
      finished.abort();
      this.#streams.delete(subscription);
      connection?.post({ type: how, subscription, requestId });
    };
    const locked = holdAnswerLock(finished.signal);
    return new ReadableStream<readonly CompletionEvent[]>(
      {
        start: (controller) => {
          const fail = (thrown: unknown) => {
            if (finished.signal.aborted) return;
            controller.enqueue([{ type: 'error', error: ApiError.from(thrown).toData() }]);
            controller.close();
            finish('cancel');
          };
          const receive = (events: readonly CompletionEvent[]) => {
            isReceived = true;
            if (events.length === 0) return;
            controller.enqueue(events);
            if (hasEnded(events)) {
              controller.close();
              finish('delivered');
            } else if ((controller.desiredSize ?? 0) <= 0) fail(READER_TOO_SLOW);
          };
          const send = async (isSecondTime = false) => {
            const opened = await this.#connect(clientId, requestId);
            // If a newer build holds the answer lock, fail() ends the completion here. But the engine would continue a
            // resumable completion, so the engine gets its request only after this worker holds the lock.
            if (engineOptions.resumable) await locked;
            if (finished.signal.aborted) return;
            const lose = () => {
              // If the engine's tab stops it (because the tab closes or is frozen) at the moment at which the request is
              // sent, the engine never receives it, so the next engine can answer. An engine that does not respond may
              // have received it, and may have been blocked by it. A request that only joins a completion has nothing
              // to join in another engine.
              const isLost = isReceived || isSecondTime || opened.unresponsive || engineOptions.resumable?.joinsOnly;
              if (isLost) return fail(opened.ended.reason);
              trace(requestId, 'is sent to the next engine');
              sleep(NEXT_ENGINE_DELAY, finished.signal)
                .then(() => send(true))
                .catch(fail);
            };
            if (opened.ended.aborted) return lose();
            connection = opened;
            opened.ended.addEventListener('abort', lose, { signal: finished.signal });
            opened.monitorUntil(finished.signal);
            this.#streams.set(subscription, receive);
            opened.post({ type: 'complete', subscription, ...engineOptions, request });
          };
          // Not awaited: a stream cannot be cancelled while its start() is pending.
          Promise.all([send(), locked]).catch(fail);
        },
        cancel: (reason) => finish(reason === CONNECTION_LOST && engineOptions.resumable ? 'delivered' : 'cancel'),
      },
      { highWaterMark: MAX_UNREAD, size: (events) => events.reduce((sum, event) => sum + roughSize(event), 0) },
    );
  }

  async cancelStream(
    stream: CancelledStream,
    { clientId, requestId }: Pick<CompletionOptions, 'clientId' | 'requestId'>,
  ): Promise<void> {
    const connection = await this.#connect(clientId, requestId).catch(() => null);
    connection?.post({ type: 'cancel-stream', ...stream });
  }

  call: CallEngine = async (name, parameters, { clientId, requestId }) => {
    const finished = new AbortController();
    try {
      const [connection] = await Promise.all([this.#connect(clientId, requestId), holdAnswerLock(finished.signal)]);
      connection.monitorUntil(finished.signal);
      return await this.#calls.send(connection, name, parameters);
    } finally {
      finished.abort();
    }
  };

  #connect(clientId: string | undefined, requestId: string): Promise<EngineConnection> {
    this.#connection ??= this.#open(clientId, requestId).catch((thrown: unknown) => {
      this.#connection = null;
      throw thrown;
    });
    return this.#connection;
  }

  async #open(clientId: string | undefined, requestId: string): Promise<EngineConnection> {
    const { identity, connect } = this.#options;
    let opened: EngineConnection | null = null;
    const connection = await EngineConnection.open(
      await connect(clientId, requestId),
      identity,
      this.#options,
      (message) => {
        if (message.type === 'events') this.#receive(message);
        else if (message.type === 'result' || message.type === 'failure') this.#calls.receive(message);
        else if (CAN_USE_HUB && message.type === 'store-log') void storeLog(message, (stored) => opened?.post(stored));
      },
    );
    opened = connection;
    if (connection === null) throw engineUnavailable('The engine did not start in time, or ended while it did.');
    // A hub without a graphics device serves only if it has models for the processor.
    const isOfHub = CAN_USE_HUB && connection.lockName.startsWith(HUB_ENGINE_PREFIX);
    if (connection.gpu === null && !isOfHub && modelsForProcessor(this.#options.siteModels).length === 0) {
      connection.close();
      throw gpuUnavailable();
    }
    connection.ended.addEventListener('abort', () => {
      this.#connection = null;
    });
    return connection;
  }

  #receive({ subscription, events }: EventsMessage): void {
    this.#streams.get(subscription)?.(events);
  }
}

/** Estimates the characters of an event in memory. Serialising each event for an exact size would double its cost. */
function roughSize(event: CompletionEvent): number {
  if (event.type !== 'delta') return 100;
  const { content = '', reasoning = '', toolCalls = [], logprobs = [] } = event;
  const calls = toolCalls.reduce((sum, call) => sum + 100 + call.arguments.length, 0);
  const alternatives = logprobs.reduce((sum, { topLogprobs }) => sum + 1 + topLogprobs.length, 0);
  return 60 + content.length + reasoning.length + calls + 60 * alternatives;
}
