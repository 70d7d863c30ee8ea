import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { isFreeText, NO_MARKER } from './answer-kind.ts';
import type { AnswerReader } from './answer-reader.ts';

/**
 * Returns the request to generate once more if the model gave no answer, because it only called a tool that it does not
 * have, or because a model that was trained to decline wrote nothing. This request forces such a model to decline, and
 * others to write text that does not begin with `<`, as the marker of a tool call does.
 * @returns null if the first answer stands.
 */
export function secondAttempt(
  request: CompletionRequest,
  { isEmpty, calledNoTool }: AnswerReader,
  { decline }: Pick<ModelEntry, 'decline'>,
): CompletionRequest | null {
  // After a given beginning, the model may find that nothing is missing. A stop token may be the first of an answer.
  const mayBeEmpty = request.answerPrefix !== '' || request.stopTokens.length > 0;
  if (!isEmpty || mayBeEmpty || !isFreeText(request)) return null;
  if (decline !== undefined) return declining(request, decline);
  return calledNoTool ? { ...request, responseFormat: { type: 'regex', pattern: NO_MARKER, param: '' } } : null;
}

/** Returns the request with {@link ModelEntry.decline} as the only possible answer. */
export function declining(request: CompletionRequest, decline: string): CompletionRequest {
  return { ...request, responseFormat: { type: 'choice', choices: [decline] } };
}
