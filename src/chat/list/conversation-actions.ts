import { renameConversation } from '../common/rename-conversation.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation } from '../types/conversation.ts';
import { exportJson, exportMarkdown } from '../transfer/export-conversations.ts';
import type { ConversationAction } from './conversation-item.ts';

/** Does what was chosen from the menu of a chat. */
export async function actOn(
  conversation: Conversation,
  action: Exclude<ConversationAction, 'delete'>,
  store: ConversationStore,
): Promise<void> {
  switch (action) {
    case 'rename':
      return renameConversation(conversation, store);
    case 'pin':
      return store.update(conversation.id, { pinned: !conversation.pinned });
    case 'exportJson':
      return exportJson(conversation, store);
    case 'exportMarkdown':
      return exportMarkdown(conversation, store);
    case 'print':
      return print();
  }
}
