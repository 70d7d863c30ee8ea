import type { Tabserve } from '../../page/index.ts';
import type { ChatMessage, ImagePart, TextPart, Tool } from '../../shared/engine/completion-request.ts';
import { REQUEST_DEFAULTS } from '../../shared/engine/request-defaults.ts';
import { answerRequest } from '../api/answer-request.ts';
import { instructionsForAllChats } from '../storage/all-chats-settings.ts';
import type { ChatCompletionRequest, ContentPart } from '../types/chat-completion-request.ts';
import type { ConversationSettings, Message, Question } from '../types/conversation.ts';

/**
 * Counts the tokens of a text without a chat template.
 * @throws ApiError as {@link countContext} does.
 */
export async function countText(tabserve: Tabserve, model: string, text: string): Promise<number> {
  const input = { type: 'text', text, prefix: false, markers: false } as const;
  const { tokens } = await tabserve.call('models/tokenize', { id: model, input, pieces: false });
  return tokens.length;
}

/**
 * Counts the tokens of an image.
 * @param url A `data:` URL.
 * @throws ApiError as {@link countContext} does, and if the model accepts no images.
 */
export async function countImage(tabserve: Tabserve, model: string, url: string): Promise<number> {
  const count = async (content: readonly ImagePart[]) => {
    const request = { ...REQUEST_DEFAULTS, model, messages: [{ role: 'user', content } as const] };
    const input = { type: 'conversation', request, reply: false } as const;
    return (await tabserve.call('models/tokenize', { id: model, input, pieces: false })).tokens.length;
  };
  const [all, around] = await Promise.all([count([{ type: 'image', url }]), count([])]);
  return all - around;
}

/**
 * Counts the tokens of a prompt with the model's tokenizer and chat template. It uses the page's port to the engine, so
 * that nothing is logged as a request.
 * @throws ApiError if the model is not on this device or the engine is gone.
 */
export async function countContext(
  tabserve: Tabserve,
  model: string,
  path: readonly Message[],
  settings: ConversationSettings,
): Promise<number> {
  // The JSON Schema is omitted, because it is not part of the prompt.
  const { messages } = answerRequest(
    model,
    path,
    { ...settings, instructions: instructionsForAllChats(), jsonSchema: '' },
    0,
  );
  if (messages.length === 0) return 0;
  const request = {
    ...REQUEST_DEFAULTS,
    model,
    messages: messages.map(engineMessage),
    tools: await engineTools(settings),
  };
  const input = { type: 'conversation', request, reply: true } as const;
  const { tokens } = await tabserve.call('models/tokenize', { id: model, input, pieces: false });
  return tokens.length;
}

/**
 * The counts of the messages before a draft, which stay the same while the user writes the draft. See
 * {@link countWithDraft}.
 */
const counted = new WeakMap<readonly Message[], { readonly key: string; readonly tokens: Promise<number> }>();

/**
 * Counts the tokens of a prompt that ends with a draft, as {@link countContext} would. The messages before the draft
 * are counted once: those of a long conversation would keep the engine busy after each word.
 * @param path The messages before the draft. The same array is not counted again.
 * @throws ApiError as {@link countContext} does.
 */
export async function countWithDraft(
  tabserve: Tabserve,
  model: string,
  path: readonly Message[],
  draft: Question,
  settings: ConversationSettings,
): Promise<number> {
  const count = (messages: readonly Message[]) => countContext(tabserve, model, messages, settings);
  // A placeholder for the draft. It has text, because a message without text would be left out of the prompt.
  const blank: Question = { ...draft, text: '.', attachments: [] };
  const key = JSON.stringify([model, settings.systemPrompt, settings.tools, settings.jsonSchema]);
  let before = counted.get(path);
  if (before?.key !== key) {
    before = { key, tokens: count([...path, blank]) };
    counted.set(path, before);
    before.tokens.catch(() => counted.delete(path));
  }
  const [base, written, empty] = await Promise.all([before.tokens, count([draft]), count([blank])]);
  return base + written - empty;
}

/** Returns the tools of the prompt. Their definitions are loaded only if the chat uses tools. */
async function engineTools({ tools = [], jsonSchema }: ConversationSettings): Promise<readonly Tool[]> {
  if (tools.length === 0 || jsonSchema.trim() !== '') return [];
  const { toolDefinitions } = await import('../api/tool-definitions.ts');
  return toolDefinitions(tools).map((tool) => tool.function);
}

function engineMessage(message: ChatCompletionRequest['messages'][number]): ChatMessage {
  const { role, content, tool_calls: calls = [], tool_call_id: toolCallId = '' } = message;
  if (role === 'user') return { role, content: typeof content === 'string' ? content : content.map(enginePart) };
  // Only the content of user messages may consist of parts.
  const text = typeof content === 'string' ? content : '';
  if (role === 'tool') return { role, content: text, toolCallId };
  if (role === 'system') return { role, content: text };
  return { role, content: text, toolCalls: calls.map(({ id, function: called }) => ({ id, ...called })) };
}

function enginePart(part: ContentPart): TextPart | ImagePart {
  return part.type === 'text' ? part : { type: 'image', url: part.image_url.url };
}
