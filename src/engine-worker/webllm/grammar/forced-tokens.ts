import type { GrammarMatcher, PipelineTokenizer } from '../pipeline/webllm-pipeline.ts';

/**
 * Returns the tokens of the text that the grammar forces next. The last token of that text is left out: it often forms
 * one token with what follows, as `":` does after a property's name, and a model that has to continue in the middle of
 * a token continues badly. So the tokens are those of the usual tokenization of the whole answer.
 *
 * @param isAllowed Whether a token may be used without being sampled. The run ends before the first that may not.
 * @returns no tokens if the grammar leaves a choice, or if the tokenizer does not spell the text with allowed tokens.
 */
export function forcedTokens(
  matcher: GrammarMatcher,
  tokenizer: Pick<PipelineTokenizer, 'encode'>,
  isAllowed: (token: number) => boolean,
): number[] {
  const text = matcher.findJumpForwardString();
  const spelled = text === '' ? [] : Array.from(tokenizer.encode(text)).slice(0, -1);
  const refused = spelled.findIndex((token) => !isAllowed(token) || !matcher.acceptToken(token));
  const run = refused < 0 ? spelled : spelled.slice(0, refused);
  if (run.length > 0) matcher.rollBack(run.length);
  return run;
}
