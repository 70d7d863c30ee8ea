import { fieldsOf, jsonOf, type Fields } from '../../shared/json-values.ts';
import { chatsInTables } from './foreign/database-tables.ts';
import { isMessage } from './foreign/plain-messages.ts';
import { MARKDOWN } from './markdown-form.ts';

/** Stands for a line that is no JSON, so that its loss is told. */
const DAMAGED_LINE = { mapping: null };

/**
 * Returns the document in JSON lines. The lines of llama-server are a header of a chat (`type: "session"`), then its
 * messages; they become objects with `conv` and `messages`. If most lines are messages, those become one chat. Each other
 * line becomes a chat of its own, and the import tells of those that are none.
 * @returns Null if most lines are no JSON objects, as in a JSON document that breaks off.
 */
export function documentOfLines(text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const parsed = lines.map((line) => fieldsOf(jsonOf(line)));
  const entries = parsed.filter((entry) => entry !== null);
  if (lines.length < 2 || entries.length * 2 < lines.length) return null;
  const damaged = parsed.filter((entry) => entry === null).map(() => DAMAGED_LINE);
  if (entries.some(({ type }) => type === 'session')) return [...sessionsIn(entries), ...damaged];
  const messages = entries.filter(isMessage);
  if (messages.length * 2 < entries.length) return [...entries, ...damaged];
  const others = entries.filter((entry) => !isMessage(entry));
  return [{ messages }, ...others, ...damaged];
}

function sessionsIn(entries: readonly Fields[]): readonly object[] {
  const sessions: { readonly conv: Fields; readonly messages: unknown[] }[] = [];
  for (const entry of entries) {
    if (entry['type'] === 'session' || sessions.length === 0) sessions.push({ conv: entry, messages: [] });
    if (entry['type'] === 'message') sessions.at(-1)!.messages.push(entry['message']);
  }
  return sessions;
}

/** Fields by which chats of the known products are told from other files of an archive. */
const CHAT_FIELDS = [
  'mapping',
  'chat_messages',
  'conv',
  'chat',
  'history',
  'messages',
  'messagesTree',
  'conversations',
  'responses',
  'role',
  MARKDOWN,
];

/** Whether a document of an archive looks like chats. */
export function mayBeChats(document: unknown): boolean {
  const [first] = Array.isArray(document) ? (document as readonly unknown[]) : [document];
  if (typeof first !== 'object' || first === null) return false;
  return CHAT_FIELDS.some((name) => name in first) || chatsInTables(document) !== null;
}
