import type { ConversationStore } from '../storage/conversation-store.ts';
import { readConversationFile, type WholeConversation } from './conversation-file.ts';

export interface ImportOutcome {
  readonly added: number;
  /** Conversations that were here already, unchanged. */
  readonly skipped: number;
}

/**
 * Adds the conversations of an exported file. Nothing on this device is overwritten: what meets the id of a
 * conversation or a message that is here is added beside it, under ids of its own.
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
    await add(whole, store).catch((thrown: unknown) => {
      if (!(thrown instanceof DOMException && thrown.name === 'ConstraintError')) throw thrown;
      return add(withNewIds(whole), store);
    });
    added += 1;
  }
  return { added, skipped };
}

function add({ conversation, messages }: WholeConversation, store: ConversationStore): Promise<void> {
  return store.add(conversation, messages);
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
