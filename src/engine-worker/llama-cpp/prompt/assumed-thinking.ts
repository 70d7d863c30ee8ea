import { isFreeText } from '../../answer/answer-kind.ts';
import type { AnswerReaderOptions } from '../../answer/answer-reader.ts';
import { speaksOfThinking, USUAL_THINKING } from '../../answer/usual-thinking.ts';
import type { CompletionRequest } from '../../../shared/engine/completion-request.ts';

/**
 * Returns how thinking is read in the answer of a model whose template has no marks for it. Some models, such as MiMo VL, write
 * the usual ones all the same. They count only at the beginning of an answer, and neither beside tools nor in a format, whose
 * grammars do not know them.
 */
export function assumedThinking(request: CompletionRequest): AnswerReaderOptions['thinking'] {
  if (!isFreeText(request) || request.answerPrefix !== '' || speaksOfThinking(request)) return null;
  return { markers: USUAL_THINKING, open: false, onlyAtStart: true };
}
