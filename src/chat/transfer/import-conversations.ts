import type { ConversationStore } from '../storage/conversation-store.ts';
import { readConversationFile, type WholeConversation } from './conversation-file.ts';

export interface ImportOutcome {
  readonly added: number;
  /** Conversations that were here already, unchanged. */
  readonly skipped: number;
}

/**
 * Adds the conversations of an exported file. Nothing on this device is overwritten: a conversation that is
 * here in another version is added beside it.
 * @throws Error see {@link readConversationFile}; then nothing was added.
 */
export async function importConversations(text: string, store: ConversationStore): Promise<ImportOutcome> {
  let added = 0;
  let skipped = 0;
  for (const whole of readConversationFile(text)) {
    const present = await store.conversation(whole.conversation.id);
    if (present?.updated === whole.conversation.updated) {
      skipped += 1;
      continue;
    }
    const { conversation, messages } = present === undefined ? whole : withNewIds(whole);
    await store.add(conversation, messages);
    added += 1;
  }
  return { added, skipped };
}

/** The same conversation under ids of its own. */
export function withNewIds({ conversation, messages }: WholeConversation): WholeConversation {
  const ids = new Map([conversation, ...messages].map(({ id }) => [id, crypto.randomUUID() as string]));
  const renew = (id: string | null): string | null => (id === null ? null : (ids.get(id) ?? null));
  const conversationId = ids.get(conversation.id) ?? conversation.id;
  return {
    conversation: { ...conversation, id: conversationId, leaf: renew(conversation.leaf) },
    messages: messages.map((message) => ({
      ...message,
      id: ids.get(message.id) ?? message.id,
      parent: renew(message.parent),
      conversation: conversationId,
    })),
  };
}
