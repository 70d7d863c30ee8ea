import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { ToolCall } from '../../shared/engine/completion-request.ts';
import type { ReadMessage } from '../request/read-messages.ts';
import { compactionText } from './compaction.ts';
import { engineName } from './response-items.ts';
import type {
  ConversationItem,
  CustomToolCall,
  FunctionCall,
  InputContent,
  InputMessage,
  ToolCallOutput,
} from './response-items.ts';

/** The conversation before the input of a request. */
export interface PreviousConversation {
  /** The messages of the previous request, without its instructions, which apply to that response only. */
  readonly messages: readonly ReadMessage[];
  /** The output of the previous response. */
  readonly output: readonly ConversationItem[];
}

interface PlacedItem {
  readonly item: ConversationItem;
  /** The request field that an error about this item names. */
  readonly param: string;
}

type PlacedOutput = ToolCallOutput & Pick<PlacedItem, 'param'>;

/**
 * Converts items to chat messages. Consecutive calls become one message, together with the assistant message before
 * them. The outputs of the calls follow that message in the order of the calls, regardless of their place in the input.
 *
 * @param instructions Text of the system message at the start; null if there is none.
 * @throws ApiError `invalid_value` for a call without an output, or an output without a call.
 */
export function toMessages(
  instructions: string | null,
  previous: PreviousConversation,
  input: readonly ConversationItem[],
): ReadMessage[] {
  const items: PlacedItem[] = [
    ...previous.output.map((item) => ({ item, param: 'previous_response_id' })),
    ...input.map((item, index) => ({ item, param: `input[${index}]` })),
  ];
  const outputs = outputsByCall(items);
  const messages: ReadMessage[] = [];
  const add = (message: ReadMessage['message']) => messages.push({ message, media: [] });
  if (instructions !== null) add({ role: 'system', content: instructions });
  messages.push(...previous.messages);

  let calls: ToolCall[] = [];
  let replies: PlacedOutput[] = [];
  /** Adds the outputs of the calls collected so far, and then the images in them, which only users can show. */
  const endTurn = () => {
    const media = replies.flatMap(({ call_id: id, output, param }) => {
      const parts = typeof output === 'string' ? [{ type: 'input_text', text: output } as const] : output;
      add({ role: 'tool', content: textOf(parts), toolCallId: id });
      return imagesOf(parts, `${param}.output`);
    });
    if (media.length > 0) {
      const content = media.map(({ type, url }) => ({ type, url }));
      messages.push({ message: { role: 'user', content }, media });
    }
    calls = [];
    replies = [];
  };
  for (const { item, param } of items) {
    if (item.type === 'reasoning' || item.type === 'file_search_call') continue;
    if (isCall(item)) {
      // Clients that number the calls of each turn use an id again.
      const reply = outputs.get(item.call_id)?.shift();
      if (reply === undefined) throw unanswered(item.call_id);
      const last = messages.at(-1)?.message;
      if (calls.length === 0 && last?.role === 'assistant' && last.toolCalls.length === 0) {
        messages.pop();
        add({ ...last, toolCalls: calls });
      } else if (calls.length === 0) add({ role: 'assistant', content: '', toolCalls: calls });
      calls.push(readCall(item));
      replies.push(reply);
      continue;
    }
    endTurn();
    if (item.type === 'compaction') {
      add({ role: 'assistant', content: compactionText(item.encrypted_content) ?? '', toolCalls: [] });
    }
    if (item.type !== 'message') continue;
    if (item.role === 'assistant') {
      const content = item.content.map((part) => part.text).join('\n');
      add({ role: 'assistant', content, toolCalls: [] });
    } else messages.push(readTurn(item, param));
  }
  endTurn();
  return messages;
}

function readTurn({ role, content }: InputMessage, param: string): ReadMessage {
  const media = imagesOf(content, `${param}.content`);
  if (role === 'user' && media.length > 0) {
    const parts = content.map((part) =>
      part.type === 'input_text'
        ? ({ type: 'text', text: part.text } as const)
        : ({ type: 'image', url: part.image_url } as const),
    );
    return { message: { role, content: parts }, media };
  }
  const [image] = media;
  if (image !== undefined) {
    const sentence = `\`${image.param}\` is "input_image", but only users can show images.`;
    throw new ApiError('unsupported_value', sentence, { param: image.param });
  }
  return { message: { role: role === 'user' ? role : 'system', content: textOf(content) }, media };
}

/** The text parts, joined with a line feed. */
function textOf(parts: readonly InputContent[]): string {
  return parts.flatMap((part) => (part.type === 'input_text' ? [part.text] : [])).join('\n');
}

function imagesOf(parts: readonly InputContent[], path: string) {
  return parts.flatMap((part, index) =>
    part.type === 'input_image'
      ? [{ type: 'image', url: part.image_url, param: `${path}[${index}].type` } as const]
      : [],
  );
}

function isCall(item: ConversationItem): item is FunctionCall | CustomToolCall {
  return item.type === 'function_call' || item.type === 'custom_tool_call';
}

function readCall(item: FunctionCall | CustomToolCall): ToolCall {
  const { call_id: id } = item;
  const name = engineName(item.namespace, item.name);
  return item.type === 'function_call'
    ? { id, name, arguments: item.arguments }
    : { id, name, arguments: item.input, custom: true };
}

/** The outputs of each id of a call, in their order. */
function outputsByCall(items: readonly PlacedItem[]): Map<string, PlacedOutput[]> {
  const called = new Set(items.map(({ item }) => (isCall(item) ? item.call_id : null)));
  const outputs = new Map<string, PlacedOutput[]>();
  for (const { item, param } of items) {
    if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') continue;
    if (!called.has(item.call_id)) {
      const sentence = `\`${param}.call_id\` is ${quote(item.call_id)}, but no item of the conversation is the call of that id.`;
      throw new ApiError('invalid_value', sentence, { param: `${param}.call_id` });
    }
    outputs.set(item.call_id, [...(outputs.get(item.call_id) ?? []), { ...item, param }]);
  }
  return outputs;
}

function unanswered(callId: string): ApiError {
  const sentence = `\`input\`: no output replies to the call ${quote(callId)}.`;
  return new ApiError('invalid_value', sentence, { param: 'input' });
}
