import type { ChatMessage, ImagePart } from '../../shared/engine/completion-request.ts';
import { toolCallText, toolReplyText } from './tool-syntax.ts';

/** One turn of a conversation as chat templates render it: a text and its images. */
export interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly images: readonly string[];
}

export interface Turns {
  /** The system message. If null, the default of the chat template applies. */
  readonly system: string | null;
  readonly turns: readonly Turn[];
}

/**
 * Converts messages in any order into a form that every chat template can render: at most one system message, then
 * turns.
 *
 * - System messages before the first turn are joined by a blank line.
 * - A later system message is prepended to the user turn right after it. If another role follows, it becomes a user
 *   turn.
 * - If all messages are system messages, they become one user turn, because most models answer only users.
 * - Tool calls of the assistant are written in the syntax that the model is asked to use.
 *
 * @param hasToolRole Whether the template can render a tool turn. If not, tool messages become user turns.
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

/** Returns the texts of a user's message, joined by line feeds, and the addresses of its images. */
export function userContent(content: UserContent): { text: string; images: readonly string[] } {
  if (typeof content === 'string') return { text: content, images: [] };
  return {
    text: content
      .filter((part) => part.type === 'text')
      .map(({ text }) => text)
      .join('\n'),
    images: content.filter((part): part is ImagePart => part.type === 'image').map(({ url }) => url),
  };
}
