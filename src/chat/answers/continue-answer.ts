import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import type { Answer, Message } from '../types/conversation.ts';
import { answerRequest } from '../api/answer-request.ts';

/** The model's replay of an answer differs from the text that is there. */
export class ReplayDiverged extends Error {}

/**
 * Whether an answer that was cut off can be continued. False if the context window is full: there is no room for more
 * tokens.
 */
export function canContinue(answer: Answer): boolean {
  // A second run of the tools may give other results.
  if (answer.rounds) return false;
  if (answer.state === 'stopped' || answer.state === 'interrupted') return true;
  if (answer.state === 'failed') return answer.text !== '';
  return answer.finishReason === 'length' && answer.settings.maxTokens !== null;
}

/**
 * Builds a request for the same answer, with a higher token limit if the limit cut it. The endpoint gives the same text
 * for the same seed and settings, so the known text is only compared and the answer continues after it.
 */
export function replayRequest(answer: Answer, path: readonly Message[]): ChatCompletionRequest {
  const { maxTokens } = answer.settings;
  const limit =
    maxTokens !== null && answer.finishReason === 'length'
      ? maxTokens + (answer.completionTokens ?? maxTokens)
      : maxTokens;
  return answerRequest(answer.model, path, { ...answer.settings, maxTokens: limit }, answer.seed);
}

/** Builds the fallback request for an answer that cannot be replayed: a user message asks the model to continue. */
export function continuationRequest(answer: Answer, path: readonly Message[]): ChatCompletionRequest {
  const request = answerRequest(answer.model, [...path, answer], answer.settings, answer.seed);
  const words = 'Go on exactly where your last answer stopped. Do not repeat any of it.';
  return { ...request, messages: [...request.messages, { role: 'user', content: words }] };
}
