import * as v from 'valibot';
import type { AddedToken } from '../../answer/unwanted-tokens.ts';

const TokenizerSchema = v.object({
  added_tokens: v.nullish(
    v.array(v.object({ id: v.number(), content: v.string(), special: v.nullish(v.boolean(), false) })),
    [],
  ),
});

/** The special tokens of a tokenizer, such as `<|im_end|>`: it recognizes their texts anywhere in its input. */
export interface ControlTokens {
  /** The texts, longest first, so that a search prefers a longer text to a shorter one with the same beginning. */
  readonly texts: readonly string[];
  /** The text of each control token, by token id. */
  readonly textOf: ReadonlyMap<number, string>;
  /**
   * All tokens that the tokenizer recognizes anywhere, including those that are not control tokens, such as `<think>`.
   */
  readonly added: readonly AddedToken[];
}

export const NO_CONTROL_TOKENS: ControlTokens = { texts: [], textOf: new Map(), added: [] };

/**
 * Reads the control tokens from the parsed content of a `tokenizer.json`.
 * @throws v.ValiError if the content is not that of a `tokenizer.json`.
 */
export function readControlTokens(tokenizer: unknown): ControlTokens {
  const added = v.parse(TokenizerSchema, tokenizer).added_tokens;
  const special = added.filter((token) => token.special);
  return {
    texts: special.map(({ content }) => content).toSorted((a, b) => b.length - a.length),
    textOf: new Map(special.map(({ id, content }) => [id, content])),
    added: added.map(({ id, content: text, special }) => ({ id, text, special })),
  };
}
