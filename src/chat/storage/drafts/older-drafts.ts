import type { QueuedQuestion, StoredQuestion, StoredText } from './draft-database.ts';

// Builds until November 2026 kept drafts and queues in local storage, under these prefixes followed by the id of the
// conversation or question; `new` for a new chat. They also noted there which chats have files.
const TEXT = 'tabserve-draft-';
const QUEUE = 'tabserve-queue-';
const FILES = 'tabserve-files-';

/** Whether a key of local storage holds a draft, a queue or a note of files. */
export function isOlderEntry(key: string): boolean {
  return [TEXT, QUEUE, FILES].some((prefix) => key.startsWith(prefix));
}

/**
 * Reads the drafts and queues in local storage as the database stores them. Invalid queues are left out.
 * @param tab Id of the tab that is to have written the texts.
 */
export function olderEntries(
  storage: Readonly<Record<string, unknown>>,
  tab: string,
): {
  readonly texts: readonly StoredText[];
  readonly questions: readonly StoredQuestion[];
} {
  const entries = Object.entries(storage).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const under = (prefix: string) =>
    entries.flatMap(([key, value]) => (key.startsWith(prefix) ? [{ id: key.slice(prefix.length), value }] : []));
  return {
    texts: under(TEXT).map(({ id, value }) => ({
      owner: id === 'new' ? tab : id,
      tab,
      text: value,
      changed: Date.now(),
    })),
    questions: under(QUEUE).flatMap(({ id, value }) =>
      queueOf(value).map((question, index) => ({ ...question, conversation: id, added: index })),
    ),
  };
}

function queueOf(stored: string): readonly QueuedQuestion[] {
  try {
    const queue: unknown = JSON.parse(stored);
    return Array.isArray(queue) ? queue : [];
  } catch {
    // An invalid entry must not keep the others from being carried over.
    return [];
  }
}
