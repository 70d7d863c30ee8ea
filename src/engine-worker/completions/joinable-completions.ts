import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { Completion } from './completion.ts';
import { OrphanedCompletions } from './orphaned-completions.ts';

/** Times in milliseconds. */
export interface JoinableLimits {
  /** How long a completion without a stream id outlives a subscriber that died. */
  readonly graceTime: number;
  /** How long one with a stream id does, unless it outlives its page. */
  readonly returnTime: number;
  /** How long one with a stream id is kept after its end. */
  readonly age: number;
  /** How many of those are kept for one site. */
  readonly count: number;
  /** Size of all of those of one site together, as their events would be written in JSON. */
  readonly characters: number;
}

const DEFAULT_LIMITS: JoinableLimits = {
  graceTime: 2000,
  returnTime: 15_000,
  age: 300_000,
  count: 32,
  characters: 4_000_000,
};

/** Stores what was said of an answer. It never rejects. */
export type SaveLog = (answerId: string, log: readonly CompletionEvent[]) => Promise<void>;

/** What is known of one stream id. */
interface Kept {
  readonly site: string;
  /** Null where the id was cancelled, even before it came: nothing is begun under it any more. */
  readonly completion: Completion | null;
  /** Size of the log; 0 while it grows. */
  characters: number;
  /** True for a moment after its subscriber died, in which the repetition of its request may join it. */
  orphaned: boolean;
  /** Ends what nobody came back for, or forgets what has ended. */
  timer?: ReturnType<typeof setTimeout>;
}

/**
 * Completions that others than the first subscriber can join, from the first event on: whoever of the same site asks the
 * same under the same stream id, while it runs and for a time after its end; without a stream id, only the repetition of a
 * request whose subscriber died. What outlives its page goes on without any subscriber. The log of an answer that is
 * stored is handed on at its end, since the service worker and the tab that asked may be gone by then.
 */
export class JoinableCompletions {
  readonly #limits: JoinableLimits;
  readonly #orphans: OrphanedCompletions;
  /** By stream id and site, in the order in which they came. */
  readonly #kept = new Map<string, Kept>();
  readonly #saveLog: SaveLog;

  constructor(limits: Partial<JoinableLimits> = {}, saveLog: SaveLog = async () => {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#saveLog = saveLog;
    this.#orphans = new OrphanedCompletions(this.#limits.graceTime);
  }

  /**
   * The completion that is meant by `asked`: one that was begun earlier, or itself. Where neither can be, it has failed
   * when this returns.
   */
  join(asked: Completion): Completion {
    const { options, site } = asked;
    const { resumable, requestId, fingerprint } = options;
    if (!resumable) return this.#orphans.take(fingerprint) ?? asked;
    const key = keyOf(site, resumable.id);
    const kept = this.#kept.get(key) ?? this.#repeated(asked);
    if (kept?.completion && kept.completion.options.fingerprint !== fingerprint) {
      asked.fail(new ApiError('invalid_value', 'This stream id was given to another request. Choose a new one.'));
    } else if (kept?.completion && (resumable.joinsOnly || !kept.completion.log.failed)) {
      trace(requestId, 'joins the stream', resumable.id.slice(0, 8), 'of', kept.completion.options.requestId);
      if (!kept.completion.log.ended) clearTimeout(kept.timer);
      kept.orphaned = false;
      return kept.completion;
    } else if (kept?.completion === null || resumable.joinsOnly) {
      trace(requestId, kept ? 'asks for an answer that was cancelled' : 'asks for an answer that is not known');
      asked.fail(notKept());
    } else {
      this.#keep(key, { site, completion: asked, characters: 0, orphaned: false });
      const { answerId } = resumable;
      const created = Math.floor(Date.now() / 1000);
      asked.log.append({ type: 'begun', created, ...(answerId === undefined ? {} : { answerId }) });
    }
    return asked;
  }

  /** Its subscriber, which has been unsubscribed, does not want the completion any more. */
  leave(completion: Completion): void {
    const { resumable } = completion.options;
    if (!resumable) completion.cancel();
    else if (isAbandoned(completion)) this.cancel(completion.site, resumable.id);
  }

  /** Its subscriber, which has been unsubscribed, has died without a word. */
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
   * Ends the completion of this stream id, whoever is subscribed. One that is still on its way here will not be begun.
   * @param site Root of the site that asked for it, with a trailing slash.
   * @param deleted Whether what was said until now is not to be stored either. Default: false.
   */
  cancel(site: string, id: string, deleted = false): void {
    const key = keyOf(site, id);
    const completion = this.#kept.get(key)?.completion;
    if (completion && !completion.log.ended) {
      const isStored = completion.options.resumable?.answerId !== undefined && !deleted;
      // Told, since others than who cancels may be subscribed, or a service worker that cannot know that its client has left.
      completion.fail(isStored ? cancelled() : notKept());
      if (isStored) this.#save(completion);
    }
    this.#keep(key, { site, completion: null, characters: 0, orphaned: false });
    this.#forgetInTime(key);
  }

  /** The completion is over: from now on it is only kept. */
  ended(completion: Completion): void {
    const { options, site, log } = completion;
    const key = options.resumable && keyOf(site, options.resumable.id);
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (key === undefined || kept?.completion?.log !== log) return;
    kept.characters = log.characters;
    this.#save(completion);
    this.#forgetInTime(key);
  }

  /** What a request that is to be stored, and gets a new id each time it is sent, left behind when its subscriber died. */
  #repeated({ options, site }: Completion): Kept | undefined {
    const { resumable, fingerprint } = options;
    if (resumable?.answerId === undefined || resumable.joinsOnly) return undefined;
    return [...this.#kept.values()].find(
      (kept) => kept.orphaned && kept.site === site && kept.completion?.options.fingerprint === fingerprint,
    );
  }

  #save({ options, log }: Completion): void {
    const answerId = options.resumable?.answerId;
    if (answerId === undefined) return;
    trace(options.requestId, 'stores the log of the answer', answerId.slice(0, 16));
    void this.#saveLog(answerId, log.events);
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
    clearTimeout(this.#kept.get(key)?.timer);
    this.#kept.delete(key);
  }
}

function notKept(): ApiError {
  return new ApiError('stream_not_found', 'This answer is not kept: it is too old, was cancelled, or was lost.');
}

function cancelled(): ApiError {
  return new ApiError('answer_cancelled', 'This answer was cancelled before its end.');
}

/** Whether a resumable completion runs for nobody. */
function isAbandoned({ log, options }: Completion): boolean {
  return !log.ended && !log.hasListeners && options.resumable?.outlives !== 'page';
}

function keyOf(site: string, id: string): string {
  return `${id} ${site}`;
}
