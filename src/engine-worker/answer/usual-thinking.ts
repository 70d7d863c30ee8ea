import type { ChatMessage, CompletionRequest } from '../../shared/engine/completion-request.ts';
import { isMentioned } from './answer-kind.ts';

/** The marks of most models that think. They also surround thinking that the request wants within the content. */
export const USUAL_THINKING = { open: '<think>', close: '</think>' };

/** Match a text about these marks. A client that asks for them writes and reads them itself. */
const ABOUT_MARKS = [/<\/?think/i, /\bthink(?:ing)?[-\s]tags?\b/i];

/** Matches what a model thought before its answer, if the answer has it within its content. */
const THOUGHT = /^\s*<think>[^]*?<\/think>\s*/;

/** Whether a conversation is about the usual marks of thinking. */
export function speaksOfThinking(request: CompletionRequest): boolean {
  return isMentioned(request, ABOUT_MARKS);
}

/**
 * Returns the messages of a request without the thoughts before earlier answers, which a client sends back if it got them within
 * the content. Models are trained without them: they would fill the context window, and their marks would be letters that the
 * model repeats.
 */
export function withoutThoughts(request: CompletionRequest): readonly ChatMessage[] {
  const { messages } = request;
  if (speaksOfThinking(request)) return messages;
  return messages.map((message) =>
    message.role === 'assistant' ? { ...message, content: message.content.replace(THOUGHT, '') } : message,
  );
}
