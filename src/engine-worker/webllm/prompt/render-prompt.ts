import type { ChatCompletionUserMessageParam } from '@mlc-ai/web-llm';
import { systemPrefix, type ChatTemplate } from './chat-template.ts';
import { cutControlTokens } from '../../prompt/cut-control-tokens.ts';
import { turnParts, type TurnPart } from '../../prompt/user-content.ts';
import type { ControlTokens } from './control-tokens.ts';
import type { LaidOutMessage } from '../../prompt/lay-out.ts';

/** A part of a rendered prompt: a text, which WebLLM tokenizes separately from other parts, or the URL of an image. */
export type PromptPart = TurnPart;

const PLACEHOLDERS = {
  system: '{system_message}',
  user: '{user_message}',
  assistant: '{assistant_message}',
  tool: '{tool_message}',
  function: '{function_string}',
} as const;

/**
 * A text of the chat template (`trusted`) or of the request. Control tokens are neutralized only in the request's
 * texts.
 */
interface Text {
  readonly text: string;
  readonly trusted: boolean;
}

/**
 * Renders a conversation as a prompt like WebLLM 0.2.86 (`Conversation.getPromptArrayInternal`), including which texts
 * are tokenized together. Differences: placeholders and control tokens in the request's texts are not interpreted;
 * separators depend on the role, not on the position; the answer may follow any turn.
 *
 * @param messages A system message may be the first one. Without it, the template's default applies.
 * @param opening What is prefilled as the beginning of the model's answer: a text of the template, and one of the request.
 * Both may be empty.
 */
export function renderPrompt(
  messages: readonly LaidOutMessage[],
  template: ChatTemplate,
  control: ControlTokens,
  [opening, answerPrefix]: readonly [string, string],
): PromptPart[] {
  const prefix = systemPrefix(template, control).texts.map((text) => ({ text }));
  const [first] = messages;
  const hasOwnSystem = first?.role === 'system';
  const systemText = hasOwnSystem ? first.content : template.system_message;
  const hasSystem = systemText !== '' || template.render_empty_system_message;
  const head = hasSystem ? fill(template.system_template, PLACEHOLDERS.system, systemText) : [];
  const turns = hasOwnSystem ? messages.slice(1) : messages;
  const body = turns.flatMap((turn, index) => {
    const bare = index === 0 && !template.add_role_after_system_message && head.some(({ text }) => text !== '');
    return renderTurn(turn, template, bare, control);
  });
  const separator = opening + answerPrefix === '' ? template.role_empty_sep : template.role_content_sep;
  const header = template.roles.assistant + separator + opening;
  const reply = [
    { text: header, trusted: true },
    { text: answerPrefix, trusted: false },
  ];
  return [...prefix, ...textParts(head, control), ...body, ...textParts(reply, control)].filter(
    (part) => !('text' in part) || part.text !== '',
  );
}

/** The text at the end of a prompt that starts the assistant's turn, if the answer has no `opening`. */
export function replyHeader(template: ChatTemplate): string {
  return template.roles.assistant + template.role_empty_sep;
}

/** Renders one turn. @param bare Whether to omit the header of the turn's role. */
function renderTurn(
  turn: LaidOutMessage,
  template: ChatTemplate,
  bare: boolean,
  control: ControlTokens,
): readonly PromptPart[] {
  const names: Readonly<Partial<Record<LaidOutMessage['role'], string | null>>> = template.roles;
  const role = bare ? '' : (names[turn.role] ?? '') + template.role_content_sep;
  const layout = template.role_templates[turn.role];
  const message: Text[] =
    layout === undefined
      ? [{ text: turn.content, trusted: false }]
      : fill(layout, PLACEHOLDERS[turn.role], turn.content);
  const separators = template.seps;
  const separator = separators[turn.role === 'assistant' ? 1 % separators.length : 0] ?? '';
  const parts = textParts([{ text: role, trusted: true }, ...message, { text: separator, trusted: true }], control);
  return turn.images.length === 0
    ? parts
    : turnParts(
        parts.map(({ text }) => text),
        turn.images,
      );
}

/**
 * Inserts a text of the request at the first `placeholder` of a template text. The inserted text is not interpreted.
 */
function fill(layout: string, placeholder: string, text: string): Text[] {
  const at = layout.indexOf(placeholder);
  if (at < 0) return [templateText(layout)];
  return [
    templateText(layout.slice(0, at)),
    { text, trusted: false },
    templateText(layout.slice(at + placeholder.length)),
  ];
}

/**
 * Returns a text of the template without WebLLM's placeholder for functions, because the system message describes the
 * tools instead.
 */
function templateText(text: string): Text {
  return { text: text.replaceAll(PLACEHOLDERS.function, ''), trusted: true };
}

/** Joins texts into as few parts as possible. A part ends where a text of the request contains a control token. */
function textParts(texts: readonly Text[], control: ControlTokens): readonly { readonly text: string }[] {
  const parts: string[] = [''];
  for (const { text, trusted } of texts) {
    const [first = '', ...others] = trusted ? [text] : cutControlTokens(text, control.texts);
    parts[parts.length - 1] += first;
    parts.push(...others);
  }
  return parts.map((text) => ({ text }));
}

/** Converts a rendered prompt to WebLLM's messages: one user message for each part. */
export function promptMessages(parts: readonly PromptPart[]): ChatCompletionUserMessageParam[] {
  return parts.map((part) => ({
    role: 'user',
    content: 'text' in part ? part.text : [{ type: 'image_url', image_url: { url: part.image } }],
  }));
}
