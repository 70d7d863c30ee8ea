import { renameConversation } from '../common/rename-conversation.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation } from '../types/conversation.ts';
import { exportJson, exportMarkdown, type AnswersInMemory } from '../transfer/export-conversations.ts';
import type { ConversationAction } from './conversation-item.ts';

/** Does what was chosen from the menu of a chat. */
export async function actOn(
  conversation: Conversation,
  action: Exclude<ConversationAction, 'delete'>,
  store: ConversationStore,
  answers: AnswersInMemory,
): Promise<void> {
  switch (action) {
    case 'rename':
      return renameConversation(conversation, store);
    case 'pin':
      return store.update(conversation.id, { pinned: !conversation.pinned });
    case 'exportJson':
      return exportJson(conversation, store, answers);
    case 'exportMarkdown':
      return exportMarkdown(conversation, store, answers);
    case 'print':
      return print();
  }
}
