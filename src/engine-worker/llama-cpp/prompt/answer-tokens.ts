import { CALL, type AddedToken } from '../../answer/unwanted-tokens.ts';
import type { TemplateMarks } from './template-marks.ts';

/** Which added tokens an answer may contain. */
export interface AnswerTokens {
  /** Ids of tokens that llama.cpp must not generate. */
  readonly forbidden: readonly number[];
  /** Texts of control tokens that llama.cpp must write into the answer's text, where {@link AnswerReader} reads them. */
  readonly visible: readonly string[];
}

/**
 * Decides which added tokens an answer may contain: what the template itself writes within an answer, what ends it, and
 * tokens that are no control tokens. Other control tokens begin turns of other roles, or mean nothing in a chat.
 *
 * A model that sees images may also write the control tokens that its template does not know: they mark places in an
 * image or the structure of a document.
 */
export function answerTokens(
  added: readonly AddedToken[],
  marks: TemplateMarks,
  source: string,
  { mayCall, seesImages, isEnd }: { mayCall: boolean; seesImages: boolean; isEnd: (id: number) => boolean },
): AnswerTokens {
  const isKnown = ({ text }: AddedToken) => source.includes(text);
  const isAllowed = (token: AddedToken) => {
    if (isEnd(token.id) || marks.inAnswer.has(token.id)) return true;
    if (marks.inCalls.has(token.id) || CALL.test(token.text)) return mayCall;
    return !token.special || (seesImages && !isKnown(token));
  };
  const isVisible = ({ id, special }: AddedToken) => special && !isEnd(id) && !marks.aroundText.has(id);
  return {
    forbidden: added.filter((token) => !isAllowed(token)).map(({ id }) => id),
    visible: added.filter((token) => isVisible(token) && isAllowed(token)).map(({ text }) => text),
  };
}
