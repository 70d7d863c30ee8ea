import { ApiError } from '../../shared/api-error.ts';
import type { CancelledStream } from '../../shared/engine/engine.ts';
import { ENGINE_ABANDONED_PREFIX, ENGINE_LOCK_PREFIX, siteLocks } from '../../shared/locks/site-locks.ts';
import type { AnswerRecords } from '../../shared/storage/stored-answer.ts';
import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { Completion } from './completion.ts';

/**
 * Prefix of the lock that an engine holds until the log of a stored answer is stored. The answer's id follows, and behind a
 * space the engine's own lock.
 */
const WRITING_PREFIX = 'tabserve-writing ';

/** Name of the BroadcastChannel on which the engines of a site ask each other to cancel answers. */
export const CANCELLED_ANSWERS_CHANNEL = 'tabserve-cancelled-answers';

/** See `JoinableCompletions.cancel`. */
export type CancelAnswer = (site: string, id: string, how: Omit<CancelledStream, 'streamId'>) => void;

/** Milliseconds between two looks whether another engine has ended an answer. */
const POLL_INTERVAL = 500;

/**
 * The stored answers that other engines of the site write. After an update there may be two engines for a while, and a service
 * worker is connected to one of them. Without this it would take the answers of the other one for lost.
 */
export class AnswersElsewhere {
  readonly #lockName: string;
  readonly #records: Pick<AnswerRecords, 'find' | 'log'>;
  readonly #channel: BroadcastChannel;

  /**
   * @param lockName The lock of this engine.
   * @param channel That of {@link CANCELLED_ANSWERS_CHANNEL}.
   */
  constructor(lockName: string, records: Pick<AnswerRecords, 'find' | 'log'>, channel: BroadcastChannel) {
    this.#lockName = lockName;
    this.#records = records;
    this.#channel = channel;
  }

  /** Asks the other engines to cancel an answer that is none of this engine. */
  readonly cancel: CancelAnswer = (...answer) => this.#channel.postMessage(answer);

  /** Calls `cancel` for each answer that another engine asks to cancel, whichever engine writes it. */
  onCancel(cancel: CancelAnswer): void {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Parameters<CancelAnswer>>) => cancel(...data));
  }

  /** Tells other engines that this one writes an answer. @returns a function to call when its log is stored. */
  claim(answerId: string): () => void {
    const stored = new AbortController();
    const untilStored = () =>
      new Promise<void>((end) => {
        if (stored.signal.aborted) end();
        else stored.signal.addEventListener('abort', () => end());
      });
    siteLocks()
      .request(`${WRITING_PREFIX}${answerId} ${this.#lockName}`, { signal: stored.signal }, untilStored)
      // Until its log is stored, another engine then takes the answer for lost.
      .catch((thrown: unknown) => trace(answerId.slice(0, 16), 'is not claimed', String(thrown)));
    return () => stored.abort();
  }

  /**
   * Gives the events of an answer that another engine writes to a completion that joins it: the first one at once, the others
   * from the database, at the end of the answer.
   * @returns whether another engine writes it, and nobody has deleted it meanwhile.
   * @throws ApiError if the database fails.
   */
  async join({ log, options: { resumable, fingerprint } }: Completion): Promise<boolean> {
    const { answerId } = resumable ?? {};
    if (answerId === undefined || !(await isWritten(answerId))) return false;
    const answer = await this.#records.find(answerId);
    if (answer?.stream.id !== resumable?.id || answer?.stream.fingerprint !== fingerprint) return false;
    const { created } = answer!;
    log.append({ type: 'begun', created, answerId });
    while (await isWritten(answerId)) {
      await sleep(POLL_INTERVAL);
      // Nothing else joins this completion: whoever wants the answer later asks for it anew.
      if (!log.hasListeners) return true;
    }
    const [first, ...others] = (await this.#records.log(answerId)) ?? [];
    if (first?.type === 'begun' && first.created === created) for (const event of others) log.append(event);
    else if (!(await this.#records.find(answerId))) return false;
    else log.append({ type: 'error', error: lost().toData() });
    return true;
  }
}

/** Whether an engine writes an answer. One that does not respond any more will never end it. */
async function isWritten(answerId: string): Promise<boolean> {
  const { held = [] } = await siteLocks().query();
  const names = new Set(held.map(({ name }) => name));
  const start = `${WRITING_PREFIX}${answerId} `;
  return [...names].some((name) => {
    const engine = name?.startsWith(start) && name.slice(start.length);
    return engine && !names.has(engine.replace(ENGINE_LOCK_PREFIX, ENGINE_ABANDONED_PREFIX));
  });
}

function lost(): ApiError {
  return new ApiError('answer_lost', 'This answer was lost: its engine ended before it had stored the answer.');
}
