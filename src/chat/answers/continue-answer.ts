import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import type { Answer, Message } from '../types/conversation.ts';
import { answerRequest } from '../api/answer-request.ts';
import { withSources } from './with-sources.ts';

/**
 * Whether an answer that was cut off can be continued. An answer that ended by length without a token limit cannot: it
 * fills the context window.
 */
export function canContinue(answer: Answer): boolean {
  // Continuing would run the tools a second time, with possibly different results, or go on with an endless repetition.
  if (answer.rounds || answer.isStuck) return false;
  if (answer.state === 'stopped' || answer.state === 'interrupted') return true;
  if (answer.state === 'failed') return answer.text !== '';
  return answer.finishReason === 'length' && answer.settings.maxTokens !== null;
}

/**
 * Builds a request that generates the same answer from its start, with a higher token limit if the limit cut it off.
 * The same seed and settings give the same text, so the caller skips the stored text and appends the rest.
 */
export function replayRequest(answer: Answer, path: readonly Message[]): ChatCompletionRequest {
  const { maxTokens } = answer.settings;
  const limit =
    maxTokens !== null && answer.finishReason === 'length'
      ? maxTokens + (answer.completionTokens ?? maxTokens)
      : maxTokens;
  const sent = withSources(path, answer.sources);
  return answerRequest(answer.model, sent, { ...answer.settings, maxTokens: limit }, answer.seed);
}

/**
 * Builds the fallback request for an answer that cannot be replayed: a user message asks the model to continue.
 * @param request The request of the answer, or its {@link replayRequest}.
 * @param answer The answer so far.
 */
export function continuationRequest(
  request: ChatCompletionRequest,
  { text, settings }: Pick<Answer, 'text' | 'settings'>,
): ChatCompletionRequest {
  const words = 'Go on exactly where your last answer stopped. Do not repeat any of it.';
  return {
    ...request,
    // The limit of a replay includes the text that is repeated.
    ...(settings.maxTokens === null ? {} : { max_completion_tokens: settings.maxTokens }),
    messages: [...request.messages, { role: 'assistant', content: text }, { role: 'user', content: words }],
  };
}
