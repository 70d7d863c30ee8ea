import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { CallEngine, CancelledStream, CompletionOptions, CompletionService } from '../../shared/engine/engine.ts';
import { engineUnavailable, gpuUnavailable } from '../../shared/engine/engine-errors.ts';
import {
  EngineConnection,
  type EngineClientIdentity,
  type EnginePort,
} from '../../shared/messaging/engine-connection.ts';
import type { EngineReplyMessage } from '../../shared/messaging/messages.ts';
import { EngineCallClient } from '../../shared/messaging/engine-call-client.ts';
import type { SiteModels } from '../../shared/models/site-models.ts';
import { holdAnswerLock } from '../lifecycle/takeover.ts';

export interface EngineClientOptions {
  readonly identity: EngineClientIdentity;
  /** Scope of the service worker. */
  readonly site: string;
  /** What the site has said of its models. Default: nothing. */
  readonly siteModels?: SiteModels;
  /** Gets a fresh port to the engine. */
  readonly connect: (clientId: string | undefined, requestId: string) => Promise<EnginePort>;
}

/** Characters of an answer that wait for a reader: a client that does not read must not fill the memory. */
const MOST_UNREAD = 2 ** 20;

const UNREAD = new ApiError('engine_timeout', 'The answer was ended: more of it waited to be read than is kept.');

type EventsMessage = Extract<EngineReplyMessage, { type: 'events' }>;

/**
 * The engine as the HTTP layer sees it. The port is fetched on demand and lost with the service worker or
 * the engine; both are normal, and the next request fetches another.
 */
export class EngineClient implements CompletionService {
  readonly #options: EngineClientOptions;
  readonly #streams = new Map<string, (events: readonly CompletionEvent[]) => void>();
  readonly #calls = new EngineCallClient();
  #connection: Promise<EngineConnection> | null = null;

  constructor(options: EngineClientOptions) {
    this.#options = options;
  }

  complete(request: CompletionRequest, options: CompletionOptions): ReadableStream<readonly CompletionEvent[]> {
    const { clientId, ...told } = options;
    const { requestId } = told;
    const finished = new AbortController();
    let connection: EngineConnection | null = null;
    const finish = (how: 'cancel' | 'delivered') => {
      if (finished.signal.aborted) return;
      finished.abort();
      this.#streams.delete(requestId);
      connection?.post({ type: how, requestId });
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
            controller.enqueue(events);
            const last = events.at(-1)?.type;
            if (last === 'done' || last === 'error') {
              controller.close();
              finish('delivered');
            } else if ((controller.desiredSize ?? 0) <= 0) fail(UNREAD);
          };
          const send = async () => {
            const opened = await this.#connect(clientId, requestId);
            // What others may join would not surely end if the lock is lost. Anything else does, and need not wait for it.
            if (told.resumable) await locked;
            opened.ended.throwIfAborted();
            if (finished.signal.aborted) return;
            connection = opened;
            opened.ended.addEventListener('abort', () => fail(opened.ended.reason), { signal: finished.signal });
            opened.monitorUntil(finished.signal);
            this.#streams.set(requestId, receive);
            opened.post({ type: 'complete', ...told, request });
          };
          // Not awaited: a stream that waits for its start cannot be cancelled.
          Promise.all([send(), locked]).catch(fail);
        },
        cancel: () => finish('cancel'),
      },
      { highWaterMark: MOST_UNREAD, size: (events) => events.reduce((sum, event) => sum + roughSize(event), 0) },
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
    if (connection.gpu === null) {
      connection.close();
      throw gpuUnavailable();
    }
    connection.ended.addEventListener('abort', () => {
      this.#connection = null;
    });
    return connection;
  }

  #receive({ requestId, events }: EventsMessage): void {
    this.#streams.get(requestId)?.(events);
  }
}

/** Characters of an event in memory, near enough for a limit: to write each as JSON would double the work on it. */
function roughSize(event: CompletionEvent): number {
  if (event.type !== 'delta') return 100;
  const { content = '', reasoning = '', toolCalls = [], logprobs = [] } = event;
  const calls = toolCalls.reduce((sum, call) => sum + 100 + call.arguments.length, 0);
  const alternatives = logprobs.reduce((sum, { topLogprobs }) => sum + 1 + topLogprobs.length, 0);
  return 60 + content.length + reasoning.length + calls + 60 * alternatives;
}
