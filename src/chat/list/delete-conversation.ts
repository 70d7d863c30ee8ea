import '../common/timed-notice.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation, Message } from '../storage/conversation.ts';
import { readDraft, writeDraft } from '../storage/local-values.ts';

/**
 * Deletes a conversation from the device, at once: what could bring it back is in the memory of this page alone, and gone
 * with it.
 * @returns What brings it back as it was; an answer that was being written has then been stopped.
 */
export async function deleteConversation(
  { id }: Conversation,
  store: ConversationStore,
  answers: AnswerRunner,
): Promise<() => Promise<void>> {
  answers.stopConversation(id);
  const [conversation, messages] = await Promise.all([store.conversation(id), store.messages(id)]);
  const draft = readDraft(id);
  await store.delete(id);
  writeDraft(id, '');
  return async () => {
    if (conversation === undefined) return;
    await store.add(conversation, messages.map(stopped));
    writeDraft(id, draft);
  };
}

function stopped(message: Message): Message {
  return message.role === 'assistant' && message.state === 'running'
    ? { ...message, state: 'stopped', stream: undefined }
    : message;
}
