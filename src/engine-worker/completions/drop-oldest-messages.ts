import type { ChatMessage } from '../../shared/engine/completion-request.ts';

/** Smallest share of the conversation to drop at once, so that the engine need not try too often. */
const MIN_SHARE = 1 / 16;

/**
 * Drops the oldest messages: at least {@link MIN_SHARE}, tool results together with their calls. Keeps system
 * messages, and the last message or the last tool calls with their results.
 */
export function dropOldestMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  let end = messages.length - 1;
  while (messages[end]?.role === 'tool') end--;
  const sizes = messages.map((message) => JSON.stringify(message).length);
  const least = sizes.reduce((sum, size) => sum + size, 0) * MIN_SHARE;
  let leaving = true;
  let left = 0;
  return messages.filter((message, index) => {
    if (message.role === 'system') return true;
    leaving &&= index < end && (left < least || message.role === 'tool');
    if (leaving) left += sizes[index]!;
    return !leaving;
  });
}
