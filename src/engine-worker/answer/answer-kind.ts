import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { userContent } from '../prompt/user-content.ts';
import type { AnswerReaderOptions } from './answer-reader.ts';

/** Matches a text about calls, also in German, and the marks of calls that a client's own instructions have. */
const ABOUT_CALLS = /(?:tool|function|funktion|werkzeug)s?[\s_-]?(?:call(?!ed)|aufruf)|<function/i;

/**
 * Returns how the answer to a request is read: whether it has a format, whether the model may think again within it, whether
 * tool calls are ordinary text, as where the conversation is about calls, and whether loops are detected. Loops are detected
 * only in free text of a chat. Some models think although the request turns thinking off, but then only before the answer.
 */
export function answerKind(
  request: CompletionRequest,
): Required<Pick<AnswerReaderOptions, 'hasFormat' | 'thinksAgain' | 'callsAreText' | 'detectsLoops'>> {
  const { raw, responseFormat, thinking, loopDetection } = request;
  const hasFormat = responseFormat.type !== 'text';
  const isProse = raw === undefined && !hasFormat;
  return {
    hasFormat,
    thinksAgain: isProse && thinking !== false,
    callsAreText: !isFreeText(request) || isAboutCalls(request),
    detectsLoops: isProse && loopDetection,
  };
}

/** Whether the request is a chat whose answer nothing constrains: it has no tools, schema or grammar. */
export function isFreeText({ raw, embed, tools, responseFormat }: CompletionRequest): boolean {
  return raw === undefined && embed === undefined && tools.length === 0 && responseFormat.type === 'text';
}

/**
 * Whether the conversation is about calls, or a client describes its tools in a message of its own and reads the calls
 * itself.
 */
function isAboutCalls({ messages }: CompletionRequest): boolean {
  return messages.some(
    ({ role, content }) => (role === 'system' || role === 'user') && ABOUT_CALLS.test(userContent(content).text),
  );
}
