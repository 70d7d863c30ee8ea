import type { ConversationStore } from '../storage/conversation-store.ts';
import { listStrings } from '../strings/list-strings.ts';
import type { Conversation } from '../types/conversation.ts';
import { askText } from './ask-in-dialog.ts';

/** Asks for a new title and stores it. If the user enters an empty title, nothing changes. */
export async function renameConversation({ id, title }: Conversation, store: ConversationStore): Promise<void> {
  const chosen = await askText({
    heading: listStrings.rename,
    label: listStrings.renameLabel,
    value: title,
    action: listStrings.rename,
  });
  if (chosen !== null && chosen.trim() !== '') await store.update(id, { title: chosen.trim() });
}
