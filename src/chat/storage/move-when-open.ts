import { ApiError } from '../../shared/api-error.ts';
import type { DatabaseConnection } from '../../shared/storage/database-connection.ts';
import { sleep } from '../../shared/timeout.ts';
import { areStored, withNewIds, type WholeConversation } from '../types/whole-conversation.ts';
import type { ChatDatabase } from './chat-database.ts';

/** Milliseconds after a failure before the next attempt. A failed database is not opened sooner. */
const RETRY_DELAY = 10_000;

/**
 * Copies the chats in memory to the database as soon as that opens. If it does not open, or has no room for them, this is
 * tried again, for as long as the page exists.
 * @param move Called with each attempt to copy them. Rejects if that fails.
 */
export async function moveWhenOpen(
  memory: ChatDatabase,
  connection: DatabaseConnection<ChatDatabase>,
  move: (copying: Promise<void>) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      // One that is slow to open may open late.
      const database = await (connection.opening ?? connection.open());
      return await move(copyChats(memory, database));
    } catch (error) {
      // One that does not open is told in the page, and is no news each time.
      if (!(error instanceof ApiError)) console.info('The chats are still in memory only.', error);
    }
    await sleep(RETRY_DELAY);
  }
}

/** Overwrites nothing: a chat that was imported into memory may be on the device, and may have been continued there. */
async function copyChats(memory: ChatDatabase, database: ChatDatabase): Promise<void> {
  // Writes to memory take only microtasks, so all pending ones are done after one task.
  await sleep(0);
  const [conversations, messages] = [await memory.getAll('conversations'), await memory.getAll('messages')];
  const copies = await Promise.all(
    conversations.map(async (conversation): Promise<WholeConversation | null> => {
      const { id, updated } = conversation;
      const whole = { conversation, messages: messages.filter((message) => message.conversation === id) };
      const present = await database.get('conversations', id);
      if (present === undefined) return whole;
      const stored = await database.getAllFromIndex('messages', 'conversation', id);
      return present.updated === updated && areStored(whole.messages, stored) ? null : withNewIds(whole);
    }),
  );
  const transaction = database.transaction(['conversations', 'messages'], 'readwrite');
  const written = copies
    .flatMap((copy) => copy ?? [])
    .flatMap((copy) => [
      transaction.objectStore('conversations').put(copy.conversation),
      ...copy.messages.map((message) => transaction.objectStore('messages').put(message)),
    ]);
  await Promise.all([...written, transaction.done]);
}
