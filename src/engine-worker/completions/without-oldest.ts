import type { ChatMessage } from '../../shared/engine/completion-request.ts';

/** What of a conversation is left out at once at least: each try costs reading it, so there must not be many. */
const LEAST_SHARE = 1 / 16;

/**
 * A conversation without its oldest messages, those of the system apart; replies of tools go with their calls. What is to
 * be answered always stays: the last message, or the last calls with their replies.
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
