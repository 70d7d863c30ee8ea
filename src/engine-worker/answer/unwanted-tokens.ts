/** A token that a tokenizer recognizes anywhere in its input. */
export interface AddedToken {
  readonly id: number;
  readonly text: string;
  /** Whether the tokenizer marks this token as a control token, such as `<|im_end|>`. */
  readonly special: boolean;
}

/** Matches the markers of tool calls and tool results of several model families. */
export const CALL = /tool.?(call|response|result)|function_call|python_tag/i;

/**
 * Matches the markers around thinking and around the parts of an answer. Models of several families must be able to
 * write them; {@link AnswerReader} parses them.
 */
const STRUCTURE = /think|reason|channel|message|inner_|constrain|(start|end)_response|^<\|start\|>$/i;

/**
 * Returns the tokens that an answer must not contain: control tokens, and the markers of tool calls unless the model
 * may call a tool. If they were allowed, a model could continue with the user's next turn, or write calls as text.
 * @param mayCall Whether the model may call tools.
 * @param isEnd Whether a token ends the answer. Such a token stays allowed.
 */
export function unwantedTokens(
  added: readonly AddedToken[],
  mayCall: boolean,
  isEnd: (token: AddedToken) => boolean,
): readonly number[] {
  const isUnwanted = ({ text, special }: AddedToken) => (CALL.test(text) ? !mayCall : special && !STRUCTURE.test(text));
  return added.filter((token) => isUnwanted(token) && !isEnd(token)).map(({ id }) => id);
}
