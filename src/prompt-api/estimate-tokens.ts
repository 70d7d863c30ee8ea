import { textOf, type Conversation } from './read-prompt.ts';

/** Bytes of UTF-8 for which one token is assumed, about as many as in English text. */
const USUAL_BYTES = 4;

/** Bytes per token that hardly any text exceeds. */
const MAX_BYTES = 8;

/** Estimates the tokens of a conversation, for models whose tokens cannot be counted. Images are not counted. */
export function estimateTokens(conversation: Conversation): number {
  return Math.ceil(bytesOf(conversation) / USUAL_BYTES);
}

/**
 * Estimates the fewest tokens that a conversation can have. Only what surely does not fit is refused by this number,
 * because the endpoint itself refuses whatever else is too long.
 */
export function leastTokens(conversation: Conversation): number {
  return Math.ceil(bytesOf(conversation) / MAX_BYTES);
}

function bytesOf({ messages, tools }: Conversation): number {
  const calls = messages.map(({ tool_calls: calls = [] }) => calls).filter(({ length }) => length > 0);
  const json = [...tools, ...calls].map((part) => JSON.stringify(part));
  return new TextEncoder().encode([...messages.map(textOf), ...json].join('')).length;
}
