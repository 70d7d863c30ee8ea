import { estimateTextTokens } from '../../attachments/count-attachment.ts';
import { questionText } from '../../api/message-content.ts';
import type { Message } from '../../types/conversation.ts';

/**
 * Returns how many tokens of the context window a chat takes, by the usage of its answers. What follows the last answer
 * with a known usage is estimated: an answer that was stopped or has failed reports none.
 * @param path The messages that are sent to the model.
 * @returns null if the last answer is of another model, or there is none.
 */
export function usedTokens(path: readonly Message[], model: string): number | null {
  const last = path.findLast((message) => message.role === 'assistant');
  if (last?.model !== model) return null;
  const place = path.findLastIndex(
    (message) => message.role === 'assistant' && message.model === model && message.promptTokens !== null,
  );
  const measured = path[place];
  const known = measured?.role === 'assistant' ? (measured.promptTokens ?? 0) + (measured.completionTokens ?? 0) : 0;
  const texts = path
    .slice(place + 1)
    .map((message) => (message.role === 'user' ? questionText(message) : message.text));
  return texts.reduce((sum, text) => sum + estimateTextTokens(text), known);
}
