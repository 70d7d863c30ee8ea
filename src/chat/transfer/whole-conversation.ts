import { DEFAULT_SETTINGS, emptyAnswer, titleFrom, type Conversation, type Message } from '../types/conversation.ts';
import { importStrings } from '../strings/transfer.ts';
import { tidyTree, type ForeignMessage } from './foreign-tree.ts';

/** A conversation with all its branches. */
export interface WholeConversation {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
}

/** What could be read of one conversation of a file. */
export interface ReadConversation {
  /** `empty`: nothing is said in it. `damaged`: it does not follow its format. */
  readonly whole: WholeConversation | 'empty' | 'damaged';
  /** Pictures, sounds and documents that are left out. */
  readonly files: number;
  /** Calls of tools and what these said, which are left out. */
  readonly steps: number;
}

/** A conversation as another product has it. */
interface ForeignConversation {
  readonly id: string;
  readonly title: string;
  readonly pinned: boolean;
  /** Milliseconds since 1970; null where it is not known. */
  readonly created: number | null;
  readonly updated: number | null;
  readonly systemPrompt: string;
  /** Id of the message at the end of the branch that is shown. */
  readonly current: string;
  readonly messages: readonly ForeignMessage[];
}

/** Another product's conversation as one of ours, with its branches; `empty` if nothing is said in it. */
export function toWholeConversation(foreign: ForeignConversation): WholeConversation | 'empty' {
  const { said, placeOf } = tidyTree(foreign.messages);
  const [first] = said.values();
  if (first === undefined) return 'empty';
  const ids = new Map([...said.keys()].map((id) => [id, usableId(id)]));
  const idOf = (id: string | null) => (id === null ? null : (ids.get(id) ?? null));
  const id = usableId(foreign.id);
  const created = foreign.created ?? first.created ?? Date.now();
  const messages = [...said.values()].map((message, index): Message => {
    // The fraction keeps apart what was written in one moment, or at a time that nobody knows.
    const time = (message.created ?? created) + index / 1000;
    const asked = { conversation: id, parent: idOf(message.parent), created: time };
    return { ...toMessage(message, asked), id: idOf(message.id)! };
  });
  const conversation: Conversation = {
    id,
    // Not in the middle of a character of two units.
    title:
      foreign.title
        .trim()
        .slice(0, 200)
        .replace(/\p{Cs}/gu, '') ||
      titleFrom(first.text) ||
      importStrings.untitled,
    pinned: foreign.pinned,
    created,
    updated: foreign.updated ?? messages.reduce((latest, message) => Math.max(latest, message.created), created),
    leaf: idOf(placeOf(foreign.current)),
    settings: { ...DEFAULT_SETTINGS, systemPrompt: foreign.systemPrompt },
  };
  return { conversation, messages };
}

function toMessage(
  { id, role, text, thinking, model }: ForeignMessage,
  place: Pick<Message, 'conversation' | 'parent' | 'created'>,
): Message {
  if (role === 'user') return { ...place, id, role, text };
  const answer = emptyAnswer({ ...place, model, settings: DEFAULT_SETTINGS });
  // What it was drawn with nobody knows; the same file is to give the same message each time.
  return { ...answer, text, thinking, state: 'complete', finishReason: 'stop', seed: 0 };
}

/** Ids are parts of addresses. */
function usableId(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : crypto.randomUUID();
}
