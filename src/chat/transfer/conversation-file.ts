import * as v from 'valibot';
import { API_ERROR_CODES, type ApiErrorCode } from '../../shared/api-error.ts';
import { FINISH_REASONS } from '../../shared/engine/completion-event.ts';
import {
  ANSWER_STATES,
  ATTACHED_PARTS,
  TOOL_NAMES,
  TOOL_OUTCOMES,
  type ConversationSettings,
} from '../types/conversation.ts';
import type { Presets } from '../storage/presets.ts';
import { schemaTextProblem } from '../api/schema-text-problem.ts';
import { importStrings } from '../strings/transfer-strings.ts';
import { NOTHING_LEFT_OUT } from './left-out.ts';
import type { ReadConversation } from './read-conversation.ts';
import type { WholeConversation } from '../types/whole-conversation.ts';

const FORMAT = 'tabserve-conversations';
const VERSION = 1;

/**
 * Returns the JSON of a chat for {@link exportFile}, message by message: a text of all messages may be larger than a text
 * can be. It does not tell which tools were always allowed, because a file must not grant that where it is imported.
 */
export function exportedChat({ conversation, messages }: WholeConversation): Blob {
  const list = messages.flatMap((message, index) => [index === 0 ? '' : ',', '\n        ', json(message, 8)]);
  const end = messages.length === 0 ? '' : '\n      ';
  return new Blob([
    `{\n      "conversation": ${json(conversation, 6)},\n      "messages": [`,
    ...list,
    `${end}]\n    }`,
  ]);
}

/**
 * Returns an export file, which {@link listConversations} and {@link readConversation} read.
 * @param chats See {@link exportedChat}. The browser may keep them outside of the memory.
 * @param presets Included in a full export. Default: none.
 */
export function exportFile(chats: readonly Blob[], presets?: Presets): Blob {
  const list = chats.flatMap((chat, index) => [index === 0 ? '' : ',', '\n    ', chat]);
  const end = chats.length === 0 ? '' : '\n  ';
  return new Blob([
    `{\n  "format": "${FORMAT}",\n  "version": ${VERSION},\n  "conversations": [`,
    ...list,
    `${end}]${presets === undefined ? '' : `,\n  "presets": ${json(presets, 2)}`}\n}`,
  ]);
}

/** Returns the JSON of a value in an object or list that is indented. */
function json(value: unknown, indentation: number): string {
  return JSON.stringify(value, withoutConsent, 2).replaceAll('\n', `\n${' '.repeat(indentation)}`);
}

function withoutConsent(key: string, value: unknown): unknown {
  return key === ('allowedTools' satisfies keyof ConversationSettings) ? undefined : value;
}

const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const NullableNumber = v.nullable(v.pipe(v.number(), v.finite()));
const Settings = v.object({
  model: v.nullable(v.string()),
  systemPrompt: v.string(),
  instructions: v.optional(v.string()),
  temperature: NullableNumber,
  topP: NullableNumber,
  maxTokens: NullableNumber,
  seed: NullableNumber,
  stop: v.pipe(v.array(v.string()), v.maxLength(4)),
  presencePenalty: NullableNumber,
  frequencyPenalty: NullableNumber,
  jsonSchema: v.pipe(
    v.string(),
    v.check((schema) => schemaTextProblem(schema) === null),
  ),
  tools: v.optional(v.array(v.picklist(TOOL_NAMES))),
});
const StoredRound = v.object({
  text: v.string(),
  calls: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      arguments: v.string(),
      outcome: v.picklist(TOOL_OUTCOMES),
      result: v.string(),
    }),
  ),
});
const messageBase = { id: Id, conversation: Id, parent: v.nullable(Id), created: v.number(), text: v.string() };
const attachmentBase = { id: Id, name: v.string(), size: v.number() };
const StoredAttachment = v.variant('kind', [
  v.object({ ...attachmentBase, kind: v.literal('text'), part: v.picklist(ATTACHED_PARTS), text: v.string() }),
  v.object({
    ...attachmentBase,
    kind: v.literal('image'),
    url: v.pipe(v.string(), v.regex(/^data:image\/(png|jpeg|webp|gif);base64,/)),
  }),
]);
const StoredMessage = v.variant('role', [
  v.object({ ...messageBase, role: v.literal('user'), attachments: v.optional(v.array(StoredAttachment)) }),
  v.object({
    ...messageBase,
    role: v.literal('assistant'),
    model: v.string(),
    engine: v.optional(v.nullable(v.string())),
    beside: v.optional(Id),
    thinking: v.string(),
    sources: v.optional(v.array(v.object({ file: v.string(), name: v.string(), text: v.string() }))),
    rounds: v.optional(v.array(StoredRound)),
    state: v.picklist(ANSWER_STATES),
    finishReason: v.nullable(v.picklist(FINISH_REASONS)),
    isStuck: v.optional(v.boolean()),
    isFiltered: v.optional(v.boolean()),
    error: v.nullable(
      v.object({ code: v.picklist(Object.keys(API_ERROR_CODES) as ApiErrorCode[]), message: v.string() }),
    ),
    settings: Settings,
    seed: v.number(),
    promptTokens: NullableNumber,
    completionTokens: NullableNumber,
    timeToFirstToken: NullableNumber,
    thinkingTime: v.optional(NullableNumber),
    tokensPerSecond: NullableNumber,
  }),
]);
const StoredConversation = v.object({
  conversation: v.object({
    id: Id,
    title: v.pipe(
      v.string(),
      // An empty title would be invisible in the list. A long one is cut, but not inside a surrogate pair.
      v.transform((title) =>
        title.trim() === '' ? importStrings.untitled : title.slice(0, 200).replace(/\p{Cs}/gu, ''),
      ),
    ),
    pinned: v.boolean(),
    created: v.number(),
    updated: v.number(),
    leaf: v.nullable(Id),
    sentFrom: v.optional(Id),
    settings: Settings,
  }),
  messages: v.pipe(
    v.array(StoredMessage),
    v.check((messages) => new Set(messages.map(({ id }) => id)).size === messages.length, 'Two messages share an id.'),
  ),
});

/**
 * Returns the conversations of an export file; {@link readConversation} parses each.
 * @param file The file's JSON.
 * @returns null for a file of another format.
 * @throws Error with a message for the user if a newer version wrote the file.
 */
export function listConversations(file: object): readonly unknown[] | null {
  if (!('format' in file && file.format === FORMAT)) return null;
  if (!('version' in file && file.version === VERSION)) throw new Error(importStrings.otherVersion);
  return 'conversations' in file && Array.isArray(file.conversations) ? file.conversations : [];
}

/** Parses one conversation. An answer that was running during the export becomes interrupted. */
export function readConversation(stored: unknown): ReadConversation {
  const result = v.safeParse(StoredConversation, stored);
  if (!result.success) {
    const [issue] = result.issues;
    console.info('A chat of the file is damaged.', v.getDotPath(issue), issue.message);
    return { whole: 'damaged', left: NOTHING_LEFT_OUT };
  }
  const { conversation, messages } = result.output;
  const whole = {
    conversation,
    messages: messages.map((message) => ({
      ...message,
      conversation: conversation.id,
      ...(message.role === 'assistant' && message.state === 'running' ? { state: 'interrupted' as const } : {}),
    })),
  };
  return { whole, left: NOTHING_LEFT_OUT };
}
