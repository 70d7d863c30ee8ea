import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation, ConversationSettings } from '../types/conversation.ts';
import { newChatSettings } from '../storage/local-values.ts';

/** What was changed of them, in the chat of each store that has no question yet. */
const changed = new WeakMap<ConversationStore, ConversationSettings>();

/**
 * The settings of the chat that has no question yet. Another screen may be looked at before it gets its first one.
 * @param anew True where that chat is another one by now.
 */
export function newSettings(store: ConversationStore, anew: boolean): ConversationSettings {
  if (anew) changed.delete(store);
  return changed.get(store) ?? newChatSettings();
}

/** Changes them. */
export function changeNewSettings(store: ConversationStore, settings: ConversationSettings): ConversationSettings {
  changed.set(store, settings);
  return settings;
}

/** The conversation that begins with them, and has its first question now: the next one begins without. */
export function newConversation(store: ConversationStore, title: string, settings: ConversationSettings): Conversation {
  changed.delete(store);
  const now = Date.now();
  return { id: crypto.randomUUID(), title, pinned: false, created: now, updated: now, leaf: null, settings };
}
