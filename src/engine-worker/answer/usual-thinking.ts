import type { ChatMessage, CompletionRequest } from '../../shared/engine/completion-request.ts';
import { isFreeText, isMentioned } from './answer-kind.ts';
import type { AnswerReaderOptions } from './answer-reader.ts';

/** The marks of most models that think. They also surround thinking that the request wants within the content. */
const USUAL_MARKS = { open: '<think>', close: '</think>' };

/** Match a text about these marks. A client that asks for them writes and reads them itself. */
const ABOUT_MARKS = [/<\/?think/i, /\bthink(?:ing)?[-\s]tags?\b/i];

/** Matches what a model thought before its answer, if the answer has it within its content. */
const THOUGHT = /^\s*<think>[^]*?<\/think>\s*/;

/**
 * Returns how thinking is read in the answer of a GGUF model whose chat template has no marks for it. Some models, such as MiMo
 * VL, write the usual ones all the same. They count only at the beginning of an answer, and neither beside tools nor in a
 * format, whose grammars do not know them.
 */
export function assumedThinking(request: CompletionRequest): AnswerReaderOptions['thinking'] {
  if (!isFreeText(request) || request.answerPrefix !== '' || isMentioned(request, ABOUT_MARKS)) return null;
  return { markers: USUAL_MARKS, open: false, onlyAtStart: true };
}

/**
 * Returns the messages of a request without the thoughts before earlier answers, which a client sends back if it got them within
 * the content. Models are trained without them: they would fill the context window, and their marks would be letters that the
 * model repeats.
 */
export function withoutThoughts(request: CompletionRequest): readonly ChatMessage[] {
  const { messages } = request;
  if (isMentioned(request, ABOUT_MARKS)) return messages;
  return messages.map((message) =>
    message.role === 'assistant' ? { ...message, content: message.content.replace(THOUGHT, '') } : message,
  );
}
