import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import type { Answer, Message } from '../types/conversation.ts';
import { answerRequest } from '../api/answer-request.ts';

/** Thrown when the model, asked again for the same answer, began to say something else. */
export class ReplayDiverged extends Error {}

/**
 * Whether a cut answer can be continued: unless the context window itself is full, in which case there is
 * no room for more, whatever one asks.
 */
export function canContinue(answer: Answer): boolean {
  // What was called need not give the same once more.
  if (answer.rounds) return false;
  if (answer.state === 'stopped' || answer.state === 'interrupted') return true;
  if (answer.state === 'failed') return answer.text !== '';
  return answer.finishReason === 'length' && answer.settings.maxTokens !== null;
}

/**
 * Asks for the same answer once more, with a higher limit if it was the limit that cut it. The endpoint
 * promises the same text for the same seed and settings, so what is there already comes again and is only
 * compared; the answer goes on where it stopped, without a seam.
 */
export function replayRequest(answer: Answer, path: readonly Message[]): ChatCompletionRequest {
  const { maxTokens } = answer.settings;
  const limit =
    maxTokens !== null && answer.finishReason === 'length'
      ? maxTokens + (answer.completionTokens ?? maxTokens)
      : maxTokens;
  return answerRequest(answer.model, path, { ...answer.settings, maxTokens: limit }, answer.seed);
}

/** The second best way, for an answer that cannot be repeated: the model is asked in words to go on. */
export function goOnRequest(answer: Answer, path: readonly Message[]): ChatCompletionRequest {
  const request = answerRequest(answer.model, [...path, answer], answer.settings, answer.seed);
  const words = 'Go on exactly where your last answer stopped. Do not repeat any of it.';
  return { ...request, messages: [...request.messages, { role: 'user', content: words }] };
}
