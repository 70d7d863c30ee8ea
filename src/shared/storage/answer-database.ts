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
  add: ({ stream, request, detail, ...summary }) =>
    write(async (step) => {
      await step.objectStore('requests').put({ stream, request, detail }, summary.id);
      await step.objectStore('summaries').put({ ...summary, added: Date.now() });
      await prune(step);
    }),

  find: (id) =>
    connection.use(async (database) => {
      const step = database.transaction(['summaries', 'requests']);
      const [summary, request] = await Promise.all([
        step.objectStore('summaries').get(id),
        step.objectStore('requests').get(id),
      ]);
      return summary && request && { ...summary, ...request };
    }),

  list: async () => newestFirst(await connection.use((database) => database.getAll('summaries'))),

  setMetadata: (id, metadata) =>
    write(async (step) => {
      const summary = await step.objectStore('summaries').get(id);
      if (summary) await step.objectStore('summaries').put({ ...summary, metadata });
    }),

  delete: (id) => write((step) => remove(step, id)),

  deleteAll: () =>
    write(async (step) => void (await Promise.all(STORES.map((name) => step.objectStore(name).clear())))),

  addLog: (id, events) =>
    write(async (step) => {
      const summary = await step.objectStore('summaries').get(id);
      const [first] = events;
      const isDeleted = !summary && first?.type === 'begun' && first.created * 1000 < Date.now() - SUMMARY_DELAY;
      if (!isDeleted) await step.objectStore('logs').put({ ended: Date.now(), events }, id);
      if (summary) {
        const characters = summary.characters + JSON.stringify(events).length;
        await step.objectStore('summaries').put({ ...summary, characters });
      }
      await prune(step);
    }),

  log: async (id) => (await connection.use((database) => database.get('logs', id)))?.events,
};

/** Evicts answers that are too old, if any are stored. Storing evicts them too, but a site may never store another answer. */
export async function evictOldAnswers(): Promise<void> {
  const databases = await indexedDB.databases?.().catch(() => null);
  if (databases?.some(({ name }) => name === ANSWER_DATABASE) ?? true) await write(prune);
}

type Writing = IDBPTransaction<AnswerSchema, typeof STORES, 'readwrite'>;

/** Runs the steps of a transaction. Resolves when it is committed. */
function write(run: (step: Writing) => Promise<void>): Promise<void> {
  return connection.use(async (database) => {
    const step = database.transaction(STORES, 'readwrite');
    await Promise.all([run(step), step.done]);
  });
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
