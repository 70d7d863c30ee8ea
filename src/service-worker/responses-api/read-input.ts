import { ApiError } from '../../shared/api-error.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { invalid, isAbsent, membersOf, object, oneOf, optional, required, text } from '../request/checks.ts';
import type { Check } from '../request/checks.ts';
import { readImageAddress } from '../request/read-content-parts.ts';
import { compactionText } from './compaction.ts';
import { ID_PREFIXES } from './response-items.ts';
import type { ConversationItem, InputContent, ItemReference, OutputText, ToolCallOutput } from './response-items.ts';

export type InputItem = ConversationItem | ItemReference;

/** Reads `input`: an array of items, or a text, which becomes a user message. */
export const readInput: Check<InputItem[]> = (value, param, body) => {
  if (typeof value === 'string') {
    return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: value }], status: 'completed' }];
  }
  if (!Array.isArray(value)) throw invalid('invalid_type', param, 'a string or an array of items', value);
  return value.map((item, index) => readItem(item, `${param}[${index}]`, body));
};

/** Types of items that only OpenAI's service can process, such as calls of the tools that it hosts. */
const HOSTED_ITEMS = /_call$|_call_output$|^mcp_|^compaction|^program|^tool_search_output$|^configuration_update$/;

const KNOWN_ITEMS = [...Object.keys(ID_PREFIXES), 'item_reference'].join(', ');

const readItem: Check<InputItem> = (value, param, body) => {
  const item = object(value, param, body);
  const member = membersOf(item, param, body);
  // The API allows a message without `type`, and a reference with only an `id`.
  const implied = isAbsent(item.role) && typeof item.id === 'string' ? 'item_reference' : 'message';
  const type = member('type', optional(implied, text));
  const id = typeof item.id === 'string' && item.id !== '' ? { id: item.id } : {};
  switch (type) {
    case 'message':
      return { ...id, ...readMessage(item, param, body) };
    case 'function_call':
    case 'custom_tool_call': {
      const called = {
        ...id,
        call_id: member('call_id', required(text)),
        ...(typeof item.namespace === 'string' && { namespace: item.namespace }),
        name: member('name', required(text)),
        status: 'completed',
      } as const;
      return type === 'function_call'
        ? { ...called, type, arguments: member('arguments', required(text)) }
        : { ...called, type, input: member('input', required(text)) };
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return {
        ...id,
        type,
        call_id: member('call_id', required(text)),
        output: member('output', readOutput),
        status: 'completed',
      };
    case 'reasoning':
      return { ...id, type, summary: readSummary(item.summary), status: 'completed' };
    case 'compaction':
      return {
        ...id,
        type,
        encrypted_content: member('encrypted_content', readCompaction),
      };
    case 'file_search_call':
      return { ...id, type, queries: [], status: 'completed', results: null };
    case 'item_reference':
      return { type, id: member('id', required(text)) };
  }
  const code = HOSTED_ITEMS.test(type) ? 'unsupported_value' : 'invalid_value';
  throw invalid(code, `${param}.type`, `one of ${KNOWN_ITEMS}`, type);
};

const readCompaction: Check<string> = (value, param, body) => {
  const content = required(text)(value, param, body);
  if (compactionText(content) !== null) return content;
  const sentence = `\`${param}\` was not made by \`POST …/responses/compact\` of this endpoint, so nothing here can read it.`;
  throw new ApiError('invalid_value', sentence, { param });
};

const readMessage: Check<Extract<ConversationItem, { type: 'message' }>> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const role = member('role', required(oneOf(['user', 'assistant', 'system', 'developer'])));
  const common = { type: 'message', status: 'completed' } as const;
  return role === 'assistant'
    ? { ...common, role, content: member('content', partsOf(readOutputPart)) }
    : { ...common, role, content: member('content', partsOf(readInputPart)) };
};

/** Creates the check of a text, or of an array of parts. */
function partsOf<Part>(read: Check<Part>): Check<Part[]> {
  return required((value, param, body) => {
    const parts = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(parts)) throw invalid('invalid_type', param, 'a string or an array of parts', value);
    return parts.map((part, index) => read(part, `${param}[${index}]`, body));
  });
}

const readInputPart: Check<InputContent> = (value, param, body) => {
  if (typeof value === 'string') return { type: 'input_text', text: value };
  const part = object(value, param, body);
  const member = membersOf(part, param, body);
  const type = member('type', required(oneOf(['input_text', 'input_image', 'input_file', 'input_audio'])));
  if (type === 'input_text') return { type, text: member('text', required(text)) };
  if (type !== 'input_image') throw noFiles(`${param}.type`, type);
  if (!isAbsent(part.file_id)) throw noFiles(`${param}.file_id`, part.file_id);
  const detail = member('detail', optional('auto', text));
  return { type, image_url: member('image_url', readImageAddress), detail };
};

/** Reads a part of an assistant message. `input_text` is accepted because some clients send it for every role. */
const readOutputPart: Check<OutputText> = (value, param, body) => {
  const part = typeof value === 'string' ? { type: 'output_text', text: value } : value;
  const member = membersOf(part, param, body);
  const type = member('type', required(oneOf(['output_text', 'input_text', 'refusal'])));
  const said = member(type === 'refusal' ? type : 'text', required(text));
  return { type: 'output_text', text: said, annotations: [], logprobs: [] };
};

/** Reads the output of a tool: a text, or parts as a message of the user has them. */
const readOutput: Check<ToolCallOutput['output']> = (value, param, body) =>
  typeof value === 'string' ? value : partsOf(readInputPart)(value, param, body);

/**
 * Reads the summary of a reasoning item. No prompt contains it; it is only listed among the input items. So parts
 * without text are dropped rather than rejected.
 */
function readSummary(value: unknown): { type: 'summary_text'; text: string }[] {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [];
  return parts.flatMap((part) => {
    const said = (part as { readonly text?: unknown } | null | undefined)?.text;
    return typeof said === 'string' ? [{ type: 'summary_text', text: said }] : [];
  });
}

function noFiles(param: string, value: unknown): ApiError {
  const sentence = `\`${param}\` is ${describeValue(value)}, but messages have no files here. Put texts, and images as \`data:\` addresses, into the message, or let \`file_search\` look through files.`;
  return new ApiError('unsupported_value', sentence, { param });
}
