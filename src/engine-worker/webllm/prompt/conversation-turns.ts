import type { ChatMessage, ImagePart } from '../../../shared/engine/completion-request.ts';
import { toolCallText, toolReplyText } from '../tools/tool-syntax.ts';

/** A turn as templates know them: text, with the images that belong to it. */
export interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly images: readonly string[];
}

export interface Turns {
  /** Null where the conversation has no system message; the template's own applies. */
  readonly system: string | null;
  readonly turns: readonly Turn[];
}

/**
 * Brings any order of messages into the form that every template can render: at most one system text in
 * front, then turns.
 *
 * - System messages before the first turn are joined by a blank line.
 * - A later one goes in front of the user turn that follows it, where it was meant to take effect, or
 *   becomes a user turn if none follows at once.
 * - A conversation of system messages only becomes a user turn: most models answer nothing but a user.
 * - Tool calls of the assistant are written in the syntax the model is asked to use.
 *
 * @param hasToolRole Whether the template can render a tool's turn; if not it becomes a user turn.
 */
export function conversationTurns(messages: readonly ChatMessage[], hasToolRole: boolean): Turns {
  const turns: Turn[] = [];
  const leading: string[] = [];
  let pending: string[] = [];
  const settle = () => {
    if (pending.length > 0) turns.push(textTurn('user', pending.join('\n\n')));
    pending = [];
  };
  for (const message of messages) {
    if (message.role === 'system') {
      (turns.length === 0 ? leading : pending).push(message.content);
      continue;
    }
    if (message.role === 'user') {
      const { text, images } = userContent(message.content);
      turns.push({ role: 'user', text: [...pending, text].join('\n\n'), images });
      pending = [];
      continue;
    }
    settle();
    if (message.role === 'assistant') {
      const calls = message.toolCalls.map((call) => toolCallText(call.name, call.arguments, call.custom));
      turns.push(textTurn('assistant', [message.content, ...calls].filter((part) => part !== '').join('\n')));
    } else {
      const role = hasToolRole ? 'tool' : 'user';
      turns.push(textTurn(role, hasToolRole ? message.content : toolReplyText(message.content)));
    }
  }
  settle();
  const system = leading.length > 0 ? leading.join('\n\n') : null;
  if (turns.length === 0) return { system: null, turns: [textTurn('user', system ?? '')] };
  return { system, turns };
}

function textTurn(role: Turn['role'], text: string): Turn {
  return { role, text, images: [] };
}

type UserContent = Extract<ChatMessage, { role: 'user' }>['content'];

function userContent(content: UserContent): { text: string; images: readonly string[] } {
  if (typeof content === 'string') return { text: content, images: [] };
  return {
    text: content
      .filter((part) => part.type === 'text')
      .map(({ text }) => text)
      .join('\n'),
    images: content.filter((part): part is ImagePart => part.type === 'image').map(({ url }) => url),
  };
}
