import * as v from 'valibot';
import { API_ERROR_CODES, type ApiErrorCode } from '../../shared/api-error.ts';
import { FINISH_REASONS } from '../../shared/completion-event.ts';
import { ANSWER_STATES, type Conversation, type Message } from '../storage/conversation.ts';
import { schemaProblem } from '../storage/schema-problem.ts';
import { importStrings } from '../strings/transfer.ts';

const FORMAT = 'tabserve-conversations';
const VERSION = 1;

/** A conversation with all its branches. */
export interface WholeConversation {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
}

/** The text of a JSON file that {@link readConversationFile} reads back unchanged. */
export function conversationFile(conversations: readonly WholeConversation[]): string {
  return JSON.stringify({ format: FORMAT, version: VERSION, conversations }, null, 2);
}

const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const NullableNumber = v.nullable(v.pipe(v.number(), v.finite()));
const Settings = v.object({
  model: v.nullable(v.string()),
  systemPrompt: v.string(),
  temperature: NullableNumber,
  topP: NullableNumber,
  maxTokens: NullableNumber,
  seed: NullableNumber,
  stop: v.pipe(v.array(v.string()), v.maxLength(4)),
  presencePenalty: NullableNumber,
  frequencyPenalty: NullableNumber,
  jsonSchema: v.pipe(
    v.string(),
    v.check((schema) => schemaProblem(schema) === null, importStrings.noSchema),
  ),
});
const messageBase = { id: Id, conversation: Id, parent: v.nullable(Id), created: v.number(), text: v.string() };
const StoredMessage = v.variant('role', [
  v.object({ ...messageBase, role: v.literal('user') }),
  v.object({
    ...messageBase,
    role: v.literal('assistant'),
    model: v.string(),
    engine: v.optional(v.nullable(v.string())),
    thinking: v.string(),
    state: v.picklist(ANSWER_STATES),
    finishReason: v.nullable(v.picklist(FINISH_REASONS)),
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
const ConversationFile = v.object({
  format: v.literal(FORMAT, importStrings.otherFormat),
  version: v.literal(VERSION, importStrings.otherVersion(VERSION)),
  conversations: v.array(
    v.object({
      conversation: v.object({
        id: Id,
        title: v.string(),
        pinned: v.boolean(),
        created: v.number(),
        updated: v.number(),
        leaf: v.nullable(Id),
        settings: Settings,
      }),
      messages: v.pipe(
        v.array(StoredMessage),
        v.check((messages) => new Set(messages.map(({ id }) => id)).size === messages.length, importStrings.sharedIds),
      ),
    }),
  ),
});

/**
 * Reads an exported file. An answer that was being written when it was exported comes back as interrupted.
 * @throws Error whose message tells a person what is wrong with the file, and where.
 */
export function readConversationFile(text: string): WholeConversation[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(importStrings.noJson, { cause: error });
  }
  const result = v.safeParse(ConversationFile, parsed);
  if (!result.success) {
    const [issue] = result.issues;
    throw new Error(importStrings.problem(issue.message, v.getDotPath(issue)));
  }
  return result.output.conversations.map(({ conversation, messages }) => ({
    conversation,
    messages: messages.map((message) => ({
      ...message,
      conversation: conversation.id,
      ...(message.role === 'assistant' && message.state === 'running' ? { state: 'interrupted' as const } : {}),
    })),
  }));
}
