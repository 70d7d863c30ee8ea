import * as v from 'valibot';

/** The fields of `tokenizer.json` (Hugging Face tokenizers library) that are needed here. */
const TokenizerSchema = v.object({
  added_tokens: v.nullish(v.array(v.object({ content: v.string() })), []),
  normalizer: v.optional(v.unknown()),
  pre_tokenizer: v.optional(v.unknown()),
  model: v.nullish(
    v.object({
      byte_fallback: v.nullish(v.boolean(), false),
      // Maps token to id, or lists pairs of token and score. With hundreds of thousands of entries, none is validated.
      vocab: v.custom<object>((value) => typeof value === 'object' && value !== null),
    }),
  ),
});

/**
 * Maximum factor by which a normalizer shortens a text: Unicode composition merges at most four characters into one.
 */
const NORMALIZER_SHRINKS = 4;

/**
 * Returns the maximum number of characters (UTF-16 code units) that one token can represent. A text's length divided by
 * it is a lower bound of the text's token count. Infinity if the tokenizer may map a text of any length to one
 * "unknown" token.
 *
 * @param tokenizer The parsed content of a `tokenizer.json`.
 * @throws v.ValiError if the content is not that of a `tokenizer.json`.
 */
export function readLongestToken(tokenizer: unknown): number {
  const { added_tokens, normalizer, pre_tokenizer, model } = v.parse(TokenizerSchema, tokenizer);
  if (!model) return Number.POSITIVE_INFINITY;
  // A tokenizer with a token for each byte never produces the "unknown" token.
  const knowsBytes = model.byte_fallback || /"type":"ByteLevel"/.test(JSON.stringify(pre_tokenizer ?? null));
  if (!knowsBytes) return Number.POSITIVE_INFINITY;
  let longest = 0;
  for (const text of tokenTexts(model.vocab)) longest = Math.max(longest, text.length);
  for (const { content } of added_tokens) longest = Math.max(longest, content.length);
  return longest * (normalizer ? NORMALIZER_SHRINKS : 1);
}

function tokenTexts(vocabulary: object): string[] {
  if (!Array.isArray(vocabulary)) return Object.keys(vocabulary);
  return vocabulary.map((pair: unknown) => (Array.isArray(pair) ? String(pair[0]) : ''));
}
