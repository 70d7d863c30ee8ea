import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { describeValue } from '../../shared/describe-value.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ChatCompletionFields } from './chat-completion-fields.ts';

/** What requests of several routes say in the same words about how tokens are chosen. */
type SamplingFields = Pick<
  ChatCompletionFields,
  | 'temperature'
  | 'top_p'
  | 'stop'
  | 'seed'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'repetition_penalty'
  | 'logit_bias'
>;

/** More characters than any known vocabulary has in one token: runs of 128 blanks are the longest. */
export const LONGEST_TOKEN = 256;

/** The same in the engine's words. */
export function samplingOf(fields: SamplingFields) {
  return {
    temperature: fields.temperature,
    topP: fields.top_p,
    stop: fields.stop,
    seed: fields.seed,
    presencePenalty: fields.presence_penalty,
    frequencyPenalty: fields.frequency_penalty,
    repetitionPenalty: fields.repetition_penalty,
    logitBias: fields.logit_bias,
  } satisfies Partial<CompletionRequest>;
}

/** @throws ApiError `invalid_value` for a biased token that the model does not have. */
export function refuseUnknownTokens({ logit_bias }: SamplingFields, { id, vocabularySize }: ModelEntry): void {
  const unknown = Object.keys(logit_bias ?? {}).find((token) => Number(token) >= vocabularySize);
  if (unknown === undefined) return;
  throw new ApiError(
    'invalid_value',
    `\`logit_bias\`: the token ids of the model \`${id}\` end at ${vocabularySize - 1}, but ${describeValue(unknown)} was given.`,
    { param: 'logit_bias' },
  );
}
