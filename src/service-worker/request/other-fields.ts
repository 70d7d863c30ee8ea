import { ApiError } from '../../shared/api-error.ts';
import { integer, isAbsent, object, oneOf, text, unsupported, withoutEffect, type Check } from './checks.ts';
import { samplers } from './samplers.ts';

/*
 * Fields of other services that no answer here depends on, or that are refused because an answer would. None is unknown, so
 * that nothing that a client asks for is dropped in silence. Sources, 2026-11-27: the types of `openai` 7, the README of
 * llama.cpp's server, and vLLM's `entrypoints/openai/{chat_completion,completion}/protocol.py`.
 */

const ONE_USER = 'all requests come from this device';
const OWN_CACHE = "the device's own prompt cache is always used, by one person";
const ONLY_WITH_SAMPLER = 'it belongs to a sampler that is refused';

/** The penalties whose range `repeat_last_n` sets, with the values that penalize nothing. */
const PENALTIES = { repeat_penalty: 1, repetition_penalty: 1, presence_penalty: 0, frequency_penalty: 0 } as const;

/** Reads `repeat_last_n` of llama-server. Penalties see the whole context here, which is −1. */
const penaltyRange: Check<number> = (value, param, body) => {
  const range = integer({ min: -1 })(value, param, body);
  const set = Object.entries(PENALTIES).find(([name, neutral]) => !isAbsent(body[name]) && body[name] !== neutral);
  if (range === -1 || set === undefined) return range;
  const sentence = `\`${param}\` can only be -1 together with \`${set[0]}\`, because penalties see the whole context here. Leave it out.`;
  throw new ApiError('unsupported_parameter', sentence, { param });
};

/** Fields of OpenAI's cloud service. */
export const CLOUD_FIELDS = {
  user: withoutEffect(ONE_USER, text),
  safety_identifier: withoutEffect(ONE_USER, text),
  service_tier: withoutEffect(
    'there is one device, and no other tier',
    oneOf(['auto', 'default', 'flex', 'scale', 'priority', 'fast']),
  ),
  prompt_cache_key: withoutEffect(OWN_CACHE, text),
  prompt_cache_retention: withoutEffect(OWN_CACHE, oneOf(['in_memory', 'in-memory', '24h'])),
  prompt_cache_options: withoutEffect(OWN_CACHE, object),
} as const satisfies Record<string, Check<unknown>>;

/** Fields of chats in vLLM and llama-server. */
export const OTHER_CHAT_FIELDS = {
  chat_template: unsupported(),
  documents: unsupported([]),
  media_io_kwargs: unsupported({}),
  mm_processor_kwargs: unsupported({}),
  return_prompt_text: unsupported(false),
  reasoning_control: unsupported(false),
} as const satisfies Record<string, Check<unknown>>;

/** Fields of vLLM and llama-server for all routes that generate text. Their refused samplers accept the value "off". */
export const OTHER_SAMPLING_FIELDS = {
  // vLLM
  min_tokens: unsupported(0),
  bad_words: unsupported([]),
  allowed_token_ids: unsupported([]),
  use_beam_search: unsupported(false),
  length_penalty: unsupported(1),
  watermarking: unsupported(false),
  repetition_detection: unsupported(),
  thinking_token_budget: unsupported(-1),
  include_stop_str_in_output: unsupported(false),
  skip_special_tokens: unsupported(true),
  spaces_between_special_tokens: withoutEffect('answers contain no special tokens'),
  truncate_prompt_tokens: unsupported(),
  truncation_side: withoutEffect('no prompt is cut'),
  prompt_logprobs: unsupported(),
  logprob_token_ids: unsupported(),
  return_tokens_as_token_ids: unsupported(false),
  return_token_ids: unsupported(false),
  return_token_offsets: withoutEffect('vLLM, too, ignores it on this route'),
  return_mm_kwargs: withoutEffect('vLLM, too, ignores it on this route'),
  routed_experts_prompt_start: withoutEffect('no expert routing is returned'),
  priority: unsupported(0),
  request_id: withoutEffect('the service makes the ids of its answers'),
  session_id: withoutEffect(OWN_CACHE),
  cache_salt: withoutEffect(OWN_CACHE),
  stream_interval: withoutEffect('the tokens of a fast model arrive in batches, twenty times a second'),
  kv_transfer_params: unsupported({}),
  ec_transfer_params: unsupported({}),
  vllm_xargs: unsupported({}),
  // llama-server
  samplers: withoutEffect(
    'their order is fixed: penalties, temperature, min_p, top_k, top_p; another one is a 400',
    samplers,
  ),
  typical_p: unsupported(1),
  top_n_sigma: unsupported(-1, 0),
  dynatemp_range: unsupported(0),
  dynatemp_exponent: withoutEffect(ONLY_WITH_SAMPLER),
  dry_multiplier: unsupported(0),
  dry_base: withoutEffect(ONLY_WITH_SAMPLER),
  dry_allowed_length: withoutEffect(ONLY_WITH_SAMPLER),
  dry_penalty_last_n: withoutEffect(ONLY_WITH_SAMPLER),
  dry_sequence_breakers: withoutEffect(ONLY_WITH_SAMPLER),
  xtc_probability: unsupported(0),
  xtc_threshold: withoutEffect(ONLY_WITH_SAMPLER),
  mirostat: unsupported(0),
  mirostat_tau: withoutEffect(ONLY_WITH_SAMPLER),
  mirostat_eta: withoutEffect(ONLY_WITH_SAMPLER),
  min_keep: unsupported(0),
  n_indent: unsupported(0),
  n_cmpl: unsupported(1),
  n_probs: unsupported(0),
  post_sampling_probs: unsupported(false),
  return_tokens: unsupported(false),
  response_fields: unsupported([]),
  lora: unsupported([]),
  t_max_predict_ms: unsupported(0, -1),
  repeat_last_n: withoutEffect('it has one only beside a penalty, where every value but −1 is refused', penaltyRange),
  n_keep: withoutEffect('no prompt is cut'),
  n_cache_reuse: withoutEffect(OWN_CACHE),
  cache_prompt: withoutEffect(OWN_CACHE),
  id_slot: withoutEffect('the service chooses the slot'),
  timings_per_token: withoutEffect('answers have no timings'),
  return_progress: withoutEffect('comment lines of a stream say what it waits for'),
  sse_ping_interval: withoutEffect('a body that waits gets a byte every ten seconds'),
} as const satisfies Record<string, Check<unknown>>;
