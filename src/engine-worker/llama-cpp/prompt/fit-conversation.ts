import type { ChatMessage, Tool, ToolCall } from '../../../shared/engine/completion-request.ts';
import { argumentsSchema } from '../../grammar/request-grammar.ts';
import { layOut, type LaidOutMessage } from '../../prompt/lay-out.ts';
import { layouts, type Layout } from '../../prompt/layouts.ts';
import type { TemplateMessage } from '../../prompt/template-message.ts';
import type { ChatTemplate, TemplateTool } from './chat-template.ts';

export interface Conversation {
  readonly messages: readonly ChatMessage[];
  /** The tools that the model may call; empty if it may call none. */
  readonly tools: readonly Tool[];
  /** Describes the tools for a template that cannot. */
  readonly toolPrompt: string;
  /** Writes calls as text in the template's own syntax; null if that syntax is not known. */
  readonly spell: ((calls: readonly ToolCall[]) => string) | null;
  readonly thinking: boolean | null;
  /** Whether the template must get tools, calls and results as text. */
  readonly toolsAsText: boolean;
}

/** A conversation in the form that a chat template accepts without leaving anything out. */
export interface FittedConversation {
  readonly layout: Layout;
  readonly messages: readonly LaidOutMessage[];
  readonly tools: readonly TemplateTool[];
}

/** A copy of a conversation with unique words in place of its texts, and the words. */
interface Probe {
  readonly probe: Conversation;
  readonly words: readonly string[];
}

/** How many layouts are remembered. Their keys hold the schemas of the tools. */
const MAX_LAYOUTS = 100;

/** Why no layout of a conversation can be rendered. */
export class NoLayout extends Error {
  /** Index of the message in the request at which the template refuses every layout; null if it is not one message. */
  readonly turn: number | null;

  constructor(sentence: string, turn: number | null) {
    super(sentence);
    this.turn = turn;
  }
}

/**
 * Finds the layout closest to the request in which the template writes every text of a conversation. Whether it does is
 * tried with a copy of the conversation whose texts are replaced by unique words, because templates trim texts, or read
 * marks in them.
 * @param known Layouts found earlier, by the shape of the conversation. The found one is added.
 * @throws NoLayout with the template's own sentence if there is none.
 */
export function fitConversation(
  conversation: Conversation,
  template: ChatTemplate,
  known: Map<string, Layout>,
): FittedConversation {
  const probed = probeOf(conversation);
  const key = shapeOf(probed.probe);
  const layout = known.get(key) ?? findLayout(conversation, probed, template);
  if (known.size >= MAX_LAYOUTS) known.clear();
  known.set(key, layout);
  return inLayout(conversation, layout);
}

function inLayout({ messages, tools, toolPrompt, spell }: Conversation, layout: Layout): FittedConversation {
  const asText = layout.tools === 'text';
  return {
    layout,
    messages: layOut(messages, layout, asText && tools.length > 0 ? toolPrompt : '', spell ?? (() => '')),
    tools: asText ? [] : tools.map(templateTool),
  };
}

function templateTool({ name, description, parameters }: Tool): TemplateTool {
  return {
    type: 'function',
    function: { name, ...(description !== null && { description }), parameters: argumentsSchema(parameters) },
  };
}

function findLayout(conversation: Conversation, { probe, words }: Probe, template: ChatTemplate): Layout {
  // A template that writes any role would write a result as a turn that the model has never seen.
  const readsResults = /['"](?:tool|ipython)['"]|\btools\b/.test(template.source);
  const hasResults = conversation.messages.some(({ role }) => role === 'tool');
  const needsText =
    conversation.toolsAsText ||
    (hasResults && !readsResults) ||
    conversation.tools.some(({ custom }) => custom !== undefined);
  const usesTools =
    conversation.tools.length > 0 ||
    conversation.messages.some(
      ({ role, ...rest }) => role === 'tool' || ('toolCalls' in rest && rest.toolCalls.length > 0),
    );
  const hasCalls = conversation.messages.some(
    (message) => message.role === 'assistant' && message.toolCalls.length > 0,
  );
  const leavesOutCalls = hasCalls && !template.source.includes('tool_calls');
  let complaint: string | null = null;
  for (const layout of layouts(usesTools)) {
    if (layout.tools !== 'text' && needsText) continue;
    if (layout.tools === 'native' && leavesOutCalls) continue;
    if (layout.tools === 'spelled' && conversation.spell === null) continue;
    const problem = problemOf(probe, words, layout, template);
    if (problem === null) return layout;
    complaint = problem;
  }
  throw new NoLayout(complaint ?? 'it has no messages', turnRefused(conversation, template));
}

/** Returns why a template cannot render a probe in a layout; null if it can. */
function problemOf(
  probe: Conversation,
  words: readonly string[],
  layout: Layout,
  template: ChatTemplate,
): string | null {
  const { messages, tools } = inLayout(probe, layout);
  try {
    const text = template.render({ messages: messages.map(plain), tools, thinking: probe.thinking });
    const lost = words.find((word) => !text.includes(word));
    return lost === undefined ? null : 'the template leaves out a part of the conversation';
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

/** Returns the index of the first message with which no layout is left; null if the template refuses even one turn. */
function turnRefused({ messages, ...rest }: Conversation, template: ChatTemplate): number | null {
  const isRefused = (length: number) => {
    const { probe, words } = probeOf({ messages: messages.slice(0, length), ...rest });
    return layouts(true).every((layout) => problemOf(probe, words, layout, template) !== null);
  };
  if (isRefused(1)) return null;
  let [accepted, refused] = [1, messages.length];
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if (isRefused(middle)) refused = middle;
    else accepted = middle;
  }
  return refused - 1;
}

/** Returns a message without what only this folder reads. */
export function plain(message: LaidOutMessage): TemplateMessage {
  const { images, ...rest } = message;
  void images;
  return rest;
}

/**
 * Returns what decides the layout of a conversation, as a key: all of its probe, but of ids only their lengths and which
 * call a result names.
 */
function shapeOf({ messages, tools, thinking, toolsAsText }: Conversation): string {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
  );
  const turns = messages.map((message) => {
    if (message.role === 'tool') {
      const { toolCallId: id } = message;
      return { ...message, toolCallId: [id.length, ids.indexOf(id)] };
    }
    if (message.role !== 'assistant') return message;
    return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, id: call.id.length })) };
  });
  return JSON.stringify([turns, tools, thinking, toolsAsText]);
}

/**
 * Replaces the texts in the arguments of a call by words. Arguments without a text get one more, so that a template that
 * leaves out the call is noticed.
 */
function withWords(text: string, word: (text: string) => string): string {
  try {
    let hasText = false;
    const replaced = JSON.parse(text === '' ? '{}' : text, (_key, value: unknown) => {
      if (typeof value !== 'string') return value;
      hasText = true;
      return word(value);
    }) as unknown;
    const isObject = typeof replaced === 'object' && replaced !== null && !Array.isArray(replaced);
    return JSON.stringify(isObject && !hasText ? { ...replaced, probe: word('text') } : replaced);
  } catch {
    return word(text);
  }
}

/** Returns a copy of a conversation with words in place of its texts, and the words. */
function probeOf(conversation: Conversation): Probe {
  const words: string[] = [];
  const word = (text: string) => {
    if (text === '') return '';
    const made = `probe${words.length}word`;
    words.push(made);
    return made;
  };
  const names = new Map<string, string>();
  const nameOf = (name: string) => {
    const made = names.get(name) ?? word(name);
    names.set(name, made);
    return made;
  };
  const messages = conversation.messages.map((message): ChatMessage => {
    if (message.role === 'user' && typeof message.content !== 'string') {
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'text' ? { ...part, text: word(part.text) } : { ...part, url: '' },
        ),
      };
    }
    if (message.role !== 'assistant') return { ...message, content: word(message.content as string) } as ChatMessage;
    return {
      ...message,
      content: word(message.content),
      toolCalls: message.toolCalls.map((call) => ({
        ...call,
        name: nameOf(call.name),
        arguments: withWords(call.arguments, word),
      })),
    };
  });
  const tools = conversation.tools.map((tool) => ({
    ...tool,
    name: nameOf(tool.name),
    description: tool.description && word(tool.description),
  }));
  const toolPrompt = tools.map(({ name, description }) => `${name} ${description ?? ''}`).join(' ');
  return { probe: { ...conversation, messages, tools, toolPrompt }, words };
}
