import * as v from 'valibot';

/** Ids of the special tokens that a model expects before and after every input text, such as `[CLS]` and `[SEP]`. */
export interface SurroundingTokens {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The field of `tokenizer.json` (Hugging Face tokenizers library) that defines the special tokens around a text. */
const TemplateSchema = v.object({
  post_processor: v.object({
    type: v.literal('TemplateProcessing'),
    single: v.array(
      v.union([v.object({ SpecialToken: v.object({ id: v.string() }) }), v.object({ Sequence: v.object({}) })]),
    ),
    special_tokens: v.record(v.string(), v.object({ ids: v.array(v.number()) })),
  }),
});

/**
 * Reads from a parsed `tokenizer.json` which special tokens surround a single text. WebLLM's tokenizer does not add
 * them. Returns no tokens if the file has no post-processor of the type `TemplateProcessing`.
 */
export function readSurroundingTokens(tokenizer: unknown): SurroundingTokens {
  const read = v.safeParse(TemplateSchema, tokenizer);
  if (!read.success) return { before: [], after: [] };
  const { single, special_tokens } = read.output.post_processor;
  const text = single.findIndex((piece) => 'Sequence' in piece);
  const tokens = (pieces: typeof single) =>
    pieces.flatMap((piece) => ('SpecialToken' in piece ? (special_tokens[piece.SpecialToken.id]?.ids ?? []) : []));
  return { before: tokens(single.slice(0, text)), after: tokens(single.slice(text + 1)) };
}
