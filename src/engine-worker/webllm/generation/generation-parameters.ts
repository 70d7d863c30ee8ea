import type { ChatCompletionRequestStreaming } from '@mlc-ai/web-llm';
import { ApiError } from '../../../shared/api-error.ts';
import type { CompletionRequest } from '../../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import type { TokenBias } from '../prompt/unwanted-bias.ts';

/** The facts about the model and the plan that {@link generationParameters} needs. */
export interface GenerationDefaults extends Pick<
  ModelEntry,
  'defaultTemperature' | 'defaultTopP' | 'contextWindow' | 'vocabularySize'
> {
  /** A bias that Tabserve adds, which the request's `logit_bias` cannot change; null if there is none. */
  readonly unwanted: TokenBias | null;
}

export type GenerationParameters = Pick<
  ChatCompletionRequestStreaming,
  | 'temperature'
  | 'top_p'
  | 'seed'
  | 'max_tokens'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'repetition_penalty'
  | 'logit_bias'
  | 'logprobs'
  | 'top_logprobs'
>;

/** Modulus (a prime) of WebLLM's random number generator. Its valid states are 1 to modulus − 1. */
const SEED_MODULUS = 2_147_483_647;
/** The smallest `top_p` that WebLLM supports. It keeps only the most probable token. */
const GREEDY_TOP_P = 1e-5;
/** Maximum of `top_logprobs` that WebLLM accepts. The extension in `cpu-sampling.ts` delivers more. */
const MAX_TOP_LOGPROBS = 5;

/**
 * Converts a request's fields for sampling and length to WebLLM's parameters.
 *
 * @param choice Index of the choice; each choice gets its own seed.
 * @throws ApiError `invalid_value` for a biased token that the model does not have.
 */
export function generationParameters(
  request: CompletionRequest,
  choice: number,
  defaults: GenerationDefaults,
): GenerationParameters {
  const temperature = request.temperature ?? defaults.defaultTemperature;
  const topP = request.topP ?? defaults.defaultTopP;
  const greedy = temperature === 0 || topP === 0;
  return {
    // Greedy sampling uses a minimal `top_p` and temperature 1. A temperature near 0 would pick the same token, but
    // would turn the probabilities in `logprobs` into 0 and 1.
    temperature: temperature === 0 ? 1 : temperature,
    top_p: greedy ? GREEDY_TOP_P : topP,
    seed: engineSeed(greedy ? 0 : (request.seed ?? randomSeed()), choice),
    // Without `max_tokens`, WebLLM would not limit the length.
    max_tokens: Math.min(request.maxTokens ?? defaults.contextWindow, defaults.contextWindow),
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    ...(request.repetitionPenalty === null ? {} : { repetition_penalty: request.repetitionPenalty }),
    logit_bias: logitBias(request.logitBias, defaults),
    logprobs: request.logprobs,
    // With `top_logprobs` 0, WebLLM would omit the log-probabilities of the generated tokens.
    ...(request.logprobs ? { top_logprobs: Math.min(Math.max(request.topLogprobs, 1), MAX_TOP_LOGPROBS) } : {}),
  };
}

/**
 * Maps a seed and a choice index to a state of WebLLM's random number generator. Adjacent seeds get distant states.
 * Small seeds would make all choices begin alike: the generator only multiplies, so its first number from the states 1
 * to 1,000 is below 0.03.
 */
function engineSeed(seed: number, choice: number): number {
  const states = SEED_MODULUS - 1;
  const folded = ((seed % states) + states) % states;
  return 1 + (mixBits(mixBits(folded) + choice) % states);
}

/**
 * Hashes a 32-bit integer so that each input bit affects all output bits, without collisions (MurmurHash3 finalizer).
 */
function mixBits(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

function randomSeed(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value;
}

/**
 * Validates `logit_bias`, and adds Tabserve's own bias. WebLLM's kernel does not check token ids, so an invalid id
 * would write out of bounds.
 */
function logitBias(
  bias: CompletionRequest['logitBias'],
  { vocabularySize, unwanted }: Pick<GenerationDefaults, 'vocabularySize' | 'unwanted'>,
): Record<string, number> | null {
  const entries = Object.entries(bias ?? {});
  const foreign = entries.find(([id]) => !/^\d+$/.test(id) || Number(id) >= vocabularySize);
  if (foreign) {
    throw new ApiError(
      'invalid_value',
      `logit_bias names the token ${JSON.stringify(foreign[0].slice(0, 100))}; ` +
        `this model has the tokens 0 to ${vocabularySize - 1}.`,
      { param: 'logit_bias' },
    );
  }
  const all = { ...Object.fromEntries(entries), ...unwanted };
  return Object.keys(all).length > 0 ? all : null;
}
