import type { ChatMessage } from '../../shared/engine/completion-request.ts';

/** Minimum share to drop per try; bounds the number of costly tries. */
const LEAST_SHARE = 1 / 16;

/**
 * Drops the oldest messages except system messages, and tool replies with their calls. Keeps the last message, or the
 * last tool calls with their replies.
 */
export function dropOldestMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  let end = messages.length - 1;
  while (messages[end]?.role === 'tool') end--;
  const sizes = messages.map((message) => JSON.stringify(message).length);
  const least = sizes.reduce((sum, size) => sum + size, 0) * LEAST_SHARE;
  let leaving = true;
  let left = 0;
  return messages.filter((message, index) => {
    if (message.role === 'system') return true;
    leaving &&= index < end && (left < least || message.role === 'tool');
    if (leaving) left += sizes[index]!;
    return !leaving;
  });
}
