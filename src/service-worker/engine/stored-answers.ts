import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import {
  CONNECTION_LOST,
  type CancelledStream,
  type CompletionOptions,
  type CompletionService,
} from '../../shared/engine/engine.ts';
import { ANSWER_LIMITS } from '../../shared/storage/answers-to-evict.ts';
import type { AnswerKind, AnswerRecords, AnswerSummary } from '../../shared/storage/stored-answer.ts';
import type { StoredAnswer } from '../../shared/storage/stored-answer.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import { hasEnded } from './has-ended.ts';

/** Milliseconds after which the browser no longer lists a closed or reloaded tab as a client. */
const DISCONNECT_TIME = 1000;

/** Milliseconds for which writing an answer may delay its response. */
const WRITE_TIMEOUT = 3000;

/** An answer to store, before its completion starts. */
export interface NewAnswer extends Pick<StoredAnswer, 'kind' | 'metadata' | 'detail'> {
  /** Proposed id. A repeated request joins the earlier completion and gets its id, which the `begun` event reports. */
  readonly id: string;
  /**
   * The resumable stream whose id the client sent. With `joinsOnly` the stream must exist already. Default: a new
   * stream with the answer's id.
   */
  readonly stream?: { readonly id: string; readonly joinsOnly: boolean };
  /** Whether the completion continues after its client cancels the response. Default: false. */
  readonly background?: boolean;
  /** The request to store, without what only this answer's prompt contains. Default: that of the completion. */
  readonly request?: CompletionRequest;
}

export interface StoredAnswersOptions {
  readonly records: AnswerRecords;
  readonly service: CompletionService;
  /** Lower-case hex SHA-256 of the API key. */
  readonly keyHash: () => Promise<string>;
  readonly requestId: string;
  readonly clientId: string;
  readonly clientDisconnected: () => Promise<boolean>;
}

/**
 * The stored answers of one API key, for one request. Their completions belong to the engine: they outlive the service
 * worker and the requesting tab while any tab of the site is open.
 */
export class StoredAnswers {
  readonly #options: StoredAnswersOptions;

  constructor(options: StoredAnswersOptions) {
    this.#options = options;
  }

  /**
   * Starts a completion and stores its request; the engine adds the log of events when the completion ends. The first
   * events are delayed until the answer is in the database, so that its id can be looked up once the client knows it.
   *
   * Cancelling the stream ends the completion, unless another client reads it. If the answer is stored, it also continues
   * if the client was closed or the answer runs in the background.
   * @returns the events. If the answer could not be stored, `begun` has no `answerId`.
   */
  begin(
    request: CompletionRequest,
    options: Omit<CompletionOptions, 'resumable'>,
    answer: NewAnswer,
  ): ReadableStream<readonly CompletionEvent[]> {
    const { service } = this.#options;
    const { background = false, ...described } = answer;
    let stream = answer.stream ?? { id: answer.id, joinsOnly: false };
    const resumable = { ...stream, outlives: 'page', answerId: answer.id } as const;
    const reader = service.complete(request, { ...options, resumable }).getReader();
    let ended = false;
    let isStored = true;
    return new ReadableStream(
      {
        pull: async (controller) => {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          ended = hasEnded(value);
          const [first] = value;
          if (first?.type !== 'begun' || first.answerId === undefined) return controller.enqueue(value);
          if (answer.stream === undefined) stream = { ...stream, id: first.answerId };
          const { created, answerId: id } = first;
          const { fingerprint } = options;
          const kept = { request, ...described, id, created, stream: { id: stream.id, fingerprint } };
          // A completion that fails immediately is not stored: its client has received no id.
          const isRefused = value.at(-1)?.type === 'error';
          isStored = stream.joinsOnly || (!isRefused && (await this.#store(kept)));
          controller.enqueue(isStored ? value : [{ type: 'begun', created }, ...value.slice(1)]);
        },
        cancel: (reason) => {
          void reader.cancel(reason);
          if (ended || (isStored && background) || reason === CONNECTION_LOST) return;
          void this.#cancelUnlessDisconnected(stream.id, isStored);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /**
   * Finds a stored answer of this API key.
   * @throws ApiError `answer_not_found` if there is none, or if it belongs to another key or has another kind;
   * `storage_unavailable` if the database cannot be opened.
   */
  async find(kind: AnswerKind, id: string): Promise<StoredAnswer> {
    const { records, keyHash } = this.#options;
    const [answer, owner] = await Promise.all([records.find(id), keyHash()]);
    if (answer?.kind === kind && answer.keyHash === owner) return answer;
    throw new ApiError(
      'answer_not_found',
      `No stored ${kind === 'response' ? 'response' : 'chat completion'} has the id ${quote(id)}. ` +
        `It was never stored on this device, was deleted, belongs to another key, or is older than ${ANSWER_LIMITS.days} days.`,
    );
  }

  /**
   * Lists the stored answers of one kind, newest first.
   * @throws ApiError `storage_unavailable` if the database cannot be opened.
   */
  async list(kind: AnswerKind): Promise<readonly AnswerSummary[]> {
    const { records, keyHash } = this.#options;
    const [answers, owner] = await Promise.all([records.list(), keyHash()]);
    return answers.filter((answer) => answer.kind === kind && answer.keyHash === owner);
  }

  /**
   * Replaces the metadata of a stored answer.
   * @throws ApiError `storage_unavailable` if the database cannot be opened.
   */
  setMetadata({ id }: AnswerSummary, metadata: AnswerSummary['metadata']): Promise<void> {
    return this.#options.records.setMetadata(id, metadata);
  }

  /**
   * Deletes an answer and ends its completion if it is running.
   * @throws ApiError `storage_unavailable` if the database cannot be opened.
   */
  async delete({ id, stream }: StoredAnswer): Promise<void> {
    void this.#cancelStream({ streamId: stream.id, deleted: true });
    await this.#options.records.delete(id);
  }

  /** Ends the completion if it is running. Its log is stored with the error `answer_cancelled`. */
  cancel({ stream }: StoredAnswer): Promise<void> {
    return this.#cancelStream({ streamId: stream.id });
  }

  /** Returns the events of an answer that has ended; undefined if its completion is running or its engine died. */
  async log({ id, created }: AnswerSummary): Promise<readonly CompletionEvent[] | undefined> {
    const log = await this.#options.records.log(id);
    const [first] = log ?? [];
    // A log with another creation time was stored by a failed first attempt, which had the same id.
    return first?.type === 'begun' && first.created === created ? log : undefined;
  }

  /**
   * Streams all events of an answer; the first chunk contains those that exist so far. Cancelling the stream does not
   * end the completion. The stream never errors: if the engine died during the completion, it ends with an `error`
   * event, `answer_lost`.
   */
  events(answer: StoredAnswer): ReadableStream<readonly CompletionEvent[]> {
    let joined: ReadableStreamDefaultReader<readonly CompletionEvent[]> | null = null;
    const next = async (): Promise<readonly CompletionEvent[] | null> => {
      if (joined !== null) return (await joined.read()).value ?? null;
      const log = await this.log(answer);
      if (log !== undefined) return log;
      joined = this.#join(answer);
      const { value: first = [] } = await joined.read();
      if (first[0]?.type !== 'error' || first[0].error.code !== 'stream_not_found') return first;
      // The completion may have ended, and its log may have been stored, after the first query of the database. So
      // query it once more.
      return (await this.log(answer)) ?? failed(lost());
    };
    let ended = false;
    return new ReadableStream(
      {
        async pull(controller) {
          const events = ended ? null : await next().catch(failed);
          if (events === null) return controller.close();
          ended = hasEnded(events);
          controller.enqueue(events);
        },
        cancel: (reason) => void joined?.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  #join({ stream, request, id }: StoredAnswer): ReadableStreamDefaultReader<readonly CompletionEvent[]> {
    const { service, requestId, clientId } = this.#options;
    const resumable = { id: stream.id, outlives: 'page', joinsOnly: true, answerId: id } as const;
    const { fingerprint } = stream;
    return service.complete(request, { requestId, clientId, fingerprint, holdTime: null, resumable }).getReader();
  }

  async #store(answer: Omit<StoredAnswer, 'keyHash' | 'model' | 'characters'>): Promise<boolean> {
    const { records, keyHash, requestId } = this.#options;
    const write = async () => {
      const characters = JSON.stringify(answer).length;
      await records.add({ ...answer, keyHash: await keyHash(), model: answer.request.model, characters });
      return true;
    };
    const isStored = await withTimeout(WRITE_TIMEOUT, write(), false).catch(() => false);
    trace(requestId, isStored ? 'is stored as' : 'cannot be stored as', answer.id.slice(0, 16));
    return isStored;
  }

  async #cancelUnlessDisconnected(streamId: string, isStored: boolean): Promise<void> {
    await sleep(DISCONNECT_TIME);
    const { requestId, clientDisconnected } = this.#options;
    if (isStored && (await clientDisconnected())) trace(requestId, 'continues without its client');
    else await this.#cancelStream({ streamId, ifUnread: true });
  }

  #cancelStream(stream: CancelledStream): Promise<void> {
    const { service, requestId, clientId } = this.#options;
    return service.cancelStream(stream, { requestId, clientId });
  }
}

/** Awaits {@link StoredAnswers.find}, but resolves to null if there is no such answer. */
export function nullIfMissing<Found>(found: Promise<Found>): Promise<Found | null> {
  return found.catch((thrown: unknown) => {
    if (thrown instanceof ApiError && thrown.code === 'answer_not_found') return null;
    throw thrown;
  });
}

function failed(thrown: unknown): readonly CompletionEvent[] {
  return [{ type: 'error', error: ApiError.from(thrown).toData() }];
}

function lost(): ApiError {
  const message =
    'This answer was lost: the tab that ran its model was closed, or its engine crashed, before it ended.';
  return new ApiError('answer_lost', message);
}
