import { isFreeText, isMentioned } from '../../answer/answer-kind.ts';
import type { AnswerReaderOptions } from '../../answer/answer-reader.ts';
import type { CompletionRequest } from '../../../shared/engine/completion-request.ts';

/** The marks of most models that think. */
const USUAL = { open: '<think>', close: '</think>' };

/** Match a text about these marks. A client that asks for them reads them itself. */
const ABOUT_MARKS = [/<\/?think/i, /\bthink(?:ing)?[-\s]tags?\b/i];

/**
 * Returns how thinking is read in the answer of a model whose template has no marks for it. Some models, such as MiMo VL, write
 * the usual ones all the same. They count only at the beginning of an answer, and neither beside tools nor in a format, whose
 * grammars do not know them.
 */
export function assumedThinking(request: CompletionRequest): AnswerReaderOptions['thinking'] {
  if (!isFreeText(request) || request.answerPrefix !== '' || isMentioned(request, ABOUT_MARKS)) return null;
  return { markers: USUAL, open: false, onlyAtStart: true };
}
