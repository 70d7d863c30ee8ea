import type { StoredMessage } from '../types/conversation.ts';
import type { ChatDatabase } from './database.ts';

/** Messages that are read at once: to make objects of them takes some milliseconds. */
const AT_ONCE = 250;

/**
 * Every message of the database, in pieces: read in one go, ten thousand of them would keep the page
 * from doing anything else. What is written meanwhile may be among them or not.
 */
export async function* allMessages(database: ChatDatabase): AsyncGenerator<readonly StoredMessage[], undefined> {
  let after: IDBKeyRange | null = null;
  for (;;) {
    const messages: readonly StoredMessage[] = await database.getAll('messages', after, AT_ONCE);
    yield messages;
    const last = messages.at(-1);
    if (last === undefined || messages.length < AT_ONCE) return;
    after = IDBKeyRange.lowerBound(last.id, true);
  }
}
