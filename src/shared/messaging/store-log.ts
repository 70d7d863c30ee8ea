import type { EngineReplyMessage, EngineRequestMessage } from './messages.ts';
import { trace } from '../trace/trace.ts';
import { STORED_ANSWERS } from '../storage/answer-database.ts';

type StoreLog = Extract<EngineReplyMessage, { type: 'store-log' }>;
type LogStored = Extract<EngineRequestMessage, { type: 'log-stored' }>;

/**
 * Stores the log of an answer that the engine of a hub has sent to its site, and tells the engine. Never rejects: if the
 * database fails, the engine keeps the log and sends it again: a few times to this context, and to each one that connects.
 */
export async function storeLog({ answerId, events }: StoreLog, reply: (message: LogStored) => void): Promise<void> {
  try {
    await STORED_ANSWERS.addLog(answerId, events);
    reply({ type: 'log-stored', answerId });
  } catch (thrown) {
    trace(answerId, 'is not stored', String(thrown));
  }
}
