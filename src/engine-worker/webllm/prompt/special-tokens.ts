import * as v from 'valibot';

/** The tokens that a model expects before and behind every text that it reads, such as those of `[CLS]` and `[SEP]`. */
export interface TextFrame {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The part of `tokenizer.json` that says so, as Hugging Face's tokenizers library writes it. */
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
 * Reads the frame of single texts out of a `tokenizer.json`. WebLLM's tokenizer leaves it out. Without a template, or with
 * one that says something else, there is none.
 */
export function readTextFrame(tokenizer: unknown): TextFrame {
  const read = v.safeParse(TemplateSchema, tokenizer);
  if (!read.success) return { before: [], after: [] };
  const { single, special_tokens } = read.output.post_processor;
  const text = single.findIndex((piece) => 'Sequence' in piece);
  const tokens = (pieces: typeof single) =>
    pieces.flatMap((piece) => ('SpecialToken' in piece ? (special_tokens[piece.SpecialToken.id]?.ids ?? []) : []));
  return { before: tokens(single.slice(0, text)), after: tokens(single.slice(text + 1)) };
}
