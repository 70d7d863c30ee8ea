import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { ImagePart, TextPart, ToolCall } from '../../shared/engine/completion-request.ts';
import {
  array,
  boolean,
  invalid,
  isAbsent,
  membersOf,
  object,
  oneOf,
  optional,
  required,
  text,
} from '../request/checks.ts';
import type { Check, JsonObject } from '../request/checks.ts';
import { beginAnswer } from '../request/answer-prefix.ts';
import type { ReadMessage } from '../request/read-messages.ts';
import { readImageAddress } from '../request/read-content-parts.ts';

/** A content block whose type the message's role permits. */
interface Block {
  readonly type: string;
  readonly block: JsonObject;
  readonly path: string;
}

/** Blocks that each role may have. Those of hosted tools are refused. */
const BLOCKS = {
  system: ['text'],
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
} as const;

const RESULT_BLOCKS = ['text', 'image', 'document'];

const ROLES = Object.keys(BLOCKS) as (keyof typeof BLOCKS)[];

/**
 * Reads `messages`. Consecutive assistant messages become one. A last message of the assistant is the beginning of the
 * answer.
 */
export const readConversation: Check<readonly ReadMessage[]> = (value, param, body) => {
  const given = array(value, param, body);
  const messages: ReadMessage[] = [];
  /** Path of each tool call without a result so far, by its id. */
  const open = new Map<string, string>();
  /** Images of tool results. The model gets them after the results of all calls, as only users can show images. */
  const shown: Block[] = [];
  const requireResults = () => {
    for (const [id, path] of open) {
      const sentence = `\`${path}\`: no tool_result block in the next message replies to the call ${quote(id)}.`;
      throw new ApiError('invalid_value', sentence, { param: path });
    }
  };
  given.forEach((one, index) => {
    const path = `${param}[${index}]`;
    const message = object(one, path, body);
    const member = membersOf(message, path, body);
    const role = member('role', required(oneOf(ROLES)));
    const blocks = readBlocks(message.content, `${path}.content`, body, BLOCKS[role]);
    if (role === 'assistant') {
      const last = messages.at(-1)?.message;
      const before = last?.role === 'assistant' ? last : null;
      if (before === null) requireResults();
      else messages.pop();
      const toolCalls = [...(before?.toolCalls ?? [])];
      for (const block of blocks) {
        if (block.type !== 'tool_use') continue;
        const call = readToolUse(block, body);
        open.set(call.id, block.path);
        toolCalls.push(call);
      }
      const texts = [before?.content ?? '', ...textsOf(blocks, body)].filter((said) => said !== '');
      messages.push({ message: { role, content: texts.join('\n'), toolCalls }, media: [] });
      return;
    }
    for (const { type, block, path: place } of blocks) {
      if (type !== 'tool_result') continue;
      const member = membersOf(block, place, body);
      const toolCallId = member('tool_use_id', required(text));
      if (!open.delete(toolCallId)) {
        const expected = 'the id of a tool_use block in the assistant message before it';
        throw invalid('invalid_value', `${place}.tool_use_id`, expected, toolCallId);
      }
      const inner = isAbsent(block.content) ? [] : readBlocks(block.content, `${place}.content`, body, RESULT_BLOCKS);
      messages.push({ message: { role: 'tool', content: textsOf(inner, body).join('\n'), toolCallId }, media: [] });
      shown.push(...inner.filter(({ type }) => type === 'image'));
    }
    const others = blocks.filter(({ type }) => type !== 'tool_result');
    // The results of several calls may come in a message each.
    if (others.length > 0) requireResults();
    if (open.size > 0) return;
    const turn = [...shown.splice(0), ...others];
    if (turn.length > 0) messages.push(readTurn(role, turn, body));
  });
  const last = messages.at(-1)?.message;
  if (last === undefined) throw invalid('empty_array', param, 'an array of at least one message', value);
  if (last.role === 'assistant') return beginAnswer(messages, `${param}[${given.length - 1}]`);
  requireResults();
  return messages;
};

/** Reads a text, or text blocks, which are joined with a line feed. */
export const readTexts: Check<string> = (value, param, body) =>
  textsOf(readBlocks(value, param, body, BLOCKS.system), body).join('\n');

function readBlocks(value: unknown, param: string, body: JsonObject, allowed: readonly string[]): Block[] {
  if (typeof value === 'string') return [{ type: 'text', block: { text: value }, path: param }];
  if (!isAbsent(value) && !Array.isArray(value)) {
    throw invalid('invalid_type', param, 'a string or an array of content blocks', value);
  }
  return required(array)(value, param, body).map((one, index) => {
    const path = `${param}[${index}]`;
    const block = object(one, path, body);
    const type = membersOf(block, path, body)('type', required(text));
    if (type === 'document' && allowed.includes(type)) {
      return { type: 'text', block: { text: readDocument(block, path, body) }, path };
    }
    if (allowed.includes(type)) return { type, block, path };
    throw invalid('unsupported_value', `${path}.type`, `one of ${allowed.join(', ')}`, type);
  });
}

/**
 * Reads a document as the text that the model gets: title, context and text, separated by line feeds.
 * @throws ApiError `unsupported_value` if it is a file; `unsupported_parameter` if the answer shall cite it.
 */
function readDocument(block: JsonObject, path: string, body: JsonObject): string {
  const member = membersOf(block, path, body);
  const place = `${path}.source`;
  const ofSource = membersOf(member('source', required(object)), place, body);
  const type = ofSource('type', required(text));
  if (type !== 'text' && type !== 'content') {
    const sentence = `\`${place}.type\` is ${quote(type)}, but files such as PDFs are not read here. Send the document's text, as a block of the type "text" or with a source of the type "text".`;
    throw new ApiError('unsupported_value', sentence, { param: `${place}.type` });
  }
  const content = type === 'text' ? ofSource('data', required(text)) : ofSource('content', readTexts);
  const citations = member('citations', optional(null, object));
  if (optional(false, boolean)(citations?.enabled, `${path}.citations.enabled`, body)) {
    const sentence = `\`${path}.citations\` is not supported: answers here cite no places of a document. Leave it out.`;
    throw new ApiError('unsupported_parameter', sentence, { param: `${path}.citations` });
  }
  const title = member('title', optional('', text));
  const context = member('context', optional('', text));
  return [title, context, content].filter((part) => part !== '').join('\n');
}

function textsOf(blocks: readonly Block[], body: JsonObject): string[] {
  return blocks.filter(({ type }) => type === 'text').map((block) => textOf(block, body));
}

function textOf({ block, path }: Block, body: JsonObject): string {
  return membersOf(block, path, body)('text', required(text));
}

function readTurn(role: 'user' | 'system', blocks: readonly Block[], body: JsonObject): ReadMessage {
  const media = blocks.flatMap(({ type, path }) => (type === 'image' ? [{ type, param: `${path}.type` }] : []));
  if (role === 'system' || media.length === 0) {
    return { message: { role, content: textsOf(blocks, body).join('\n') }, media };
  }
  const content = blocks.map((one): TextPart | ImagePart =>
    one.type === 'image' ? { type: 'image', url: readImage(one, body) } : { type: 'text', text: textOf(one, body) },
  );
  return { message: { role, content }, media };
}

function readImage({ block, path }: Block, body: JsonObject): string {
  const place = `${path}.source`;
  const source = membersOf(block, path, body)('source', required(object));
  const member = membersOf(source, place, body);
  const type = member('type', required(oneOf(['base64', 'url'])));
  if (type === 'url') return readImageAddress(source, place, body);
  const mediaType = member('media_type', required(text));
  const data = member('data', required(text));
  return readImageAddress(`data:${mediaType};base64,${data}`, place, body);
}

function readToolUse({ block, path }: Block, body: JsonObject): ToolCall {
  const member = membersOf(block, path, body);
  return {
    id: member('id', required(text)),
    name: member('name', required(text)),
    arguments: JSON.stringify(member('input', required(object))),
  };
}
