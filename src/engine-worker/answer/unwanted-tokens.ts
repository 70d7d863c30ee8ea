/** A token that a tokenizer recognizes anywhere in its input. */
export interface AddedToken {
  readonly id: number;
  readonly text: string;
  /** Whether the tokenizer marks it as a control token, such as `<|im_end|>`. */
  readonly special: boolean;
}

/** Markers of tool calls and of their results, of several model families. */
const CALL = /tool.?(call|response|result)|function_call|python_tag/i;

/** Markers around thinking and the parts of an answer. Models of several families must write them, and are parsed by them. */
const STRUCTURE = /think|reason|channel|message|inner_|constrain|(start|end)_response|^<\|start\|>$/i;

/**
 * The tokens that an answer must not contain: control tokens, and the markers of tool calls unless the model may call a tool.
 * Otherwise a model writes the turns of a conversation, or calls, as text.
 * @param mayCall Whether the model may call tools.
 * @param isEnd Whether a token ends the answer, so that it must be possible.
 */
export function unwantedTokens(
  added: readonly AddedToken[],
  mayCall: boolean,
  isEnd: (token: AddedToken) => boolean,
): readonly number[] {
  const isUnwanted = ({ text, special }: AddedToken) => (CALL.test(text) ? !mayCall : special && !STRUCTURE.test(text));
  return added.filter((token) => isUnwanted(token) && !isEnd(token)).map(({ id }) => id);
}
