import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { userContent } from '../prompt/user-content.ts';
import type { AnswerReaderOptions } from './answer-reader.ts';

/** Matches an article or a preposition, or both in one word, of French, Spanish, Portuguese and Italian. */
const ARTICLE =
  "(?:[aàoi]s?|aux?|al|[dl][aeio]s?|du|del|[ad]e?(?:gl)?i|[ad]e?ll[aeo]|il|gli|un[aeo]?s?|umas?|um|ce[st]?|cette) |(?:d|l|un|all|dell)['’]";

/**
 * Match a text about calls in some languages, and the marks of calls that a client's own instructions have: such a client
 * describes its tools in a message of its own, and reads the calls itself.
 */
const ABOUT_CALLS = [
  // English and German.
  /<function|(?:tool|function|funktion|werkzeug)s?[\s_-]?(?:call(?!ed)|aufruf)/i,
  // French, Spanish, Portuguese and Italian.
  new RegExp(
    String.raw`\b(?:appel|llama|chama|chiama)\w* (?:${ARTICLE}){0,3}(?:tool|outil|fonction|herramienta|funci[oó]n|ferramenta|funç|strument|funzion)`,
    'i',
  ),
  // Russian and Ukrainian.
  /(?:вызов|вызыва|вызва|виклик)[а-яіїє]* (?:функц|инструмент|інструмент)/i,
  // Chinese, Japanese and Korean.
  /(?:工具|函[数數]|関数|ツール|도구|툴|함수)\s?[的のを를을의]?\s?(?:[调調]用|呼|コール|호출)|(?:[调調]用|呼叫)[一个個这這该該]{0,2}(?:工具|函[数數])/,
];

/**
 * Matches any text that begins neither with `<`, the first character of markers, nor with white space. A second attempt at an
 * answer has this format.
 */
export const NO_MARKER = String.raw`[^<\s][\s\S]*`;

/**
 * Returns how the answer to a request is read: whether it has a format, whether the model may think again within it, whether
 * tool calls are ordinary text, as where the conversation is about calls, and whether loops are detected. Loops are detected
 * only in free text of a chat. Some models think although the request turns thinking off, but then only before the answer.
 */
export function answerKind(
  request: CompletionRequest,
): Required<Pick<AnswerReaderOptions, 'hasFormat' | 'endsAsTurn' | 'thinksAgain' | 'callsAreText' | 'detectsLoops'>> {
  const { raw, responseFormat, thinking, loopDetection } = request;
  const hasFormat = responseFormat.type !== 'text';
  const isProse = raw === undefined && !hasFormat;
  const isSecond = responseFormat.type === 'regex' && responseFormat.pattern === NO_MARKER;
  return {
    hasFormat,
    endsAsTurn: !hasFormat || isSecond,
    thinksAgain: isProse && thinking !== false,
    callsAreText: !isFreeText(request) || isMentioned(request, ABOUT_CALLS),
    detectsLoops: (isProse || isSecond) && loopDetection,
  };
}

/** Whether the request is a chat whose answer nothing constrains: it has no tools, schema or grammar. */
export function isFreeText({ raw, embed, tools, responseFormat }: CompletionRequest): boolean {
  return raw === undefined && embed === undefined && tools.length === 0 && responseFormat.type === 'text';
}

/** Whether the system messages or the user of a conversation say what one of some expressions matches. */
export function isMentioned({ messages }: CompletionRequest, expressions: readonly RegExp[]): boolean {
  return messages.some(({ role, content }) => {
    const { text } = role === 'system' || role === 'user' ? userContent(content) : { text: '' };
    return expressions.some((expression) => expression.test(text));
  });
}
