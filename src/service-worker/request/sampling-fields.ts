import { ApiError } from '../../shared/api-error.ts';
import { describeValue } from '../../shared/describe-value.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ChatCompletionFields } from './chat-completion-fields.ts';

/** The sampling fields that several routes share. */
type SamplingFields = Pick<
  ChatCompletionFields,
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'stop'
  | 'seed'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'repetition_penalty'
  | 'logit_bias'
>;

/** Upper bound for the characters of one token. The longest known tokens are runs of 128 blanks. */
export const MAX_TOKEN_LENGTH = 256;

export function samplingOf(fields: SamplingFields) {
  return {
    temperature: fields.temperature,
    topP: fields.top_p,
    topK: fields.top_k,
    stop: fields.stop,
    seed: fields.seed,
    presencePenalty: fields.presence_penalty,
    frequencyPenalty: fields.frequency_penalty,
    repetitionPenalty: fields.repetition_penalty,
    logitBias: fields.logit_bias,
  } satisfies Partial<CompletionRequest>;
}

/**
 * Checks the token ids in `logit_bias`.
 * @throws ApiError `invalid_value` if one of them is not in the model's vocabulary.
 */
export function refuseUnknownTokens({ logit_bias }: SamplingFields, { id, vocabularySize }: ModelEntry): void {
  const unknown = Object.keys(logit_bias ?? {}).find((token) => Number(token) >= vocabularySize);
  if (unknown === undefined) return;
  throw new ApiError(
    'invalid_value',
    `\`logit_bias\`: the token ids of the model \`${id}\` end at ${vocabularySize - 1}, but ${describeValue(unknown)} was given.`,
    { param: 'logit_bias' },
  );
}
