import type { ConversationSettings } from '../types/conversation.ts';

/** Settings that another screen has chosen for the new chat that is opened next. The chat takes them. */
export const nextChat: { documents: ConversationSettings['documents'] } = { documents: undefined };
