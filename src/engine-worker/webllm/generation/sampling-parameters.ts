import type { ChatCompletionRequestStreaming } from '@mlc-ai/web-llm';
import { ApiError } from '../../../shared/api-error.ts';
import type { CompletionRequest } from '../../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';

/** What a translation needs to know about the model. */
export type SamplingDefaults = Pick<
  ModelEntry,
  'defaultTemperature' | 'defaultTopP' | 'contextWindow' | 'vocabularySize'
>;

export type SamplingParameters = Pick<
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

/** WebLLM's generator works modulo this prime; it knows the states 1…modulus − 1. */
const SEED_MODULUS = 2_147_483_647;
/** The least `top_p` WebLLM works with. Only the most probable token is within it. */
const GREEDY_TOP_P = 1e-5;
/** The most alternatives a token that WebLLM lets a request ask for; more are asked for beside it, see `cpu-sampling.ts`. */
const MOST_TOP_LOGPROBS = 5;

/**
 * Translates the numbers of a request.
 *
 * @param choice Index of the choice: each gets a seed of its own.
 * @throws ApiError `invalid_value` for a biased token that the model does not have.
 */
export function samplingParameters(
  request: CompletionRequest,
  choice: number,
  defaults: SamplingDefaults,
): SamplingParameters {
  const temperature = request.temperature ?? defaults.defaultTemperature;
  const topP = request.topP ?? defaults.defaultTopP;
  const greedy = temperature === 0 || topP === 0;
  return {
    // Greedy by `top_p` rather than by a temperature near 0: the token is the same, and the
    // probabilities in `logprobs` stay those of the model instead of becoming 0 and 1.
    temperature: temperature === 0 ? 1 : temperature,
    top_p: greedy ? GREEDY_TOP_P : topP,
    seed: engineSeed(greedy ? 0 : (request.seed ?? randomSeed()), choice),
    // WebLLM generates without end if it gets no limit.
    max_tokens: Math.min(request.maxTokens ?? defaults.contextWindow, defaults.contextWindow),
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    ...(request.repetitionPenalty === null ? {} : { repetition_penalty: request.repetitionPenalty }),
    logit_bias: logitBias(request.logitBias, defaults.vocabularySize),
    logprobs: request.logprobs,
    // Without any alternative WebLLM leaves the tokens out as well.
    ...(request.logprobs ? { top_logprobs: Math.min(Math.max(request.topLogprobs, 1), MOST_TOP_LOGPROBS) } : {}),
  };
}

/**
 * Maps any integer to one of the generator's states, neighbours far from each other: the generator only
 * multiplies, so from states 1 to 1,000 its first draw would be below 0.03, and all choices would begin alike.
 */
function engineSeed(seed: number, choice: number): number {
  const states = SEED_MODULUS - 1;
  const folded = ((seed % states) + states) % states;
  return 1 + (mixBits(mixBits(folded) + choice) % states);
}

/** Spreads each bit of a 32-bit integer over all of them, without two inputs meeting (MurmurHash3's last step). */
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

/** The kernel that applies the bias writes wherever it is told to, so no foreign id may reach it. */
function logitBias(bias: CompletionRequest['logitBias'], vocabularySize: number): Record<string, number> | null {
  if (bias === null) return null;
  const entries = Object.entries(bias);
  const foreign = entries.find(([id]) => !/^\d+$/.test(id) || Number(id) >= vocabularySize);
  if (foreign) {
    throw new ApiError(
      'invalid_value',
      `logit_bias names the token ${JSON.stringify(foreign[0].slice(0, 100))}; ` +
        `this model has the tokens 0 to ${vocabularySize - 1}.`,
      { param: 'logit_bias' },
    );
  }
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
