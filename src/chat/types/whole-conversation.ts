import type { Conversation, Message } from './conversation.ts';

/** A conversation with all its branches. */
export interface WholeConversation {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
}

/**
 * Gives a chat and its messages other ids, so that it can be stored beside the one that has them.
 * @param id The id of the chat. Default: a new one.
 * @param known The ids that some messages get. Default: all get new ones.
 */
export function withNewIds(
  { conversation, messages }: WholeConversation,
  id: string = crypto.randomUUID(),
  known: ReadonlyMap<string, string> = new Map(),
): WholeConversation {
  const ids = new Map(messages.map((message) => [message.id, known.get(message.id) ?? crypto.randomUUID()]));
  const renew = (old: string | null): string | null => (old === null ? null : (ids.get(old) ?? null));
  return {
    conversation: {
      ...conversation,
      id,
      leaf: renew(conversation.leaf),
      ...('sentFrom' in conversation ? { sentFrom: ids.get(conversation.sentFrom ?? '') } : {}),
    },
    messages: messages.map((message) => ({
      ...message,
      id: ids.get(message.id) ?? message.id,
      parent: renew(message.parent),
      ...('beside' in message ? { beside: ids.get(message.beside ?? '') } : {}),
      conversation: id,
    })),
  };
}

/** Whether all messages are among the stored ones. Deleting some does not change when their chat was updated. */
export function areStored(messages: readonly Message[], stored: readonly Message[]): boolean {
  const present = new Set(stored.flatMap((message) => [message.id, contentOf(message)]));
  return messages.every((message) => present.has(message.id) || present.has(contentOf(message)));
}

/** Stands for the id of a message that has a random one here: earlier versions gave it where the file had no usable id. */
export function contentOf({ role, created, text }: Message): string {
  return JSON.stringify([role, created, text]);
}
