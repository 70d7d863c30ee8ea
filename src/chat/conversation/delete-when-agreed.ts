import { askConfirmation } from '../common/ask.ts';
import type { Message } from '../types/conversation.ts';
import { conversationStrings } from '../strings/conversation.ts';
import type { ConversationController } from './conversation-controller.ts';

/** Asks whether a message is to be deleted with what follows it, and does it. */
export async function deleteWhenAgreed(chat: ConversationController, message: Message): Promise<void> {
  const agreed = await askConfirmation({
    heading: conversationStrings.deleteMessageTitle,
    words: conversationStrings.deleteMessageWords,
    action: conversationStrings.delete,
  });
  if (agreed) await chat.deleteMessage(message);
}
