import { ApiError } from '../api-error.ts';
import { describeValue } from '../describe-value.ts';
import type { ModelEntry } from '../models/model-entry.ts';

/** The fields of a request that name tokens by their ids. */
interface NamedTokens {
  readonly logit_bias: Readonly<Record<string, number>> | null;
  readonly stop_token_ids: readonly number[];
}

/**
 * Checks the token ids in `logit_bias` and `stop_token_ids`. How many tokens a GGUF model has is known only to the engine that
 * has loaded it.
 * @throws ApiError `invalid_value` if one of them is not in the model's vocabulary.
 */
export function refuseUnknownTokens(
  { logit_bias, stop_token_ids }: NamedTokens,
  { id, vocabularySize }: Pick<ModelEntry, 'id' | 'vocabularySize'>,
): void {
  const given = { logit_bias: Object.keys(logit_bias ?? {}).map(Number), stop_token_ids };
  for (const [param, tokens] of Object.entries(given)) {
    const unknown = tokens.find((token) => token >= vocabularySize);
    if (unknown === undefined) continue;
    const sentence = `\`${param}\`: the token ids of the model \`${id}\` end at ${vocabularySize - 1}, but ${describeValue(unknown)} was given.`;
    throw new ApiError('invalid_value', sentence, { param });
  }
}
