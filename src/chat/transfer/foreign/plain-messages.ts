import { listOf, recordOf, type Fields } from '../../../shared/json-values.ts';

/** Fields that tell who wrote a message. */
const WRITERS = ['role', 'sender', 'from', 'is_user', 'isCreatedByUser'];

/** Fields with what a message says, the most usual first. */
const CONTENTS = ['content', 'text', 'parts', 'contentParts', 'value', 'mes', 'message'];

/** Fields of a message that may have none of {@link CONTENTS}, because its writer calls tools or refuses. */
const INSTEAD = ['tool_calls', 'toolCalls', 'function_call', 'refusal'];

/** Fields of a chat with its messages, and fields in which those may be. */
const LISTS = ['messages', 'conversations', 'responses', 'turns', 'chunks'];
const CONTAINERS = ['chunkedPrompt', 'data', 'log'];

/** Whether a value is a message of a chat, with a writer and something said. */
export function isMessage(value: unknown): boolean {
  return isWritten(plainMessage(value));
}

function isWritten(fields: Fields): boolean {
  return WRITERS.some((name) => name in fields) && [...CONTENTS, ...INSTEAD].some((name) => name in fields);
}

/**
 * Returns a message of any product with the fields that most of them use. Some wrap the message in an object, and some
 * mark thinking as a message of its own.
 */
function plainMessage(value: unknown): Fields {
  const fields = unwrapped(recordOf(value));
  if (fields['isThought'] === true) {
    const { text, content, ...others } = fields;
    return { ...others, reasoning: text ?? content, content: '' };
  }
  const said = CONTENTS.find((name) => fields[name] !== undefined) ?? 'content';
  if (said === 'content' || said === 'text') return fields;
  const { [said]: content, ...others } = fields;
  return { ...others, content };
}

function unwrapped(outer: Fields): Fields {
  const wrapper = ['response', 'message'].find((name) => isWritten(recordOf(outer[name])));
  if (wrapper === undefined) return outer;
  const { [wrapper]: inner, ...around } = outer;
  return { ...around, ...recordOf(inner) };
}

/** Returns the messages of a chat in an unknown form; empty if it has none. */
export function messagesIn(chat: Fields): readonly Fields[] {
  for (const place of [chat, ...CONTAINERS.map((name) => recordOf(chat[name]))]) {
    for (const name of LISTS) {
      const messages = listOf(place[name]).map(plainMessage);
      if (messages.some(isWritten)) return messages;
    }
  }
  return [];
}
