/** What is used of WebLLM's tokenizer. */
export interface PipelineTokenizer {
  encode(text: string): ArrayLike<number>;
  decode(tokens: Int32Array): string;
}

/**
 * Lets a prompt consist of tokens. WebLLM takes texts only, and the text of tokens may become other tokens; so a text that
 * nobody else can know stands for them, and the tokenizer reads them out of it.
 *
 * @returns makes that text; its tokens are all of WebLLM's prompt part.
 */
export function acceptTokenPrompts(tokenizer: PipelineTokenizer): (tokens: readonly number[]) => string {
  const encode = tokenizer.encode.bind(tokenizer);
  const mark = `tokens ${crypto.randomUUID()} `;
  tokenizer.encode = (text) =>
    text.startsWith(mark) ? Int32Array.from(text.slice(mark.length).split(','), Number) : encode(text);
  return (tokens) => mark + tokens.join(',');
}
