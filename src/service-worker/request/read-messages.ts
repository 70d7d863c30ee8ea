import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { ChatMessage, ToolCall } from '../../shared/engine/completion-request.ts';
import { markPrefix } from './answer-prefix.ts';
import { array, isAbsent, membersOf, missing, object, oneOf, optional, required, text, invalid } from './checks.ts';
import type { Check, JsonObject } from './checks.ts';
import { readContentParts, type ContentPart } from './read-content-parts.ts';

export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;

/** A message for the engine, and its parts that not every model supports. */
export interface ReadMessage {
  readonly message: ChatMessage;
  /** Parts other than text; `param` is the path of the part's `type`. */
  readonly media: readonly { readonly type: string; readonly param: string }[];
  /** Set for a last message of the assistant that is the beginning of the answer. */
  readonly beginsAnswer?: true;
}

/** Reads `messages`. Their order is free, except that tool calls must be followed by their results. */
export const readMessages: Check<readonly ReadMessage[]> = (value, param, body) => {
  const messages = array(value, param, body);
  if (messages.length === 0) throw invalid('empty_array', param, 'an array of at least one message', value);
  const read = messages.map((message, index) => readMessage(message, `${param}[${index}]`, body));
  requireToolResults(read, messages, param);
  return markPrefix(read, messages, param, body);
};

const readMessage: Check<ReadMessage> = (value, param, body) => {
  const given = object(value, param, body);
  const member = membersOf(given, param, body);
  const role = member('role', required(oneOf(ROLES)));
  // Only a `function` message uses its name, as the id of the call. Names of other messages are dropped, because in a
  // prompt they could imitate role markers.
  const name = member('name', optional('', text));
  switch (role) {
    case 'system':
    case 'developer':
      return textOnly({ role: 'system', content: plainText(given, param, body) });
    case 'user':
      return readUser(given, param, body);
    case 'assistant': {
      const toolCalls = readToolCalls(given, param, body);
      const said = isAbsent(given.content) ? refusal(given) : plainText(given, param, body, 'refusal');
      if (said === null && toolCalls.length === 0) throw missing(`${param}.content`);
      return textOnly({ role, content: said ?? '', toolCalls });
    }
    case 'tool': {
      const content = plainText(given, param, body);
      return textOnly({ role, content, toolCallId: member('tool_call_id', required(text)) });
    }
    case 'function':
      return textOnly({
        role: 'tool',
        content: member('content', optional('', text)),
        toolCallId: name,
      });
  }
};

function textOnly(message: ChatMessage): ReadMessage {
  return { message, media: [] };
}

/** Reads content that must be text: a string, or parts, which are joined with a line feed. */
function plainText(message: JsonObject, param: string, body: JsonObject, alsoAllowed?: 'refusal'): string {
  const parts = readContent(message, param, body, alsoAllowed === undefined ? ['text'] : ['text', alsoAllowed]);
  return joinTexts(parts);
}

function readUser(message: JsonObject, param: string, body: JsonObject): ReadMessage {
  const parts = readContent(message, param, body, ['text', 'image_url', 'input_audio', 'file']);
  const media = parts.flatMap((part, index) =>
    part.type === 'text' ? [] : [{ type: part.type, param: `${param}.content[${index}].type` }],
  );
  if (media.length === 0) return { message: { role: 'user', content: joinTexts(parts) }, media };
  const content = parts.filter((part) => part.type === 'text' || part.type === 'image');
  return { message: { role: 'user', content }, media };
}

function readContent(message: JsonObject, param: string, body: JsonObject, allowed: readonly string[]): ContentPart[] {
  const { content } = message;
  if (content === undefined) throw missing(`${param}.content`);
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content))
    throw invalid('invalid_type', `${param}.content`, 'a string or an array of parts', content);
  return readContentParts(content, `${param}.content`, body, allowed);
}

function joinTexts(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Reads `refusal` of an assistant message; values other than a string are ignored. */
function refusal(message: JsonObject): string | null {
  return typeof message.refusal === 'string' ? message.refusal : null;
}

function readToolCalls(message: JsonObject, param: string, body: JsonObject): ToolCall[] {
  const calls = membersOf(message, param, body)('tool_calls', optional([], array));
  return calls.map((value, index) => {
    const path = `${param}.tool_calls[${index}]`;
    const member = membersOf(value, path, body);
    const id = member('id', required(text));
    if (member('type', optional('function', oneOf(['function', 'custom']))) === 'custom') {
      const called = membersOf(member('custom', required(object)), `${path}.custom`, body);
      return { id, name: called('name', required(text)), arguments: called('input', required(text)), custom: true };
    }
    const called = membersOf(member('function', required(object)), `${path}.function`, body);
    return { id, name: called('name', required(text)), arguments: called('arguments', required(text)) };
  });
}

/**
 * Checks that each tool call is followed by its result before any other message, and that each result follows its call.
 * The older `function` messages have no ids and are not checked.
 */
function requireToolResults(messages: readonly ReadMessage[], given: readonly unknown[], param: string): void {
  let caller = '';
  let called: readonly string[] = [];
  const open = new Set<string>();
  const requireOpenResults = () => {
    const [id] = open;
    if (id === undefined) return;
    const sentence = `\`${caller}.tool_calls\`: no \`tool\` message replies to the call ${quote(id)} before the conversation goes on.`;
    throw new ApiError('invalid_value', sentence, { param: `${caller}.tool_calls` });
  };
  for (const [index, { message }] of messages.entries()) {
    if ((given[index] as JsonObject).role === 'function') continue;
    const path = `${param}[${index}]`;
    if (message.role === 'tool') {
      if (!called.includes(message.toolCallId)) {
        const expected = 'the id of a call in the assistant message before it';
        throw invalid('invalid_value', `${path}.tool_call_id`, expected, message.toolCallId);
      }
      open.delete(message.toolCallId);
      continue;
    }
    requireOpenResults();
    caller = path;
    called = message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [];
    for (const id of called) open.add(id);
  }
  requireOpenResults();
}
