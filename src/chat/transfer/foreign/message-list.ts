import { sumOfLeftOut, type LeftOut } from '../left-out.ts';
import type { ReadConversation } from '../read-conversation.ts';
import { addCall, addContent, addFile, addMediaFields, addOutput, textIn } from './content-parts.ts';
import type { ForeignMessage } from './foreign-tree.ts';
import { jsonOf, listOf, recordOf, textOf, type Fields } from '../../../shared/json-values.ts';
import { firstId, firstText, joinTexts, timeOf, wordsIn } from './foreign-values.ts';
import { linkTo } from './links.ts';
import { FILES, parentOf, SOURCES, THOUGHTS, TIMES, withoutParents } from './message-fields.ts';
import { MessageContent } from './message-content.ts';
import { addUnknownFields, restOfText } from './rest-of-message.ts';
import { toWholeConversation, type ForeignConversation } from './to-whole-conversation.ts';

interface MessageList extends Omit<ForeignConversation, 'messages'> {
  readonly messages: readonly unknown[];
  /** Name of the product, for answers that do not tell their model. */
  readonly product: string;
}

/**
 * Reads a chat whose messages are objects in the forms that most products share: a role, content in one text or in
 * parts, thinking, calls and files in fields of their own, and the id of the message before. Without such ids each
 * message follows the one before it in the list.
 */
export function readMessageList({ messages, product, ...chat }: MessageList): ReadConversation {
  const all = messages.map(recordOf);
  const names = new Map(all.flatMap(callNames));
  const hasParents = all.some(isBelowOneOf(all));
  const read: { message: ForeignMessage; left: LeftOut }[] = [];
  const prompts: string[] = [];
  const used = new Set<string>();
  let before: string | null = null;
  for (const [index, fields] of all.entries()) {
    const role = roleOf(fields);
    const into = new MessageContent(role === 'user', product === 'Open WebUI');
    if (role === 'system') prompts.push(wordsIn(fields['content'] ?? fields['text']));
    else if (role === 'tool') {
      const called = names.get(textOf(fields['tool_call_id'] ?? fields['toolCallId'])) ?? textOf(fields['name']);
      addOutput(into, called, fields['content'] ?? fields['text']);
      addFiles(into, fields);
    } else addMessage(into, fields);
    const own = idOf(fields);
    const id = own === '' || used.has(own) ? `message-${index}` : own;
    used.add(id);
    const message = into.toMessage({
      id,
      parent: hasParents ? parentOf(fields) || null : before,
      model: modelOf(fields) || product,
      created: TIMES.map((name) => timeOf(fields[name])).find((time) => time !== null) ?? null,
    });
    read.push({ message, left: into.left });
    before = id;
  }
  const systemPrompt = joinTexts([...new Set([chat.systemPrompt, ...prompts])]);
  const whole = toWholeConversation({ ...chat, systemPrompt, messages: read.map(({ message }) => message) });
  return { whole, left: sumOfLeftOut(read.map(({ left }) => left)) };
}

/**
 * Removes the ids of the messages before, if only answers have them and no question: then they name the question that is
 * answered, and are no chain through the chat.
 */
export function withoutAnswered(messages: readonly Fields[]): readonly Fields[] {
  const questions = messages.filter((fields) => roleOf(fields) === 'user');
  if (questions.length < 2 || questions.some(isBelowOneOf(messages))) return messages;
  return withoutParents(messages);
}

/** Returns whether a message names one of these before it. Some products tell of each message that none is. */
function isBelowOneOf(messages: readonly Fields[]): (fields: Fields) => boolean {
  const ids = new Set(messages.map(idOf).filter((id) => id !== ''));
  return (fields) => ids.has(parentOf(fields));
}

function idOf(fields: Fields): string {
  return firstId(fields['id'], fields['messageId'], fields['uuid'], fields['_id']);
}

function modelOf(fields: Fields): string {
  return firstText(fields['model'], fields['modelName'], recordOf(fields['senderInfo'])['senderName']);
}

function roleOf(fields: Fields): 'user' | 'assistant' | 'system' | 'tool' {
  const isUser = fields['isCreatedByUser'] ?? fields['is_user'];
  if (typeof isUser === 'boolean') return isUser ? 'user' : 'assistant';
  const name = firstText(
    fields['role'],
    fields['sender'],
    recordOf(fields['author'])['role'],
    fields['from'],
  ).toLowerCase();
  if (/^(?:user|human|you)$/.test(name)) return 'user';
  if (/^(?:system|developer)$/.test(name)) return 'system';
  return /^(?:tool|function)$/.test(name) ? 'tool' : 'assistant';
}

function callsOf(fields: Fields): readonly unknown[] {
  const calls = fields['tool_calls'] ?? fields['toolCalls'];
  return listOf(typeof calls === 'string' ? jsonOf(calls) : calls);
}

/** Returns the names of the called tools by the ids of the calls. */
function callNames(fields: Fields): readonly (readonly [id: string, name: string])[] {
  return callsOf(fields)
    .map(recordOf)
    .map((call) => [textOf(call['id']), firstText(recordOf(call['function'])['name'], call['name'])] as const);
}

function addMessage(into: MessageContent, fields: Fields): void {
  const metadata = recordOf(fields['metadata']);
  into.think(THOUGHTS.map((name) => thoughtIn(fields[name])).find((text) => text !== '') ?? '');
  addContent(into, fields['content']);
  into.sayTagged(restOfText(textIn(fields['text']), fields['content']));
  into.say(textOf(fields['refusal']));
  into.say(textOf(recordOf(fields['merged'])['content']));
  if (typeof fields['audio'] === 'object' && fields['audio'] !== null)
    addContent(into, { ...fields['audio'], type: 'audio' });
  const calls = callsOf(fields);
  for (const call of calls.length > 0 ? calls : listOf(metadata['tool_calls'])) addCall(into, recordOf(call));
  const { function_call: older } = fields;
  if (typeof older === 'object' && older !== null) addCall(into, recordOf(older));
  for (const { name, code, result } of listOf(fields['code_executions']).map(recordOf)) {
    into.call(textOf(name) || 'python', { code });
    into.result('python', result);
  }
  addFiles(into, fields);
  addMediaFields(into, fields);
  into.say(errorOf(fields['error']));
  into.say(sourcesOf(SOURCES.flatMap((name) => listOf(fields[name]))));
  addUnknownFields(into, fields);
}

function thoughtIn(thought: unknown): string {
  return textIn(Array.isArray(thought) ? thought.filter((part) => !isEncrypted(part)) : thought);
}

function isEncrypted(part: unknown): boolean {
  return textOf(recordOf(part)['type']).endsWith('encrypted');
}

function addFiles(into: MessageContent, fields: Fields): void {
  const files = FILES.flatMap((name) => listOf(fields[name]).map(recordOf));
  const contained = new Set<string>();
  for (const file of files) {
    // One product lists the same file twice: with its text, and with its name only.
    const name = firstText(file['file_name'], file['filename'], file['name']);
    if (name !== '' && contained.has(name)) continue;
    contained.add(name);
    addFile(into, file);
    into.leaveOut('images', '', listOf(file['images']).length);
  }
  for (const image of listOf(fields['images'])) into.attachImage('', withType(textOf(image)));
}

/** Ollama's messages contain images in base64 without their type. */
function withType(image: string): string {
  return image === '' || /^(?:data|https?):/.test(image)
    ? image
    : `data:image/${image.startsWith('/9j/') ? 'jpeg' : 'png'};base64,${image}`;
}

function errorOf(error: unknown): string {
  return typeof error === 'string' ? error : wordsIn(recordOf(error)['content'] ?? recordOf(error)['message']);
}

/** Returns the sources of an answer as a list of links, to which marks such as `[1]` in its text refer. */
function sourcesOf(sources: readonly unknown[]): string {
  const links = sources.flatMap((entry) => {
    const { source, metadata, url_citation: cited } = recordOf(entry);
    const own = typeof entry === 'string' ? { url: entry } : recordOf(source ?? cited ?? entry);
    const name = firstText(own['name'], own['title'], own['filename']);
    const places = listOf(metadata).map((place) => textOf(recordOf(place)['source']));
    const address = [textOf(own['url']), name, ...places].find((place) => /^https?:\/\//.test(place)) ?? '';
    return address === '' ? [name || (typeof entry === 'string' ? entry : '')] : [linkTo(name || address, address)];
  });
  return [...new Set(links)]
    .filter((link) => link !== '')
    .map((link) => `- ${link}`)
    .join('\n');
}
