import type { PipelineTokenizer } from './token-prompts.ts';

/** Characters (UTF-16 code units) of the texts whose tokens are kept: more than the windows of most models hold. */
const MOST_CHARACTERS = 2 ** 18;

/**
 * Keeps the tokens of the texts that were tokenized last. Each prompt of a conversation has all turns before it in it, and
 * each turn is tokenized by itself, about a megabyte a second: so only what is new takes time.
 */
export function rememberTokens(tokenizer: PipelineTokenizer): void {
  const encode = tokenizer.encode.bind(tokenizer);
  /** By text, least recently used first. */
  const known = new Map<string, Int32Array>();
  let characters = 0;
  tokenizer.encode = (text) => {
    if (text.length > MOST_CHARACTERS) return encode(text);
    const tokens = known.get(text) ?? Int32Array.from(encode(text));
    if (known.delete(text)) characters -= text.length;
    known.set(text, tokens);
    characters += text.length;
    for (const oldest of known.keys()) {
      if (characters <= MOST_CHARACTERS) break;
      known.delete(oldest);
      characters -= oldest.length;
    }
    return tokens;
  };
}
