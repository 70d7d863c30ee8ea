import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import type { CompletionEvent } from '../engine/completion-event.ts';
import { closeWhenBlocking, DatabaseConnection } from './database-connection.ts';
import type { AnswerRecords, AnswerSummary, StoredAnswer } from './stored-answer.ts';
import { answersToEvict } from './answers-to-evict.ts';

export const ANSWER_DATABASE = 'tabserve-answers';

/** `added` is in milliseconds since 1970 and orders answers that were created in the same second. */
type StoredSummary = AnswerSummary & { readonly added: number };

type StoredRequest = Omit<StoredAnswer, keyof AnswerSummary>;

interface StoredLog {
  /** Milliseconds since 1970. */
  readonly ended: number;
  readonly events: readonly CompletionEvent[];
}

interface AnswerSchema extends DBSchema {
  /** A store of its own, so that listing and eviction need not read requests and logs. */
  summaries: { key: string; value: StoredSummary };
  requests: { key: string; value: StoredRequest };
  logs: { key: string; value: StoredLog };
}

const STORES = ['summaries', 'requests', 'logs'] as const;

/**
 * Milliseconds after which a log without a summary is deleted, because its answer must have been deleted. The summary
 * of a newer log may still follow: the engine writes the log, and the service worker the summary.
 */
const SUMMARY_DELAY = 10_000;

/**
 * Stored answers have their own database. If their stores were added to the site's database, its version would rise,
 * and pages of older builds could no longer open it: they would have neither keys nor models.
 */
const connection = new DatabaseConnection<IDBPDatabase<AnswerSchema>>((closed) =>
  openDB<AnswerSchema>(ANSWER_DATABASE, 1, {
    upgrade(database) {
      database.createObjectStore('summaries', { keyPath: 'id' });
      database.createObjectStore('requests');
      database.createObjectStore('logs');
    },
    ...closeWhenBlocking(closed),
  }),
);

export const STORED_ANSWERS: AnswerRecords = {
  async add({ stream, request, detail, ...summary }) {
    const step = await write();
    await step.objectStore('requests').put({ stream, request, detail }, summary.id);
    await step.objectStore('summaries').put({ ...summary, added: Date.now() });
    await prune(step);
    await step.done;
  },

  async find(id) {
    const step = (await connection.open()).transaction(['summaries', 'requests']);
    const [summary, request] = await Promise.all([
      step.objectStore('summaries').get(id),
      step.objectStore('requests').get(id),
    ]);
    return summary && request && { ...summary, ...request };
  },

  async list() {
    return newestFirst(await (await connection.open()).getAll('summaries'));
  },

  async setMetadata(id, metadata) {
    const summaries = (await connection.open()).transaction('summaries', 'readwrite');
    const summary = await summaries.store.get(id);
    if (summary) await summaries.store.put({ ...summary, metadata });
    await summaries.done;
  },

  async delete(id) {
    const step = await write();
    await remove(step, id);
    await step.done;
  },

  async deleteAll() {
    const step = await write();
    await Promise.all(STORES.map((name) => step.objectStore(name).clear()));
    await step.done;
  },

  async addLog(id, events) {
    const step = await write();
    const summary = await step.objectStore('summaries').get(id);
    const [first] = events;
    const isDeleted = !summary && first?.type === 'begun' && first.created * 1000 < Date.now() - SUMMARY_DELAY;
    if (!isDeleted) await step.objectStore('logs').put({ ended: Date.now(), events }, id);
    if (summary) {
      const characters = summary.characters + JSON.stringify(events).length;
      await step.objectStore('summaries').put({ ...summary, characters });
    }
    await prune(step);
    await step.done;
  },

  async log(id) {
    return (await (await connection.open()).get('logs', id))?.events;
  },
};

type Writing = IDBPTransaction<AnswerSchema, typeof STORES, 'readwrite'>;

async function write(): Promise<Writing> {
  return (await connection.open()).transaction(STORES, 'readwrite');
}

async function remove(step: Writing, id: string): Promise<void> {
  await Promise.all(STORES.map((name) => step.objectStore(name).delete(id)));
}

/** Evicts old answers, and deletes the logs of deleted answers. */
async function prune(step: Writing): Promise<void> {
  const summaries = newestFirst(await step.objectStore('summaries').getAll());
  const known = new Set(summaries.map(({ id }) => id));
  for (const id of answersToEvict(summaries, Date.now() / 1000)) await remove(step, id);
  for (const id of await step.objectStore('logs').getAllKeys()) {
    if (known.has(id)) continue;
    const log = await step.objectStore('logs').get(id);
    if (log && log.ended < Date.now() - SUMMARY_DELAY) await remove(step, id);
  }
}

function newestFirst(summaries: readonly StoredSummary[]): StoredSummary[] {
  return summaries.toSorted((one, other) => other.added - one.added);
}
