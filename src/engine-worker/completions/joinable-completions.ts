import { ApiError } from '../../shared/api-error.ts';
import type { CancelledStream } from '../../shared/engine/engine.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { AnswersElsewhere } from './answers-elsewhere.ts';
import { isEmbedded } from '../embedded-site.ts';
import type { Completion } from './completion.ts';
import { LogSaver, type SaveLog } from './log-saver.ts';
import { OrphanedCompletions } from './orphaned-completions.ts';

/** Limits for keeping completions that can be joined. Times are milliseconds. */
export interface JoinableLimits {
  /** How long a completion without a stream id continues after its subscriber was lost. */
  readonly graceTime: number;
  /**
   * How long a completion with a stream id continues after its last subscriber was lost, unless it may outlive its
   * page.
   */
  readonly returnTime: number;
  /** How long a completion with a stream id is kept after its end. */
  readonly age: number;
  /** Limit of ended completions with a stream id that are kept for a site. */
  readonly count: number;
  /** Limit of characters (as JSON) of the ended completions that are kept for a site. */
  readonly characters: number;
}

const DEFAULT_LIMITS: JoinableLimits = {
  graceTime: 2000,
  returnTime: 15_000,
  age: 300_000,
  count: 32,
  characters: 4_000_000,
};

/** A stream id and its completion. */
interface Kept {
  readonly site: string;
  /** Null if the id was cancelled and nothing is to be stored; that may happen before its request arrives. */
  readonly completion: Completion | null;
  /** Whether the id was cancelled. Later requests get the events so far, none generates again. Default: false. */
  isCancelled?: boolean;
  /** Size of the log after the completion has ended; 0 until then. */
  characters: number;
  /** True for the grace time after a subscriber was lost, in which a repeated request may join. */
  orphaned: boolean;
  /** See {@link AnswersElsewhere.claim}. */
  readonly release?: (() => void) | undefined;
  /** Cancels the completion if no client returns in time. After the end of the completion, removes it. */
  timer?: ReturnType<typeof setTimeout>;
}

/**
 * Completions that later requests can join; such a request gets all events from the first. A completion with a stream
 * id can be joined by an equal request of the same site, while it runs and for some time after. Without a stream id,
 * only a repetition of its request can join it, within a grace time after the subscriber was lost. The log of a stored
 * answer is saved here when it ends, because the service worker and the tab may be gone by then.
 */
export class JoinableCompletions {
  readonly #limits: JoinableLimits;
  readonly #orphans: OrphanedCompletions;
  /** The entries by stream id and site ({@link keyOf}), oldest first. */
  readonly #kept = new Map<string, Kept>();
  readonly #logs: LogSaver;
  readonly #elsewhere: AnswersElsewhere | null;

  /**
   * @param saveLog Default: no log is stored.
   * @param elsewhere Default: no other engine writes answers.
   */
  constructor(
    limits: Partial<JoinableLimits> = {},
    saveLog: SaveLog = async () => {},
    elsewhere: AnswersElsewhere | null = null,
  ) {
    this.#elsewhere = elsewhere;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#logs = new LogSaver(saveLog);
    this.#orphans = new OrphanedCompletions(this.#limits.graceTime);
    elsewhere?.onCancel((site, id, how) => {
      if (this.knows(site, id)) this.cancel(site, id, how);
    });
  }

  /** Whether the log of a stored answer would be lost if the engine ended now. */
  get isSaving(): boolean {
    return this.#logs.isSaving;
  }

  /**
   * Returns the earlier completion that `asked` joins. If there is none, returns `asked` itself. It fails if its stream id cannot
   * be used; one that only joins also fails, a moment later, unless another engine writes the answer.
   */
  join(asked: Completion): Completion {
    const { options, site } = asked;
    const { resumable, requestId, fingerprint } = options;
    if (!resumable) return this.#orphans.take(site, fingerprint) ?? asked;
    const key = keyOf(site, resumable.id);
    const kept = this.#kept.get(key) ?? this.#repeated(asked);
    if (kept?.completion && kept.completion.options.fingerprint !== fingerprint) {
      asked.fail(new ApiError('invalid_value', 'This stream id was given to another request. Choose a new one.'));
    } else if (kept?.completion && (resumable.joinsOnly || kept.isCancelled || !kept.completion.log.failed)) {
      trace(requestId, 'joins the stream', resumable.id.slice(0, 8), 'of', kept.completion.options.requestId);
      if (!kept.completion.log.ended) clearTimeout(kept.timer);
      kept.orphaned = false;
      return kept.completion;
    } else if (kept?.completion === null || resumable.joinsOnly) {
      trace(requestId, kept ? 'asks for an answer that was cancelled' : 'asks for an answer that is not known');
      // A cancelled answer may be that of another engine, which has yet to store what there is of it.
      const elsewhere = resumable.joinsOnly ? this.#elsewhereOf(asked) : null;
      if (elsewhere) void this.#joinElsewhere(asked, elsewhere);
      else asked.fail(notKept());
    } else {
      const { answerId } = resumable;
      const release = this.#elsewhereOf(asked)?.claim(answerId!);
      this.#keep(key, { site, completion: asked, characters: 0, orphaned: false, release });
      const created = Math.floor(Date.now() / 1000);
      asked.log.append({ type: 'begun', created, ...(answerId === undefined ? {} : { answerId }) });
    }
    return asked;
  }

  /**
   * Whether a request may still join the completion of this stream id.
   * @param site Root address of the site whose client asks, with a trailing slash.
   */
  knows(site: string, id: string): boolean {
    return this.#kept.get(keyOf(site, id))?.completion != null;
  }

  /** See {@link OrphanedCompletions.makeRoom}. */
  makeRoom<Result>(site: string, enter: () => Result): Result {
    return this.#orphans.makeRoom(site, enter);
  }

  /** Handles a subscriber that cancelled. Unsubscribe it first. */
  leave(completion: Completion): void {
    const { resumable } = completion.options;
    if (!resumable) completion.cancel();
    else if (isAbandoned(completion)) this.cancel(completion.site, resumable.id);
  }

  /** Handles a subscriber that disconnected without cancelling. Unsubscribe it first. */
  orphan(completion: Completion): void {
    const { options, site } = completion;
    const { resumable } = options;
    if (!resumable) return this.#orphans.add(completion);
    const kept = this.#kept.get(keyOf(site, resumable.id));
    if (!kept) return;
    kept.orphaned = true;
    setTimeout(() => (kept.orphaned = false), this.#limits.graceTime);
    if (!isAbandoned(completion)) return;
    this.#later(kept, this.#limits.returnTime, () => this.cancel(site, resumable.id));
  }

  /**
   * Handles a subscriber that stopped reading before the end, because its page is frozen. Unsubscribe it first. Such a page may
   * be closed without another word, so it has as much time to come back as after the end of its answer. Then the answer ends,
   * and what there is of it is kept as long again.
   */
  awaitReturn(completion: Completion): void {
    const { options, site } = completion;
    const { resumable } = options;
    const kept = resumable && this.#kept.get(keyOf(site, resumable.id));
    if (!kept || !isAbandoned(completion)) return;
    this.#later(kept, this.#limits.age, () => {
      completion.fail(notKept());
      kept.isCancelled = true;
      this.ended(completion);
    });
  }

  /**
   * Ends the completion of this stream id for all its subscribers. Later requests for it are rejected, or get the events
   * so far if the answer is stored.
   * @param site Root address of the site whose client sent the request, with a trailing slash.
   * @param how See {@link CancelledStream}. Default: for all subscribers, and to be stored.
   */
  cancel(site: string, id: string, { deleted = false, ifUnread = false }: Partial<CancelledStream> = {}): void {
    const key = keyOf(site, id);
    const kept = this.#kept.get(key);
    const completion = kept?.completion;
    if (ifUnread && completion?.log.hasListeners) return;
    const isStored = completion?.options.resumable?.answerId !== undefined && !deleted;
    // Clients that are still subscribed get an error. There may be some: other clients, or one whose disconnection
    // the service worker has not noticed.
    if (!completion?.log.ended) completion?.fail(isStored ? cancelled() : notKept());
    if (kept && completion && isStored) {
      // Until the database has the log, only this engine knows how the answer has ended.
      kept.isCancelled = true;
      kept.orphaned = false;
      return this.ended(completion);
    }
    if (!completion) this.#elsewhere?.cancel(site, id, { deleted, ifUnread });
    this.#keep(key, { site, completion: null, characters: 0, orphaned: false });
    this.#forgetInTime(key);
  }

  /** Handles the end of a completion with a stream id: keeps it for some time, and saves the log of a stored answer. */
  ended(completion: Completion): void {
    const { options, site, log } = completion;
    const key = options.resumable && keyOf(site, options.resumable.id);
    const kept = key === undefined ? undefined : this.#kept.get(key);
    // The end of a cancelled completion was handled when it was cancelled.
    if (key === undefined || kept?.completion?.log !== log || kept.characters > 0) return;
    kept.characters = log.characters;
    this.#save(completion, kept);
    this.#forgetInTime(key);
  }

  /**
   * Finds the completion that a repeated request for a stored answer may join. A repeated request has a new stream id,
   * so it is found by its fingerprint.
   */
  #repeated({ options, site }: Completion): Kept | undefined {
    const { resumable, fingerprint } = options;
    if (resumable?.answerId === undefined || resumable.joinsOnly) return undefined;
    return [...this.#kept.values()].find(
      (kept) => kept.orphaned && kept.site === site && kept.completion?.options.fingerprint === fingerprint,
    );
  }

  /** Null for an answer that is not stored, and for one of an embedded site, whose database no engine reads. */
  #elsewhereOf({ options, site }: Completion): AnswersElsewhere | null {
    return options.resumable?.answerId === undefined || isEmbedded(site) ? null : this.#elsewhere;
  }

  async #joinElsewhere(asked: Completion, elsewhere: AnswersElsewhere): Promise<void> {
    try {
      if (!(await elsewhere.join(asked))) asked.fail(notKept());
    } catch (thrown) {
      asked.fail(ApiError.from(thrown));
    }
  }

  #save({ options, log, site }: Completion, { release }: Kept): void {
    const answerId = options.resumable?.answerId;
    if (answerId === undefined) return;
    trace(options.requestId, 'stores the log of the answer', answerId.slice(0, 16));
    void this.#logs.save(answerId, log.events, site).then(release);
  }

  #keep(key: string, kept: Kept): void {
    this.#forget(key);
    this.#kept.set(key, kept);
  }

  #forgetInTime(key: string): void {
    const kept = this.#kept.get(key)!;
    this.#later(kept, this.#limits.age, () => this.#forget(key));
    const ended = [...this.#kept].filter(
      ([, { site, completion }]) => site === kept.site && (completion?.log.ended ?? true),
    );
    let characters = ended.reduce((sum, [, one]) => sum + one.characters, 0);
    let count = ended.length;
    for (const [oldest, one] of ended) {
      if (count <= this.#limits.count && characters <= this.#limits.characters) return;
      count--;
      characters -= one.characters;
      this.#forget(oldest);
    }
  }

  #later(kept: Kept, time: number, action: () => void): void {
    clearTimeout(kept.timer);
    kept.timer = setTimeout(action, time);
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key);
    clearTimeout(kept?.timer);
    kept?.release?.();
    this.#kept.delete(key);
  }
}

function notKept(): ApiError {
  return new ApiError('stream_not_found', 'This answer is not kept: it is too old, was cancelled, or was lost.');
}

function cancelled(): ApiError {
  return new ApiError('answer_cancelled', 'This answer was cancelled before its end.');
}

/** Whether a resumable completion is running without subscribers and must not outlive its page. */
function isAbandoned({ log, options }: Completion): boolean {
  return !log.ended && !log.hasListeners && options.resumable?.outlives !== 'page';
}

function keyOf(site: string, id: string): string {
  return `${id} ${site}`;
}
