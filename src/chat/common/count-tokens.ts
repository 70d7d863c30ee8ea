import type { Tabserve } from '../../page/index.ts';
import {
  UNSPECIFIED_REQUEST,
  type ChatMessage,
  type ImagePart,
  type TextPart,
  type Tool,
} from '../../shared/engine/completion-request.ts';
import { answerRequest } from '../api/answer-request.ts';
import type { ChatCompletionRequest, ContentPart } from '../types/chat-completion-request.ts';
import type { ConversationSettings, Message } from '../types/conversation.ts';

/**
 * Tokens of a text by itself, counted by a model's own tokenizer, as {@link countContext} does.
 * @throws ApiError as that does.
 */
export async function countText(tabserve: Tabserve, model: string, text: string): Promise<number> {
  const input = { type: 'text', text, prefix: false, markers: false } as const;
  const { tokens } = await tabserve.call('models/tokenize', { id: model, input, pieces: false });
  return tokens.length;
}

/**
 * Tokens that an image takes of a model that sees images, as {@link countContext} counts them.
 * @param url A `data:` address.
 * @throws ApiError as that does, and where the model sees none.
 */
export async function countImage(tabserve: Tabserve, model: string, url: string): Promise<number> {
  const count = async (content: readonly ImagePart[]) => {
    const request = { ...UNSPECIFIED_REQUEST, model, messages: [{ role: 'user', content } as const] };
    const input = { type: 'conversation', request, reply: false } as const;
    return (await tabserve.call('models/tokenize', { id: model, input, pieces: false })).tokens.length;
  };
  const [all, around] = await Promise.all([count([{ type: 'image', url }]), count([])]);
  return all - around;
}

/**
 * Tokens that a model would read before it answers, counted by its own tokenizer: the messages with the template around
 * them. Over the page's own port to the engine, for it is no request to the endpoint that the log should show.
 * @throws ApiError where the model is not on this device, or the engine is gone.
 */
export async function countContext(
  tabserve: Tabserve,
  model: string,
  path: readonly Message[],
  settings: ConversationSettings,
): Promise<number> {
  // The form of the answer is no part of the prompt.
  const { messages } = answerRequest(model, path, { ...settings, jsonSchema: '' }, 0);
  if (messages.length === 0) return 0;
  const request = {
    ...UNSPECIFIED_REQUEST,
    model,
    messages: messages.map(engineMessage),
    tools: await engineTools(settings),
  };
  const input = { type: 'conversation', request, reply: true } as const;
  const { tokens } = await tabserve.call('models/tokenize', { id: model, input, pieces: false });
  return tokens.length;
}

/** The tools that {@link settings} switch on, which are a part of the prompt; they are loaded where there are any. */
async function engineTools({ tools = [], jsonSchema }: ConversationSettings): Promise<readonly Tool[]> {
  if (tools.length === 0 || jsonSchema.trim() !== '') return [];
  const { toolDefinitions } = await import('../api/tool-definitions.ts');
  return toolDefinitions(tools).map((tool) => tool.function);
}

function engineMessage(message: ChatCompletionRequest['messages'][number]): ChatMessage {
  const { role, content, tool_calls: calls = [], tool_call_id: toolCallId = '' } = message;
  if (role === 'user') return { role, content: typeof content === 'string' ? content : content.map(enginePart) };
  // Only questions have parts.
  const text = typeof content === 'string' ? content : '';
  if (role === 'tool') return { role, content: text, toolCallId };
  if (role === 'system') return { role, content: text };
  return { role, content: text, toolCalls: calls.map(({ id, function: called }) => ({ id, ...called })) };
}

function enginePart(part: ContentPart): TextPart | ImagePart {
  return part.type === 'text' ? part : { type: 'image', url: part.image_url.url };
}
