import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import {
  arrayOf,
  arrayUpTo,
  boolean,
  decimal,
  described,
  integer,
  invalid,
  isAbsent,
  object,
  optional,
  text,
  type Check,
} from './checks.ts';
import { keepAlive } from './keep-alive.ts';
import type { FieldsOf } from './read-fields.ts';
import { readTokens } from './read-prompts.ts';

/** Limit of stop sequences, and of tokens that end an answer. Clients of local servers send more than the four of OpenAI. */
const MAX_STOPS = 64;

/** Reads an array of stop sequences. Empty ones are ignored. */
export const stopSequences: Check<string[]> = (value, param, body) =>
  arrayOf(text, MAX_STOPS, 'texts')(value, param, body).filter((one) => one !== '');

/** Reads `stop`: a string or an array of strings. */
const stop: Check<string[]> = (value, param, body) => {
  if (typeof value !== 'string' && !Array.isArray(value)) {
    throw invalid('invalid_type', param, 'a string or an array of strings', value);
  }
  return stopSequences(Array.isArray(value) ? value : [value], param, body);
};

/** Reads `top_k` as llama-server and vLLM do: 0 and −1 mean no limit. */
const topK: Check<number | null> = described({ type: 'integer', minimum: -1 }, (value, param, body) => {
  const count = integer({ min: -1 })(value, param, body);
  return count > 0 ? count : null;
});

const SHARE = decimal({ min: 0, max: 1 });

/** Reads `min_p`: 0 means no limit. */
const minP: Check<number | null> = described(SHARE.schema!, (value, param, body) => SHARE(value, param, body) || null);

const stopTokens: Check<readonly number[]> = (value, param, body) =>
  readTokens(arrayUpTo(MAX_STOPS, 'tokens')(value, param, body), param);

const logitBias: Check<Readonly<Record<string, number>> | null> = (value, param, body) => {
  const bias: Record<string, number> = {};
  for (const [token, amount] of Object.entries(object(value, param, body))) {
    if (!/^(0|[1-9]\d*)$/.test(token)) {
      throw invalid('invalid_value', param, 'an object whose keys are decimal token ids', token);
    }
    bias[token] = decimal({ min: -100, max: 100 })(amount, param, body);
  }
  return Object.keys(bias).length === 0 ? null : bias;
};

/** Reads the name that llama-server has for `repetition_penalty`. */
const repeatPenalty: Check<number> = described({ type: 'number', exclusiveMinimum: 0 }, (value, param, body) => {
  const penalty = decimal({ above: 0 })(value, param, body);
  if (isAbsent(body.repetition_penalty) || body.repetition_penalty === penalty) return penalty;
  const sentence = `\`${param}\` and \`repetition_penalty\` are two names of one field, with different values; leave one out.`;
  throw new ApiError('invalid_value', sentence, { param });
});

/**
 * The fields of sampling, of the answer's end and of what happens after it that all routes have which generate text, in the
 * order of their checks.
 */
export const SAMPLING_FIELDS = {
  temperature: optional(null, decimal({ min: 0, max: 2 })),
  top_p: optional(null, SHARE),
  top_k: optional(null, topK),
  min_p: optional(null, minP),
  stop: optional([], described({ type: ['string', 'array'], items: { type: 'string' }, maxItems: MAX_STOPS }, stop)),
  stop_token_ids: optional(
    [],
    described({ type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: MAX_STOPS }, stopTokens),
  ),
  ignore_eos: optional(false, boolean),
  seed: optional(null, integer({ min: -(2 ** 63), max: 2 ** 63 })),
  presence_penalty: optional(null, decimal({ min: -2, max: 2 })),
  frequency_penalty: optional(null, decimal({ min: -2, max: 2 })),
  repetition_penalty: optional(null, decimal({ above: 0 })),
  repeat_penalty: optional(null, repeatPenalty),
  logit_bias: optional(
    null,
    described(
      {
        type: 'object',
        propertyNames: { pattern: '^(0|[1-9][0-9]*)$' },
        additionalProperties: { type: 'number', minimum: -100, maximum: 100 },
      },
      logitBias,
    ),
  ),
  keep_alive: optional(null, keepAlive),
} as const satisfies Record<string, Check<unknown>>;

type SamplingFields = FieldsOf<typeof SAMPLING_FIELDS>;

/** Upper bound for the characters of one token. The longest known tokens are runs of 128 blanks. */
export const MAX_TOKEN_LENGTH = 256;

export function samplingOf(fields: SamplingFields) {
  return {
    temperature: fields.temperature,
    topP: fields.top_p,
    topK: fields.top_k,
    minP: fields.min_p,
    stop: fields.stop,
    stopTokens: fields.stop_token_ids,
    ignoreEnd: fields.ignore_eos,
    seed: fields.seed,
    presencePenalty: fields.presence_penalty,
    frequencyPenalty: fields.frequency_penalty,
    repetitionPenalty: fields.repetition_penalty ?? fields.repeat_penalty,
    logitBias: fields.logit_bias,
    ...(fields.keep_alive !== null && { keepAlive: fields.keep_alive }),
  } satisfies Partial<CompletionRequest>;
}

/**
 * Rejects `ignore_eos` for an answer that a constraint or tools determine: such an answer ends where its grammar ends.
 * @throws ApiError `invalid_value`.
 */
export function refuseIgnoredEnd({ ignoreEnd, responseFormat, tools }: CompletionRequest): void {
  if (!ignoreEnd || (responseFormat.type === 'text' && tools.length === 0)) return;
  const sentence =
    '`ignore_eos` cannot be true together with a constraint of the answer or with tools, which say where the answer ends.';
  throw new ApiError('invalid_value', sentence, { param: 'ignore_eos' });
}
