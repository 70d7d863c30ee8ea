import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Message } from '../types/conversation.ts';
import { areStored, contentOf, withNewIds, type WholeConversation } from '../types/whole-conversation.ts';
import { stableId } from './stable-id.ts';

/**
 * Adds a chat of a file. Overwrites no message: if the chat is here already, only those that are missing here are added.
 * If its ids belong to other contents, it becomes a chat of its own, with new ids, by which the next import finds it.
 * @param isCopy Whether it has such ids. Default: it has those of the file.
 * @returns `present` if all of it was here; `completed` if messages were added to the chat that was here.
 */
export async function addConversation(
  whole: WholeConversation,
  store: ConversationStore,
  isCopy = false,
): Promise<'added' | 'present' | 'completed'> {
  const { conversation, messages } = whole;
  const { id, updated } = conversation;
  let present = await store.conversation(id);
  if (present === undefined) {
    if (await addWhole(whole, store)) return 'added';
    // Another import may just have added it.
    present = await store.conversation(id);
  }
  if (present === undefined) return addAnew(whole, store);
  const stored = await store.messages(id);
  const isUnchanged = present.updated === updated;
  if (isUnchanged && areStored(messages, stored)) return 'present';
  const twins = twinsOf(whole, stored);
  const isSame = twins !== null && (twins.size > 0 || (isUnchanged && stored.length === 0));
  if (!isSame) return isCopy ? addAnew(whole, store) : addConversation(copyOf(whole), store, true);
  const here = new Set(twins.values());
  const renamed = withNewIds(whole, id, new Map([...idsWithin(id, messages), ...twins]));
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
function twinsOf(
  { conversation, messages }: WholeConversation,
  stored: readonly Message[],
): ReadonlyMap<string, string> | null {
  const byId = new Map(stored.map((message) => [message.id, message]));
  const byContent = new Map(stored.map((message) => [contentOf(message), message.id]));
  const renamed = idsWithin(conversation.id, messages);
  const twins = new Map<string, string>();
  for (const message of messages) {
    const same = byId.get(message.id) ?? byId.get(renamed.get(message.id)!);
    if (same !== undefined && !(same.role === message.role && same.text.startsWith(message.text))) return null;
    const twin = same?.id ?? byContent.get(contentOf(message));
    if (twin !== undefined) twins.set(message.id, twin);
  }
  return twins;
}

/** Returns a chat with ids that depend on what it says, as for one whose messages were changed in another product. */
function copyOf(whole: WholeConversation): WholeConversation {
  const { conversation, messages } = whole;
  const said = messages.map(({ id, role, text }) => [id, role, text]);
  const id = stableId(JSON.stringify([conversation.id, said]));
  return withNewIds(whole, id, idsWithin(id, messages));
}

/** The ids that the messages of a chat get if others have theirs: the same at each import, which finds them by these. */
function idsWithin(chat: string, messages: readonly Message[]): ReadonlyMap<string, string> {
  return new Map(messages.map(({ id }) => [id, stableId(`${chat} ${id}`)]));
}

/**
 * Adds a chat under its id, and its messages under theirs or, where those are taken, under {@link idsWithin others}: chats of
 * one product share messages after a branch, or count the messages of each chat from one.
 * @returns False if the ids are taken.
 */
async function addWhole(whole: WholeConversation, store: ConversationStore): Promise<boolean> {
  const { id } = whole.conversation;
  for (const named of [whole, withNewIds(whole, id, idsWithin(id, whole.messages))]) {
    try {
      await store.add(named.conversation, named.messages);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof DOMException && thrown.name === 'ConstraintError')) throw thrown;
    }
  }
  return false;
}

async function addAnew(whole: WholeConversation, store: ConversationStore): Promise<'added'> {
  const { conversation, messages } = withNewIds(whole);
  await store.add(conversation, messages);
  return 'added';
}
