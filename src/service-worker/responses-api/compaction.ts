import type { ChatMessage } from '../../shared/engine/completion-request.ts';
import { itemId, type Compaction, type InputContent, type InputMessage } from './response-items.ts';

/**
 * First line of the text of a compaction. It also distinguishes a compaction made here from one made by another
 * service.
 */
const HEADING = 'Earlier in this conversation, shortened:';
/** Number of characters that are kept at the beginning and at the end of a long answer, argument or tool result. */
const KEPT_START = 400;
const KEPT_END = 200;

/**
 * Compacts a conversation: system and user messages stay as they are, and one item stands for all answers, tool calls
 * and tool results. No model writes this item, because a small model would invent facts. Instead each long text loses
 * its middle, and the oldest texts are left out.
 * @param responseId Prefix of the items' ids.
 * @param limit Characters that the item may contain; the newest texts are kept.
 */
export function compact(
  messages: readonly ChatMessage[],
  responseId: string,
  limit: number,
): (InputMessage | Compaction)[] {
  const kept = messages.flatMap((message) => (message.role === 'user' || message.role === 'system' ? [message] : []));
  const items = kept.map(({ role, content }, index): InputMessage => {
    const id = itemId('message', responseId, String(index));
    return { type: 'message', id, role, content: contentOf(content), status: 'completed' };
  });
  const texts: string[] = [];
  let room = limit;
  for (const text of messages.flatMap(textsOf).toReversed()) {
    if (room <= 0) break;
    texts.unshift(text.slice(-room));
    room -= text.length + 1;
  }
  const id = itemId('compaction', responseId, String(items.length));
  const encrypted_content = encode([HEADING, ...texts].join('\n'));
  return [...items, { type: 'compaction', id, encrypted_content }];
}

/**
 * Returns the text of a compaction, which the model gets as one of its own answers; null if the content was not made by
 * {@link compact}.
 */
export function compactionText(content: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.startsWith(HEADING) ? text : null;
  } catch {
    return null;
  }
}

function contentOf(content: ChatMessage['content']): InputContent[] {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }];
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', image_url: part.url, detail: 'auto' },
  );
}

/** Returns the texts that a message of the assistant or of a tool contributes to a compaction. */
function textsOf(message: ChatMessage): string[] {
  if (message.role === 'tool') return [`Result: ${shorten(message.content)}`];
  if (message.role !== 'assistant') return [];
  const { content, toolCalls } = message;
  // An earlier compaction is not shortened a second time.
  const said = content.startsWith(HEADING)
    ? content.slice(HEADING.length).trim()
    : content && `Answer: ${shorten(content)}`;
  const calls = toolCalls.map(({ name, arguments: given }) => `Call of ${name}: ${shorten(given)}`);
  return [...(said === '' ? [] : [said]), ...calls];
}

function shorten(text: string): string {
  if (text.length <= KEPT_START + KEPT_END) return text;
  return `${text.slice(0, KEPT_START)} […] ${text.slice(-KEPT_END)}`;
}

function encode(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
