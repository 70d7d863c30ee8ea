import { imageAddress } from './image-address.ts';
import type {
  ExpectedContent,
  Prompt,
  PromptContent,
  PromptContentType,
  PromptRole,
} from './language-model-options.ts';
import type { ToolCall } from './read-tools.ts';

/** A message in the form of a chat completion. */
export interface ChatMessage {
  readonly role: PromptRole | 'tool';
  readonly content: string | readonly ContentPart[];
  /** Calls of tools that the assistant made. Default: none. */
  readonly tool_calls?: readonly ToolCall[];
  /** Id of the call whose result this message (of the role `tool`) contains. */
  readonly tool_call_id?: string;
}

export interface ReadPrompt {
  readonly messages: readonly ChatMessage[];
  /** The text that the model continues; null for a new answer. It is not part of `messages`. */
  readonly prefix: string | null;
}

/** Messages, and the tools that the model may call. */
export interface Conversation {
  readonly messages: readonly ChatMessage[];
  /** As `tools` of a chat completion. */
  readonly tools: readonly object[];
}

type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

const ROLES: readonly unknown[] = ['system', 'user', 'assistant'] satisfies PromptRole[];
const TYPES: readonly unknown[] = [
  'text',
  'image',
  'audio',
  'tool-call',
  'tool-response',
] satisfies PromptContentType[];

/** Types of content and languages that a session expects. */
export interface ExpectedContents {
  readonly types: readonly PromptContentType[];
  readonly languages: readonly string[];
}

/** Reads what a session expects. @throws TypeError for an unknown type, RangeError for a wrong language tag. */
export function readExpected(expected: Iterable<ExpectedContent> = []): ExpectedContents {
  const read = Array.from(expected, ({ type, languages = [] }) => {
    requireMember(TYPES, type);
    return { type, languages: Intl.getCanonicalLocales([...languages]) };
  });
  return { types: read.map(({ type }) => type), languages: read.flatMap(({ languages }) => languages) };
}

/** Whether a model that knows some languages knows all the expected ones. Regions and scripts are not compared. */
export function knowsLanguages(known: readonly string[], expected: readonly string[]): boolean {
  const languages = new Set(known.map(primaryLanguage));
  return expected.every((tag) => languages.has(primaryLanguage(tag)));
}

function primaryLanguage(tag: string): string {
  return new Intl.Locale(tag).language;
}

/**
 * Checks and converts a prompt, by the steps "validate and canonicalize a prompt" of the specification.
 * @param types Types of content that the session expects. Text is always allowed.
 * @param goesOn Whether messages precede this prompt. If so, it must not contain a system message.
 * @throws TypeError, or DOMException `SyntaxError` or `NotSupportedError`, if the prompt is invalid or unsupported.
 */
export async function readPrompt(
  input: Prompt,
  types: readonly PromptContentType[],
  goesOn: boolean,
): Promise<ReadPrompt> {
  if (!isSequence(input)) return { messages: [{ role: 'user', content: stringOf(input) }], prefix: null };
  const given = [...input];
  const messages: ChatMessage[] = [];
  let begun: string | null = null;
  for (const [index, message] of given.entries()) {
    if (typeof message !== 'object' || message === null) throw new TypeError('A message must be an object.');
    const { role, content, prefix = false } = message;
    requireMember(ROLES, role);
    if (prefix && (role !== 'assistant' || index < given.length - 1)) {
      throw new DOMException(
        'Only the last message can be a prefix, and it must be one of the assistant.',
        'SyntaxError',
      );
    }
    if (role === 'system' && (goesOn || index > 0)) {
      throw new TypeError('A message of the role "system" must be the first of the session.');
    }
    const read = await readContent(content, role, types);
    // Only a message of the assistant can be a prefix, and its content is always text.
    if (prefix) begun = read as string;
    else messages.push({ role, content: read });
  }
  return { messages, prefix: begun };
}

async function readContent(
  content: string | Iterable<PromptContent>,
  role: PromptRole,
  types: readonly PromptContentType[],
): Promise<ChatMessage['content']> {
  if (!isSequence(content)) return stringOf(content);
  const parts: ContentPart[] = [];
  for (const { type, value } of content) {
    requireMember(TYPES, type);
    if (type !== 'text' && (role === 'assistant' || !types.includes(type))) {
      throw new DOMException(`The session does not expect content of the type "${type}" here.`, 'NotSupportedError');
    }
    if (type === 'text') {
      if (typeof value !== 'string') throw new TypeError('The value of a text must be a string.');
      parts.push({ type: 'text', text: value });
    } else parts.push({ type: 'image_url', image_url: { url: await imageAddress(value) } });
  }
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('') : parts;
}

/** Whether Web IDL converts a value to a sequence rather than to a string. */
function isSequence<Item>(value: string | Iterable<Item>): value is Exclude<Iterable<Item>, string> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** Converts a value to a string as Web IDL does, because a page may pass any value. */
function stringOf(value: unknown): string {
  return String(value);
}

function requireMember(allowed: readonly unknown[], value: unknown): void {
  if (!allowed.includes(value)) throw new TypeError(`"${String(value)}" is none of ${allowed.join(', ')}.`);
}

/** Returns the text of a message without its images. */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Returns the messages of a prompt that is not answered. A prefix is then a message like any other. */
export function allMessages({ messages, prefix }: ReadPrompt): readonly ChatMessage[] {
  return prefix === null ? messages : [...messages, { role: 'assistant', content: prefix }];
}
