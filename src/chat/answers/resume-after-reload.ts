import { siteLocks } from '../../shared/locks/site-locks.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { answerLockName, type Answer, type AnswerStream } from '../types/conversation.ts';

/**
 * Resumes answers whose tab was reloaded or closed while it wrote them. The tab that writes an answer holds its lock, so this
 * tab resumes an answer once it is granted that lock. An answer without a stream cannot be resumed and becomes `interrupted`.
 * @param answers Answers with the state `running` that this tab does not write.
 * @param resume Called with the lock held, until the returned promise settles.
 * @returns A function that stops waiting for the locks.
 */
export function resumeAfterReload(
  answers: readonly Answer[],
  store: ConversationStore,
  resume: (answer: Answer, stream: AnswerStream) => Promise<void>,
): () => void {
  const waiting = new AbortController();
  for (const { id, conversation } of answers) {
    siteLocks()
      .request(answerLockName(id), { signal: waiting.signal }, async () => {
        const stored = (await store.messages(conversation)).find((message) => message.id === id);
        if (stored?.role !== 'assistant' || stored.state !== 'running') return;
        const { stream } = stored;
        if (stream === undefined) await store.write(conversation, [{ ...stored, state: 'interrupted' }]);
        else await resume(stored, stream);
      })
      .catch((error: unknown) => {
        if (!waiting.signal.aborted) console.error(error);
      });
  }
  return () => waiting.abort();
}
