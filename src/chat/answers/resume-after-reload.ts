import { siteLocks } from '../../shared/locks/site-locks.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { answerLockName, type Answer, type AnswerStream } from '../types/conversation.ts';

/**
 * Resumes answers whose tab was reloaded or closed while it generated them. That tab held a Web Lock for each answer;
 * this tab resumes an answer once it is granted the lock. An answer stored without a stream becomes `interrupted`.
 * @param answers Answers with the state `running` that this tab does not generate.
 * @param resume Called with the lock held, until the returned promise settles. The stream is null if the answer has none and
 * could not be stored as `interrupted`.
 * @returns A function that stops waiting for the locks.
 */
export function resumeAfterReload(
  answers: readonly Answer[],
  store: ConversationStore,
  resume: (answer: Answer, stream: AnswerStream | null) => Promise<void>,
): () => void {
  const waiting = new AbortController();
  for (const { id, conversation } of answers) {
    siteLocks()
      .request(answerLockName(id), { signal: waiting.signal }, async () => {
        const stored = (await store.messages(conversation)).find((message) => message.id === id);
        if (stored?.role !== 'assistant' || stored.state !== 'running') return;
        const { stream } = stored;
        if (stream !== undefined) return resume(stored, stream);
        await store.write(conversation, [{ ...stored, state: 'interrupted' }]).catch(() => resume(stored, null));
      })
      .catch((error: unknown) => {
        if (!waiting.signal.aborted) console.error(error);
      });
  }
  return () => waiting.abort();
}
