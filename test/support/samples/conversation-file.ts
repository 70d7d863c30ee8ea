import type { Presets } from '../../../src/chat/storage/presets.ts';
import type { WholeConversation } from '../../../src/chat/types/whole-conversation.ts';

/**
 * Returns an export of chats as the page writes it, but at once, and with the consents to tools that the chats have.
 * @param presets Included in a full export. Default: none.
 */
export function conversationFile(conversations: readonly WholeConversation[], presets?: Presets): string {
  return JSON.stringify({ format: 'tabserve-conversations', version: 1, conversations, presets }, null, 2);
}
