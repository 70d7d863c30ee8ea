import * as v from 'valibot';

/** `tokenizer.json` as Hugging Face's tokenizers library writes it; only what is needed here. */
const TokenizerSchema = v.object({
  added_tokens: v.nullish(v.array(v.object({ content: v.string() })), []),
  normalizer: v.optional(v.unknown()),
  pre_tokenizer: v.optional(v.unknown()),
  model: v.nullish(
    v.object({
      byte_fallback: v.nullish(v.boolean(), false),
      // Token → id, or pairs of token and score. There are hundreds of thousands, so none is looked at as data.
      vocab: v.custom<object>((value) => typeof value === 'object' && value !== null),
    }),
  ),
});

/** The most by which a normalizer may shorten a text: composing characters makes one of at most four. */
const NORMALIZER_SHRINKS = 4;

/**
 * Characters (UTF-16 code units) that one token of a text can stand for at most: so many times as many characters
 * cannot be fewer tokens. Infinity where that is not known, because the tokenizer has one token for whatever it does
 * not know, however long that is.
 *
 * @param tokenizer The content of a `tokenizer.json`.
 * @throws v.ValiError when it is not one.
 */
export function readLongestToken(tokenizer: unknown): number {
  const { added_tokens, normalizer, pre_tokenizer, model } = v.parse(TokenizerSchema, tokenizer);
  if (!model) return Number.POSITIVE_INFINITY;
  // A token for each byte leaves nothing unknown.
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
