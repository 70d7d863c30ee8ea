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
import { modelsForProcessor, type SiteModels } from '../../shared/models/site-models.ts';
import { holdAnswerLock } from '../lifecycle/takeover.ts';

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

const READER_TOO_SLOW = new ApiError(
  'engine_timeout',
  'The answer was ended: more of it waited to be read than is kept.',
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
    /** Whether an engine has begun with the request: it then sends an event at once. */
    let isBegun = false;
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
            isBegun = true;
            controller.enqueue(events);
            const last = events.at(-1)?.type;
            if (last === 'done' || last === 'error') {
              controller.close();
              finish('delivered');
            } else if ((controller.desiredSize ?? 0) <= 0) fail(READER_TOO_SLOW);
          };
          const send = async (isSecondTime = false) => {
            const opened = await this.#connect(clientId, requestId);
            // If a newer build holds the answer lock, fail() ends the completion here. But the engine would continue a
            // resumable completion, so the engine gets its request only after this worker holds the lock.
            if (engineOptions.resumable) await locked;
            opened.ended.throwIfAborted();
            if (finished.signal.aborted) return;
            connection = opened;
            const lose = () => {
              // An engine that its tab stops (because the tab closes or is frozen) at the moment at which the request is
              // sent never receives it. The next engine can answer as if nothing had happened.
              if (isBegun || isSecondTime || opened.unresponsive) fail(opened.ended.reason);
              else send(true).catch(fail);
            };
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
    { streamId, deleted }: CancelledStream,
    { clientId, requestId }: Pick<CompletionOptions, 'clientId' | 'requestId'>,
  ): Promise<void> {
    const connection = await this.#connect(clientId, requestId).catch(() => null);
    connection?.post({ type: 'cancel-stream', streamId, deleted });
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
    const connection = await EngineConnection.open(
      await connect(clientId, requestId),
      identity,
      this.#options,
      (message) => {
        if (message.type === 'events') this.#receive(message);
        else if (message.type === 'result' || message.type === 'failure') this.#calls.receive(message);
      },
    );
    if (connection === null) throw engineUnavailable('The engine did not start in time, or ended while it did.');
    if (connection.gpu === null && modelsForProcessor(this.#options.siteModels).length === 0) {
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
