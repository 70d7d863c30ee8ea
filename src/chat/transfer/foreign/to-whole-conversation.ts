import { DEFAULT_SETTINGS, emptyAnswer, titleOf, type Conversation, type Message } from '../../types/conversation.ts';
import { importStrings } from '../../strings/transfer-strings.ts';
import type { WholeConversation } from '../../types/whole-conversation.ts';
import { stableId } from '../stable-id.ts';
import { tidyTree, type ForeignMessage } from './foreign-tree.ts';

export interface ForeignConversation {
  /** Empty if the file has none. */
  readonly id: string;
  readonly title: string;
  readonly pinned: boolean;
  /** Milliseconds since 1970; null if unknown. */
  readonly created: number | null;
  readonly updated: number | null;
  readonly systemPrompt: string;
  /** Id of the last message of the current branch. */
  readonly current: string;
  readonly messages: readonly ForeignMessage[];
}

/** Converts another product's conversation with its branches; `empty` if it has no messages. */
export function toWholeConversation(foreign: ForeignConversation): WholeConversation | 'empty' {
  const { said, placeOf } = tidyTree(foreign.messages);
  const [first] = said.values();
  if (first === undefined) return 'empty';
  const id = usableId(foreign.id || wordsOf(foreign));
  const ids = new Map([...said.keys()].map((message) => [message, usableId(message, id)]));
  const idOf = (message: string | null) => (message === null ? null : (ids.get(message) ?? null));
  const created = foreign.created ?? first.created ?? Date.now();
  const messages = [...said.values()].map((message, index): Message => {
    // The fraction makes the times unique, even if they are equal or unknown.
    const time = (message.created ?? created) + index / 1000;
    const asked = { conversation: id, parent: idOf(message.parent), created: time };
    return { ...toMessage(message, asked), id: idOf(message.id)! };
  });
  const conversation: Conversation = {
    id,
    // Removes half of a surrogate pair, which the cut may leave.
    title:
      foreign.title
        .trim()
        .slice(0, 200)
        .replace(/\p{Cs}/gu, '') ||
      titleOf(first) ||
      importStrings.untitled,
    pinned: foreign.pinned,
    created,
    updated: foreign.updated ?? messages.reduce((latest, message) => Math.max(latest, message.created), created),
    // If the file does not tell which branch was shown, it is that of the last message.
    leaf: idOf(placeOf(foreign.current)) ?? messages.at(-1)!.id,
    settings: { ...DEFAULT_SETTINGS, systemPrompt: foreign.systemPrompt },
  };
  return { conversation, messages };
}

function toMessage(
  { id, role, text, thinking, model, attachments }: ForeignMessage,
  place: Pick<Message, 'conversation' | 'parent' | 'created'>,
): Message {
  if (role === 'user') return { ...place, id, role, text, ...(attachments.length > 0 && { attachments }) };
  const answer = emptyAnswer({ ...place, model, settings: DEFAULT_SETTINGS });
  // The seed is unknown. It is constant, so that importing a file again gives identical messages.
  return { ...answer, text, thinking, state: 'complete', finishReason: 'stop', seed: 0 };
}

/** Keeps an id that can be used in a URL; replaces any other by one that is the same at the next import. */
function usableId(id: string, chat = ''): string {
  return /^[\w-]{1,64}$/.test(id) ? id : stableId(`${chat} ${id}`);
}

/** Returns all that tells a chat without an id from others. The ids of its attachments are random. */
function wordsOf({ title, created, systemPrompt, messages }: ForeignConversation): string {
  const said = messages.map(({ attachments, ...message }) => [
    message,
    attachments.map(({ name, size }) => [name, size]),
  ]);
  return JSON.stringify([title, created, systemPrompt, said]);
}
