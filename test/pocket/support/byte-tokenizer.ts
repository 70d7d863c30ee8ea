/**
 * A Hugging Face tokenizer in which each byte is a token with the byte's value as id. Unused tokens fill the
 * vocabulary.
 */
export function makeByteTokenizer(vocabularySize: number): object {
  const letters = byteLetters();
  const names = Array.from({ length: vocabularySize }, (_, id) => letters[id] ?? `<unused_${id}>`);
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: {
      type: 'ByteLevel',
      add_prefix_space: false,
      trim_offsets: false,
      use_regex: false,
    },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(names.map((name, id) => [name, id])),
      merges: [],
    },
  };
}

/** The printable letter by which byte-level tokenizers write each byte. */
function byteLetters(): string[] {
  let shifted = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : shifted++));
}

function isPrintable(byte: number): boolean {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}
