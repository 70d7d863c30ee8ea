import * as v from 'valibot';

const TokenizerSchema = v.object({
  added_tokens: v.nullish(
    v.array(v.object({ id: v.number(), content: v.string(), special: v.nullish(v.boolean(), false) })),
    [],
  ),
});

/** The special tokens of a tokenizer, such as `<|im_end|>`: it recognizes their texts anywhere in its input. */
export interface ControlTokens {
  /** The texts, longest first, so that a search finds a longer text before a shorter one that begins it. */
  readonly texts: readonly string[];
  /** The text of each control token, by token id. */
  readonly textOf: ReadonlyMap<number, string>;
}

export const NO_CONTROL_TOKENS: ControlTokens = { texts: [], textOf: new Map() };

/**
 * Reads the control tokens from the parsed content of a `tokenizer.json`.
 * @throws v.ValiError if it is no `tokenizer.json`.
 */
export function readControlTokens(tokenizer: unknown): ControlTokens {
  const special = v.parse(TokenizerSchema, tokenizer).added_tokens.filter((token) => token.special);
  return {
    texts: special.map(({ content }) => content).toSorted((a, b) => b.length - a.length),
    textOf: new Map(special.map(({ id, content }) => [id, content])),
  };
}

/**
 * Splits a user's text so that no piece contains the text of a control token. WebLLM tokenizes each piece separately,
 * so the split text reaches the model as plain characters. Otherwise a message could end its turn or begin a system
 * message. The pieces joined equal the text. A control token of a single character cannot be split.
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
