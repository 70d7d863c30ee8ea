import { ApiError, type ApiErrorData } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { quote } from '../../shared/describe-value.ts';
import type { CompletionOptions, CompletionService } from '../../shared/engine/engine.ts';
import type { AnswerKind, AnswerRecords, AnswerSummary } from '../../shared/storage/stored-answer.ts';
import { ANSWER_LIMITS } from '../../shared/storage/answers-to-evict.ts';
import type { StoredAnswer } from '../../shared/storage/stored-answer.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';

/** Milliseconds after which a tab that was closed or reloaded is no client any more. */
const LEAVING_TIME = 1000;

/** Milliseconds that writing an answer may hold up what is sent of it. */
const WRITING_TIME = 3000;

/** An answer that is to be stored, as its route knows it before it has begun. */
export interface NewAnswer extends Pick<StoredAnswer, 'kind' | 'metadata' | 'detail'> {
  /** It gets this one, unless it is a repetition that joins an earlier one: what it is called in the end, `begun` says. */
  readonly id: string;
  /** Where the client has named its stream: by which name, and whether only a begun answer is wanted. Default: the id. */
  readonly stream?: { readonly id: string; readonly joinsOnly: boolean };
  /** Whether it goes on although its client, which still lives, has cancelled it. Default: it ends then. */
  readonly background?: boolean;
}

export interface StoredAnswersOptions {
  readonly records: AnswerRecords;
  readonly service: CompletionService;
  /** Lower-case hex SHA-256 of the key that asks. */
  readonly keyHash: () => Promise<string>;
  readonly requestId: string;
  readonly clientId: string;
  /** Whether whoever sent the request is known to have gone. */
  readonly clientGone: () => Promise<boolean>;
}

/**
 * The stored answers, as one request of one key may see and make them. Their completions belong to the engine and outlive
 * the service worker and the tab that asked, as long as any tab of the site is open.
 */
export class StoredAnswers {
  readonly #options: StoredAnswersOptions;

  constructor(options: StoredAnswersOptions) {
    this.#options = options;
  }

  /**
   * Begins a completion and stores it: request and answer, with the log to come. The database is written while the
   * completion runs already; what the completion says is handed on once the answer can be found.
   *
   * Cancelling the stream ends the completion, unless the client has gone without a word or it runs in the background.
   * @returns the events. Where this browser keeps nothing, `begun` has no `answerId`: then the answer is not stored.
   */
  begin(
    request: CompletionRequest,
    asked: Omit<CompletionOptions, 'resumable'>,
    answer: NewAnswer,
  ): ReadableStream<readonly CompletionEvent[]> {
    const { service } = this.#options;
    const { background = false } = answer;
    let stream = answer.stream ?? { id: answer.id, joinsOnly: false };
    const resumable = { ...stream, outlives: 'page', answerId: answer.id } as const;
    const reader = service.complete(request, { ...asked, resumable }).getReader();
    let ended = false;
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
          const { fingerprint } = asked;
          const kept = { ...answer, id, created, stream: { id: stream.id, fingerprint }, request };
          // What is refused at once has no answer; its client was told no id.
          const isRefused = value.at(-1)?.type === 'error';
          const isStored = stream.joinsOnly || (!isRefused && (await this.#store(kept)));
          controller.enqueue(isStored ? value : [{ type: 'begun', created }, ...value.slice(1)]);
        },
        cancel: () => {
          void reader.cancel();
          if (!ended && !background) void this.#endUnlessGone(stream.id);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** @throws ApiError `answer_not_found`, also for an answer of another key or kind; `storage_unavailable`. */
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
   * Newest first.
   * @throws ApiError `storage_unavailable`.
   */
  async list(kind: AnswerKind): Promise<readonly AnswerSummary[]> {
    const { records, keyHash } = this.#options;
    const [answers, owner] = await Promise.all([records.list(), keyHash()]);
    return answers.filter((answer) => answer.kind === kind && answer.keyHash === owner);
  }

  /** @throws ApiError `storage_unavailable`. */
  setMetadata({ id }: AnswerSummary, metadata: AnswerSummary['metadata']): Promise<void> {
    return this.#options.records.setMetadata(id, metadata);
  }

  /**
   * Deletes an answer, and ends it where it still runs.
   * @throws ApiError `storage_unavailable`.
   */
  async delete({ id, stream }: StoredAnswer): Promise<void> {
    void this.#cancelStream(stream.id, true);
    await this.#options.records.delete(id);
  }

  /** Ends an answer where it still runs. What was said until then is stored, with the error `answer_cancelled`. */
  cancel({ stream }: StoredAnswer): Promise<void> {
    return this.#cancelStream(stream.id, false);
  }

  /** What was said of an answer that has ended, in whatever way; undefined for one that runs or was lost. */
  async log({ id, created }: AnswerSummary): Promise<readonly CompletionEvent[] | undefined> {
    const log = await this.#options.records.log(id);
    const [first] = log ?? [];
    // One of a first try, which failed and was begun anew under the same id, is not that of this answer.
    return first?.type === 'begun' && first.created === created ? log : undefined;
  }

  /**
   * All events of an answer from the first one on, in the first chunk all that were said until now. Cancelling the stream
   * does not end the answer. It never errors: what cannot be had any more ends with an `error` event, `answer_lost`.
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
      // It may have ended between the look at the database and that at the engine.
      return (await this.log(answer)) ?? [{ type: 'error', error: lost() }];
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
        cancel: () => void joined?.cancel(),
      },
      { highWaterMark: 0 },
    );
  }

  #join({ stream, request, id }: StoredAnswer): ReadableStreamDefaultReader<readonly CompletionEvent[]> {
    const { service, requestId, clientId } = this.#options;
    trace(requestId, 'looks for the running answer', id.slice(0, 16));
    const resumable = { id: stream.id, outlives: 'page', joinsOnly: true, answerId: id } as const;
    const { fingerprint } = stream;
    return service.complete(request, { requestId, clientId, fingerprint, holdTime: null, resumable }).getReader();
  }

  async #store(answer: Omit<StoredAnswer, 'keyHash' | 'model' | 'characters'>): Promise<boolean> {
    const { records, keyHash, requestId } = this.#options;
    const { kind, id, created, metadata, detail, stream, request } = answer;
    const characters = JSON.stringify(request).length;
    const write = async () => {
      const owner = { keyHash: await keyHash(), model: request.model };
      await records.add({ ...owner, kind, id, created, metadata, detail, stream, request, characters });
      return true;
    };
    const isStored = await withTimeout(WRITING_TIME, write(), false).catch(() => false);
    trace(requestId, isStored ? 'is stored as' : 'cannot be stored as', id.slice(0, 16));
    return isStored;
  }

  async #endUnlessGone(streamId: string): Promise<void> {
    await sleep(LEAVING_TIME);
    const { requestId, clientGone } = this.#options;
    const gone = await clientGone();
    trace(requestId, gone ? 'goes on without its client' : 'was cancelled by its client');
    if (!gone) await this.#cancelStream(streamId, false);
  }

  #cancelStream(streamId: string, deleted: boolean): Promise<void> {
    const { service, requestId, clientId } = this.#options;
    return service.cancelStream({ streamId, deleted }, { requestId, clientId });
  }
}

function hasEnded(events: readonly CompletionEvent[]): boolean {
  const last = events.at(-1)?.type;
  return last === 'done' || last === 'error';
}

function failed(thrown: unknown): readonly CompletionEvent[] {
  return [{ type: 'error', error: ApiError.from(thrown).toData() }];
}

function lost(): ApiErrorData {
  const message =
    'This answer was lost: the tab that ran its model was closed, or its engine crashed, before it ended.';
  return new ApiError('answer_lost', message).toData();
}
