/** The part of `mlc-chat-config.json` that decides about the tokenizer. */
export interface TokenizerConfig {
  readonly vocab_size: number;
  readonly conv_template: {
    readonly stop_str?: readonly string[] | null | undefined;
    readonly stop_token_ids: readonly number[];
  };
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** How byte-level tokenizers write a space. */
const SPACE = 'Ġ';

/** Matches texts such as `<|im_end|>`, which a tokenizer must keep as one token. */
const SPECIAL = /<\|[\w-]+\|>/g;

/**
 * Makes a `tokenizer.json` (byte-level BPE) for a model whose own tokenizer is not at hand. It tokenizes every text, has
 * the token ids that end an answer, and a token for each special text of the chat template. Its other tokens are a space
 * and a few letters, so English words become one to several tokens.
 */
export function byteLevelTokenizer({ vocab_size: size, conv_template: template }: TokenizerConfig): object {
  const special = specialTokens(size, template);
  const vocabulary: Record<string, number> = {};
  const merges: string[] = [];
  const pieces = tokenPieces();
  for (let id = 0; id < size; id++) {
    if (special.has(id)) continue;
    const { value } = pieces.next();
    if (!value) break;
    vocabulary[value.join('')] = id;
    if (value.length === 2) merges.push(value.join(' '));
  }
  return {
    version: '1.0',
    added_tokens: [...special].map(([id, content]) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: { type: 'BPE', fuse_unk: false, byte_fallback: false, vocab: vocabulary, merges },
  };
}

/** Returns the special tokens by id: those that end an answer have their own ids, the others the last ids. */
function specialTokens(size: number, template: TokenizerConfig['conv_template']): Map<number, string> {
  const { stop_token_ids: stops, stop_str: texts } = template;
  const tokens = new Map(stops.map((id, index) => [id, texts?.[index] ?? `<|stop-${index}|>`]));
  const known = new Set(tokens.values());
  const others = new Set(JSON.stringify(template).match(SPECIAL));
  let id = size;
  for (const text of others) {
    if (known.has(text)) continue;
    do id--;
    while (tokens.has(id));
    tokens.set(id, text);
  }
  return tokens;
}

/**
 * Yields the ordinary tokens: the bytes, then each run of letters after a space, as the two tokens that merge into it.
 * As no run of letters is a token without a space, a text of such tokens is tokenized back into them.
 */
function* tokenPieces(): Generator<readonly [string] | readonly [string, string]> {
  for (const text of bytesAsText()) yield [text];
  for (let words = [SPACE]; ;) {
    const longer: string[] = [];
    for (const word of words) {
      for (const letter of LETTERS) {
        yield [word, letter];
        longer.push(word + letter);
      }
    }
    words = longer;
  }
}

const isPrintable = (byte: number): boolean => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);

/** The characters with which byte-level tokenizers write the 256 bytes: printable ones as they are, others above 255. */
function bytesAsText(): string[] {
  let others = 0;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : 256 + others++));
}
