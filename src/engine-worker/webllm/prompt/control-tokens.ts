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

/**
 * Splits a text of the request so that no piece contains the text of a control token. WebLLM tokenizes each piece
 * separately, so the split text reaches the model as plain characters. Otherwise a message could end its own turn or
 * begin a system message. The joined pieces equal the text. A control token of a single character cannot be split.
 */
export function cutControlTokens(text: string, { texts }: ControlTokens): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let position = 0; position < text.length; position++) {
    const marker = texts.find((candidate) => text.startsWith(candidate, position));
    if (marker === undefined) continue;
    const cut = position + String.fromCodePoint(marker.codePointAt(0) ?? 0).length;
    if (cut === position + marker.length) continue;
    pieces.push(text.slice(start, cut));
    start = cut;
  }
  pieces.push(text.slice(start));
  return pieces;
}
