import { jsonOf, listOf, recordOf, textOf, type Fields } from '../../../shared/json-values.ts';
import { firstId, firstText, timeOf } from './foreign-values.ts';
import { parentOf, TIMES, withoutParents } from './message-fields.ts';
import { isMessage } from './plain-messages.ts';

/** Fields by which a message names its chat. The most specific is first: a session may have several topics. */
const CHAT_IDS = [
  'topicId',
  'topic_id',
  'threadId',
  'thread_id',
  'chatId',
  'chat_id',
  'conversationId',
  'conversation_id',
  'sessionId',
  'session_id',
];

/** Fields of a message with the ids of its parts, which are rows of a table of their own. */
const PART_IDS = ['blocks', 'blockIds', 'block_ids', 'partIds', 'part_ids'];

/** Levels of objects and lists in which rows are looked for. */
const MAX_DEPTH = 12;

type Rows = Map<string, Fields>;

/**
 * Returns the chats in a copy of a product's database; null if the file is something else. In such a file the messages of
 * several chats are in one list, or the contents of messages are in another list, and ids connect them.
 */
export function chatsInTables(file: unknown): readonly Fields[] | null {
  const lists: (readonly unknown[])[] = [];
  const rows: Rows = new Map();
  collect(file, lists, rows, 0);
  const tables = lists
    .map((list) => ({ list, messages: list.map((row) => withParts(recordOf(row), rows)) }))
    .filter(({ messages }) => messages.length > 0 && messages.every(isMessage));
  const isCopy = tables.some(
    ({ list, messages }) => messages.some((row, at) => row !== list[at]) || new Set(messages.map(chatIdOf)).size > 1,
  );
  return isCopy ? tables.flatMap(({ messages }) => chatsOf(messages, rows)) : null;
}

/** Collects the lists in a value, and its objects by their ids. Reads JSON in strings, too. */
function collect(value: unknown, lists: (readonly unknown[])[], rows: Rows, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) return collect(jsonOf(value), lists, rows, depth + 1);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) lists.push(value);
  const { id } = recordOf(value);
  // Some products store the name of a chat apart from its messages, under the same id.
  // A number also counts rows of other tables, so that only what may be a chat is taken.
  const isRow = typeof id === 'string' || (typeof id === 'number' && 'title' in value && !isMessage(value));
  if (isRow) rows.set(String(id), { ...rows.get(String(id)), ...recordOf(value) });
  for (const field of Object.values(value)) collect(field, lists, rows, depth + 1);
}

/** Returns a message with its parts as content; the message itself if it has no ids of parts. */
function withParts(message: Fields, rows: Rows): Fields {
  const name = PART_IDS.find((field) => listOf(message[field]).some((id) => rows.has(textOf(id))));
  if (name === undefined) return message;
  const { [name]: ids, ...fields } = message;
  const parts = listOf(ids).map((id) => rows.get(textOf(id)) ?? id);
  return { ...fields, content: [fields['content'] ?? '', ...parts] };
}

function chatIdOf(message: Fields): string {
  return firstId(...CHAT_IDS.map((name) => message[name]));
}

function timeIn(fields: Fields): number | null {
  return TIMES.map((name) => timeOf(fields[name])).find((time) => time !== null) ?? null;
}

function chatsOf(messages: readonly Fields[], rows: Rows): readonly Fields[] {
  const chats = new Map<string, Fields[]>();
  for (const message of messages) {
    const id = chatIdOf(message);
    if (chats.has(id)) chats.get(id)!.push(message);
    else chats.set(id, [message]);
  }
  return [...chats].map(([id, said]) => {
    const about = rows.get(id) ?? {};
    const title = firstText(about['title'], about['name'], about['topic'], recordOf(about['meta'])['title']);
    return { ...(id === '' ? {} : { id }), title, pinned: about['pinned'], messages: inOrder(said) };
  });
}

/** Returns the messages of a chat by their times. Without branches, which need a parent of all questions but the first. */
function inOrder(messages: readonly Fields[]): readonly Fields[] {
  const sorted = messages.every((message) => timeIn(message) !== null)
    ? messages.toSorted((one, other) => timeIn(one)! - timeIn(other)!)
    : messages;
  const roots = sorted.filter((message) => parentOf(message) === '');
  return roots.length < 2 ? sorted : withoutParents(sorted);
}
