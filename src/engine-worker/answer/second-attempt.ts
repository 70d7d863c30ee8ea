import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { BUILT_IN_MODEL_ID, DECLINE } from '../../shared/models/built-in-models.ts';
import type { AnswerReader, AnswerReaderOptions } from './answer-reader.ts';

/** Any text that does not begin with a marker. */
const NO_MARKER = String.raw`[^<\s][\s\S]*`;

/**
 * The request that is generated once more if a model gave no answer: only a call of a tool that it does not have, or, the
 * built-in model, nothing at all. The built-in model then declines; another one writes any text but a marker.
 * @returns null if the answer stays as it is.
 */
export function secondAttempt(
  request: CompletionRequest,
  { isEmpty, calledNoTool }: AnswerReader,
): CompletionRequest | null {
  if (!isEmpty || !isFreeText(request)) return null;
  if (request.model === BUILT_IN_MODEL_ID) return declining(request);
  return calledNoTool ? { ...request, responseFormat: { type: 'regex', pattern: NO_MARKER, param: '' } } : null;
}

/** The request with the built-in model's sentence for what it does not know as the only answer. */
export function declining(request: CompletionRequest): CompletionRequest {
  return { ...request, responseFormat: { type: 'choice', choices: [DECLINE] } };
}

/** How the answer to a request is read: whether a call is text, and whether a loop ends it. Only prose of a chat is judged. */
export function answerKind(request: CompletionRequest): Pick<AnswerReaderOptions, 'callsAreText' | 'detectsLoops'> {
  const { raw, responseFormat, loopDetection } = request;
  const isProse = raw === undefined && responseFormat.type === 'text';
  return { callsAreText: !isFreeText(request), detectsLoops: isProse && loopDetection };
}

/** Whether the answer may be any text, and nothing else. */
export function isFreeText({ raw, embed, tools, responseFormat }: CompletionRequest): boolean {
  return raw === undefined && embed === undefined && tools.length === 0 && responseFormat.type === 'text';
}
