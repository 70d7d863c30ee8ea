import { ApiError } from '../../../shared/api-error.ts';
import type { ChatMessage, CompletionRequest, Tool } from '../../../shared/engine/completion-request.ts';
import type { ThinkingMarkers } from '../../answer/thinking-splitter.ts';
import type { AnswerReaderOptions } from '../../answer/answer-reader.ts';
import { assumedThinking, withoutThoughts } from '../../answer/usual-thinking.ts';
import { cutControlTokens } from '../../prompt/cut-control-tokens.ts';
import { layOut, type LaidOutMessage } from '../../prompt/lay-out.ts';
import type { Layout } from '../../prompt/layouts.ts';
import { toolPrompt } from '../../tools/tool-prompt.ts';
import { imageAddresses } from '../decode-images.ts';
import type { CallSyntax } from '../../tools/call-syntax/call-syntax.ts';
import { HERMES } from '../../tools/call-syntax/call-syntaxes.ts';
import { distinctSyntax } from '../../tools/call-syntax/distinct-syntax.ts';
import type { AllowedThinking } from '../request-gbnf.ts';
import type { ChatFormat } from './chat-format.ts';
import { fitConversation, NoLayout, plain, type Conversation } from './fit-conversation.ts';

/** What llama.cpp gets for a conversation, and how its answer is read. */
export interface ChatPlan {
  /** The rendered prompt; null if llama.cpp renders the messages. */
  readonly prompt: string | null;
  readonly messages: readonly LaidOutMessage[];
  /** Whether llama.cpp's rendering asks for thinking; null: as llama.cpp likes, which asks for it. */
  readonly rendersThinking: boolean | null;
  /** The syntax in which the model is asked to call tools. */
  readonly syntax: CallSyntax;
  /** The syntax in which the model was trained to call tools, and may do so without having any. */
  readonly strayCalls: CallSyntax;
  /** The thinking that may precede an answer that a grammar constrains; null if the model shall not think then. */
  readonly allowedThinking: AllowedThinking | null;
  readonly thinking: AnswerReaderOptions['thinking'];
  /** Whether {@link SEPARATOR} was put into texts of the request, so that the model may repeat it. */
  readonly hasSeparators: boolean;
}

/**
 * The word joiner, an invisible character. llama.cpp recognizes the texts of control tokens anywhere in a prompt; this
 * character within such a text makes it plain letters.
 */
export const SEPARATOR = '\u2060';

/** What every template can render: at most one system message, then turns that alternate. */
const PLAIN: Layout = { tools: 'text', system: 'before-user', turns: 'joined', args: 'object', ids: 'as-sent' };

/** The thinking before a constrained answer in channels: a message in the channel `analysis`, then the header of the next one. */
const CHANNEL_THINKING = {
  open: '<|channel|>analysis<|message|>',
  close: '<|end|><|start|>assistant',
  isOpen: false,
  lead: '<|channel|>final<|message|>',
};

/**
 * Renders a conversation as a prompt.
 * @throws ApiError `invalid_value` that names the message, if the template accepts the conversation in no form, or that
 * names the tools, as in {@link distinctSyntax}.
 */
export function planChat(request: CompletionRequest, format: ChatFormat, modelId: string): ChatPlan {
  const { marks, template, controlTexts } = format;
  const { answerPrefix } = request;
  let hasSeparators = false;
  const cut = (text: string) => {
    const pieces = cutControlTokens(text, controlTexts);
    if (pieces.length > 1) hasSeparators = true;
    return pieces.join(SEPARATOR);
  };
  const conversation = conversationOf(request, format, cut);
  const strayCalls = format.syntax;
  const hasNoMarks = marks.thinking === null && !marks.hasChannels;
  const thinking = hasNoMarks ? assumedThinking(request) : null;
  const unread = { syntax: distinctSyntax(request, HERMES), strayCalls, allowedThinking: null, thinking };
  if (template === null) {
    if (answerPrefix !== '') throw cannotBeginAnswer(modelId, 'whose chat template is not known well enough for that');
    const messages = layOut(conversation.messages, PLAIN, conversation.toolPrompt, () => '');
    return { prompt: null, messages, rendersThinking: conversation.thinking, ...unread, hasSeparators };
  }
  const { layout, messages, tools } = refusable(modelId, () => fitConversation(conversation, template, format.layouts));
  const input = { messages: messages.map(plain), tools, thinking: conversation.thinking };
  const prompt = refusable(modelId, () => template.render(input));
  // llama.cpp puts the images into the prompt while it renders the template.
  if (messages.some(({ images }) => images.length > 0)) {
    if (answerPrefix !== '') throw cannotBeginAnswer(modelId, 'which llama.cpp runs, in a conversation with images');
    // Without a word about thinking the template decides. llama.cpp always says one.
    const rendersThinking = conversation.thinking ?? template.render({ ...input, thinking: true }) === prompt;
    return { prompt: null, messages, rendersThinking, ...unread, hasSeparators };
  }
  const syntax = distinctSyntax(request, layout.tools === 'text' ? HERMES : format.syntax);
  const read = { messages, rendersThinking: null, syntax, strayCalls, hasSeparators };
  if (answerPrefix !== '') {
    // No thinking precedes an answer whose beginning is given. A block that the template has opened is closed.
    const isThinking = marks.thinking !== null && prompt.trimEnd().endsWith(marks.thinking.open);
    const lead = marks.hasChannels ? CHANNEL_THINKING.lead : isThinking ? closingOf(marks.thinking) : '';
    const begun = prompt + lead + cut(answerPrefix);
    return { prompt: begun, ...read, hasSeparators, allowedThinking: null, thinking: null };
  }
  if (marks.hasChannels) return { prompt, ...read, allowedThinking: CHANNEL_THINKING, thinking: 'channels' };
  if (marks.thinking === null) return { prompt, ...read, allowedThinking: null, thinking };
  const isOpen = prompt.trimEnd().endsWith(marks.thinking.open);
  // Some templates open the block even if thinking is switched off.
  const closing = isOpen && conversation.thinking === false ? closingOf(marks.thinking) : '';
  return {
    prompt: prompt + closing,
    ...read,
    allowedThinking: conversation.thinking === false ? null : { ...marks.thinking, isOpen },
    thinking: { markers: marks.thinking, open: isOpen && closing === '' },
  };
}

/** Ends an empty thinking block. */
function closingOf({ close }: ThinkingMarkers): string {
  return `\n${close}\n\n`;
}

function cannotBeginAnswer(modelId: string, why: string): ApiError {
  const sentence = `\`messages\`: the beginning of an answer cannot be given to ${modelId}, ${why}. End with a message of the user.`;
  return new ApiError('unsupported_value', sentence, { param: 'messages' });
}

/** @throws ApiError `invalid_value` with the template's own sentence. */
function refusable<Result>(modelId: string, render: () => Result): Result {
  try {
    return render();
  } catch (thrown) {
    const turn = thrown instanceof NoLayout ? thrown.turn : null;
    const param = turn === null ? 'messages' : `messages[${turn}]`;
    const sentence = (thrown instanceof Error ? thrown.message : String(thrown)).replaceAll(/\s+/g, ' ');
    throw new ApiError('invalid_value', `\`${param}\`: the chat template of ${modelId} refuses them: ${sentence}`, {
      param,
      cause: thrown,
    });
  }
}

function conversationOf(request: CompletionRequest, format: ChatFormat, cut: (text: string) => string): Conversation {
  const { toolChoice, messages, answerPrefix, thinking } = request;
  const tools = toolChoice === 'none' ? [] : request.tools.map((tool) => cutTool(tool, cut));
  return {
    messages: withoutThoughts(request).map((message) => cutMessage(message, cut)),
    tools,
    toolPrompt: tools.length > 0 ? toolPrompt(tools, toolChoice) : '',
    spell: format.spell,
    thinking: answerPrefix === '' ? thinking : false,
    // llama.cpp renders the messages with images, and its own grammars of tools would exclude the request's.
    toolsAsText: imageAddresses(messages).length > 0,
  };
}

function cutMessage(message: ChatMessage, cut: (text: string) => string): ChatMessage {
  if (message.role === 'assistant') {
    const toolCalls = message.toolCalls.map(({ id, name, arguments: text, ...call }) => ({
      ...call,
      id: cut(id),
      name: cut(name),
      arguments: cutJson(text, cut),
    }));
    return { ...message, content: cut(message.content), toolCalls };
  }
  if (message.role === 'tool')
    return { ...message, content: cut(message.content), toolCallId: cut(message.toolCallId) };
  if (message.role !== 'user' || typeof message.content === 'string') {
    return { ...message, content: cut(message.content as string) } as ChatMessage;
  }
  const content = message.content.map((part) => (part.type === 'text' ? { ...part, text: cut(part.text) } : part));
  return { ...message, content };
}

function cutTool(tool: Tool, cut: (text: string) => string): Tool {
  const parameters =
    tool.parameters && (JSON.parse(cutJson(JSON.stringify(tool.parameters), cut)) as Tool['parameters']);
  return { ...tool, description: tool.description && cut(tool.description), parameters };
}

/** Cuts the texts and names in a JSON text, which stand there in other letters. A text that is no JSON is cut itself. */
function cutJson(json: string, cut: (text: string) => string): string {
  try {
    const value: unknown = JSON.parse(json, (_name, part: unknown) => {
      if (typeof part === 'string') return cut(part);
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).map(([name, member]) => [cut(name), member]));
    });
    // Unchanged arguments keep the white space in which the model wrote them.
    const changed = JSON.stringify(value);
    return changed === JSON.stringify(JSON.parse(json)) ? json : changed;
  } catch {
    return cut(json);
  }
}
