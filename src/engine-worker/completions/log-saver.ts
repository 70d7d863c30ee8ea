import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';

/**
 * Stores the events of an answer.
 * @param site Root address of the site whose client asked, with a trailing slash.
 * @throws any error if they cannot be stored at this moment.
 */
export type SaveLog = (answerId: string, log: readonly CompletionEvent[], site: string) => Promise<void>;

/** Milliseconds after which an attempt has failed. After the site's data were cleared, a transaction may never end. */
const LIMIT = 30_000;

/** Milliseconds before the second attempt, doubled for each further one up to the limit. */
const DELAY = { first: 1000, longest: 30_000 } as const;

/** Milliseconds after which no further attempt is made: as long as an ended answer is kept in memory. */
const PATIENCE = 300_000;

/**
 * Stores the logs of ended answers. A database may fail for a while, as on a full disk, and nothing else has the log: without
 * further attempts the answer would be lost with its engine.
 */
export class LogSaver {
  readonly #save: SaveLog;
  /** The logs that are not stored yet. The next attempt at an answer that has failed has the same id, and a log of its own. */
  readonly #latest = new Map<string, readonly CompletionEvent[]>();

  constructor(save: SaveLog) {
    this.#save = save;
  }

  /** Whether a log is not stored yet and would be lost with the engine. */
  get isSaving(): boolean {
    return this.#latest.size > 0;
  }

  /** Stores a log, again and again if that fails, until there is a later one of this answer. Never rejects. */
  async save(...[answerId, log, site]: Parameters<SaveLog>): Promise<void> {
    const key = `${answerId} ${site}`;
    const isLatest = () => this.#latest.get(key) === log;
    this.#latest.set(key, log);
    for (let waited = 0, delay: number = DELAY.first; isLatest(); delay = Math.min(2 * delay, DELAY.longest)) {
      try {
        const saved = this.#save(answerId, log, site).then(() => true);
        if (await withTimeout(LIMIT, saved, false)) break;
        waited += LIMIT;
        trace(answerId.slice(0, 16), 'is not stored: the database does not answer');
      } catch (thrown) {
        trace(answerId.slice(0, 16), 'is not stored', String(thrown));
      }
      if (waited >= PATIENCE) break;
      await sleep(delay);
      waited += delay;
    }
    if (isLatest()) this.#latest.delete(key);
  }
}
