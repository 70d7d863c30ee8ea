import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Message } from '../types/conversation.ts';
import { areStored, contentOf, withNewIds, type WholeConversation } from '../types/whole-conversation.ts';

/**
 * Adds a chat of a file. Overwrites no message: if the chat is here already, only those that are missing here are added.
 * If its ids belong to other contents, it becomes a chat of its own, with new ids.
 * @returns `present` if all of it was here; `completed` if messages were added to the chat that was here.
 */
export async function addConversation(
  whole: WholeConversation,
  store: ConversationStore,
): Promise<'added' | 'present' | 'completed'> {
  const { conversation, messages } = whole;
  const { id, updated } = conversation;
  const present = await store.conversation(id);
  if (present === undefined) return addWhole(whole, store);
  const stored = await store.messages(id);
  const isUnchanged = present.updated === updated;
  if (isUnchanged && areStored(messages, stored)) return 'present';
  const twins = twinsOf(messages, stored);
  const isSame = twins !== null && (twins.size > 0 || (isUnchanged && stored.length === 0));
  if (!isSame) return addWhole(whole, store);
  const here = new Set(twins.values());
  const renamed = withNewIds(whole, id, twins);
  const missing = renamed.messages.filter((message) => !here.has(message.id));
  if (missing.length === 0) return 'present';
  const { leaf } = renamed.conversation;
  // The end of the file's chat is shown, unless the chat was continued here since.
  await store.write(id, missing, updated >= present.updated && leaf !== null ? { leaf, updated } : {});
  return 'completed';
}

/**
 * Finds the stored messages that are those of a file. An answer that was stored while it grew is the beginning of its twin.
 * @returns Their ids by the ids of the file; null if an id belongs to another message, so that the chats are not the same.
 */
function twinsOf(messages: readonly Message[], stored: readonly Message[]): ReadonlyMap<string, string> | null {
  const byId = new Map(stored.map((message) => [message.id, message]));
  const byContent = new Map(stored.map((message) => [contentOf(message), message.id]));
  const twins = new Map<string, string>();
  for (const message of messages) {
    const same = byId.get(message.id);
    if (same !== undefined && !(same.role === message.role && same.text.startsWith(message.text))) return null;
    const twin = same?.id ?? byContent.get(contentOf(message));
    if (twin !== undefined) twins.set(message.id, twin);
  }
  return twins;
}

/** Adds a chat under its ids, or under new ones where those are taken. */
async function addWhole(whole: WholeConversation, store: ConversationStore): Promise<'added'> {
  const { id } = whole.conversation;
  // Chats of one product share messages after a branch. Such a chat keeps its own id, by which the next import finds it.
  for (const named of [whole, withNewIds(whole, id)]) {
    try {
      await store.add(named.conversation, named.messages);
      return 'added';
    } catch (thrown) {
      if (!(thrown instanceof DOMException && thrown.name === 'ConstraintError')) throw thrown;
    }
  }
  const { conversation, messages } = withNewIds(whole);
  await store.add(conversation, messages);
  return 'added';
}
