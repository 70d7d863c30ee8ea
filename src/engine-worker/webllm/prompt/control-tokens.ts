import * as v from 'valibot';

const TokenizerSchema = v.object({
  added_tokens: v.nullish(
    v.array(v.object({ id: v.number(), content: v.string(), special: v.nullish(v.boolean(), false) })),
    [],
  ),
});

/** Texts that the tokenizer turns into control tokens wherever they stand, such as `<|im_end|>`. */
export interface ControlTokens {
  /** Longest first, so that of two that begin alike the longer one is found. */
  readonly texts: readonly string[];
  readonly textOf: ReadonlyMap<number, string>;
}

export const NO_CONTROL_TOKENS: ControlTokens = { texts: [], textOf: new Map() };

/**
 * Reads the control tokens out of a `tokenizer.json`.
 * @throws v.ValiError when it is not one.
 */
export function readControlTokens(tokenizer: unknown): ControlTokens {
  const special = v.parse(TokenizerSchema, tokenizer).added_tokens.filter((token) => token.special);
  return {
    texts: special.map(({ content }) => content).toSorted((a, b) => b.length - a.length),
    textOf: new Map(special.map(({ id, content }) => [id, content])),
  };
}

/**
 * Cuts a text of the caller so that no piece contains a control marker. WebLLM tokenizes each piece of a
 * prompt by itself, so a marker that is cut after its first character reaches the model as the plain
 * characters it was written with, and nobody can end a turn or begin a system message from inside a
 * message. Joined pieces equal the text. A marker of one single character cannot be cut.
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
