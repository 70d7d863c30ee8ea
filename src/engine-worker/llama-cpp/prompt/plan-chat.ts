import { ApiError } from '../../../shared/api-error.ts';
import type { ChatMessage, CompletionRequest, Tool } from '../../../shared/engine/completion-request.ts';
import type { AnswerReaderOptions } from '../../answer/answer-reader.ts';
import { cutControlTokens } from '../../prompt/cut-control-tokens.ts';
import { toolPrompt } from '../../tools/tool-prompt.ts';
import type { ChatFormat } from './chat-format.ts';
import { fitConversation, NoLayout, plain, type Conversation } from './fit-conversation.ts';
import { layOut, type LaidOutMessage } from './lay-out.ts';
import type { Layout } from './layouts.ts';

/** What llama.cpp gets for a conversation, and how its answer is read. */
export interface ChatPlan {
  /** The rendered prompt; null if llama.cpp renders the messages. */
  readonly prompt: string | null;
  readonly messages: readonly LaidOutMessage[];
  readonly reading: {
    readonly thinking: AnswerReaderOptions['thinking'];
    /** Whether {@link SEPARATOR} was put into texts of the request, so that the model may repeat it. */
    readonly hasSeparators: boolean;
  };
}

/**
 * The word joiner, an invisible character. llama.cpp recognizes the texts of control tokens anywhere in a prompt; this
 * character within such a text makes it plain letters.
 */
export const SEPARATOR = '\u2060';

/** What every template can render: at most one system message, then turns that alternate. */
const PLAIN: Layout = { tools: 'text', system: 'before-user', turns: 'joined', args: 'object', ids: 'as-sent' };

/**
 * Renders a conversation as a prompt.
 * @param isConstrained Whether a grammar constrains the answer from its first token. The model then does not think.
 * @throws ApiError `invalid_value` that names the message, if the template accepts the conversation in no form.
 */
export function planChat(
  request: CompletionRequest,
  format: ChatFormat,
  modelId: string,
  isConstrained: boolean,
): ChatPlan {
  const { marks, template, controlTexts } = format;
  let hasSeparators = false;
  const conversation = conversationOf(request, isConstrained, (text) => {
    const pieces = cutControlTokens(text, controlTexts);
    if (pieces.length > 1) hasSeparators = true;
    return pieces.join(SEPARATOR);
  });
  const byLlamaCpp = () => ({
    prompt: null,
    messages: layOut(conversation.messages, PLAIN, conversation.toolPrompt, () => ''),
    reading: { thinking: null, hasSeparators },
  });
  if (template === null) return byLlamaCpp();
  const { messages, tools } = refusable(modelId, () => fitConversation(conversation, template, format.layouts));
  // llama.cpp puts the images into the prompt while it renders the template.
  if (messages.some(({ images }) => images.length > 0)) {
    return { prompt: null, messages, reading: { thinking: null, hasSeparators } };
  }
  const input = { messages: messages.map(plain), tools, thinking: conversation.thinking };
  const prompt = refusable(modelId, () => template.render(input));
  const isOpen = marks.thinking !== null && prompt.trimEnd().endsWith(marks.thinking.open);
  if (!isConstrained) {
    const thinking = marks.hasChannels ? 'channels' : marks.thinking && { markers: marks.thinking, open: isOpen };
    return { prompt, messages, reading: { thinking, hasSeparators } };
  }
  const end = marks.hasChannels ? '<|channel|>final<|message|>' : isOpen ? `\n${marks.thinking!.close}\n\n` : '';
  return { prompt: prompt + end, messages, reading: { thinking: null, hasSeparators } };
}

/** @throws ApiError `invalid_value` with the template's own sentence. */
function refusable<Result>(modelId: string, render: () => Result): Result {
  try {
    return render();
  } catch (thrown) {
    const turn = thrown instanceof NoLayout ? thrown.turn : null;
    const param = turn === null ? 'messages' : `messages[${turn}]`;
    const sentence = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ApiError('invalid_value', `\`${param}\`: the chat template of ${modelId} refuses them: ${sentence}`, {
      param,
      cause: thrown,
    });
  }
}

function conversationOf(
  request: CompletionRequest,
  isConstrained: boolean,
  cut: (text: string) => string,
): Conversation {
  const { toolChoice, messages, thinking } = request;
  const tools = toolChoice === 'none' ? [] : request.tools.map((tool) => cutTool(tool, cut));
  return {
    messages: messages.map((message) => cutMessage(message, cut)),
    tools,
    toolPrompt: tools.length > 0 ? toolPrompt(tools, toolChoice) : '',
    spell: null,
    thinking: isConstrained ? false : thinking,
  };
}

function cutMessage(message: ChatMessage, cut: (text: string) => string): ChatMessage {
  if (message.role === 'assistant') {
    const toolCalls = message.toolCalls.map((call) => ({ ...call, arguments: cut(call.arguments) }));
    return { ...message, content: cut(message.content), toolCalls };
  }
  if (message.role !== 'user' || typeof message.content === 'string') {
    return { ...message, content: cut(message.content as string) } as ChatMessage;
  }
  const content = message.content.map((part) => (part.type === 'text' ? { ...part, text: cut(part.text) } : part));
  return { ...message, content };
}

function cutTool(tool: Tool, cut: (text: string) => string): Tool {
  const parameters = tool.parameters && (JSON.parse(cut(JSON.stringify(tool.parameters))) as Tool['parameters']);
  return { ...tool, description: tool.description && cut(tool.description), parameters };
}
