import { readFile } from 'node:fs/promises';
import type { MessageCreateParamsStreaming as BetaMessageParams } from '@anthropic-ai/sdk/resources/beta/messages';
import type { MessageCreateParamsStreaming as MessageParams } from '@anthropic-ai/sdk/resources/messages';
import type { ChatCompletionCreateParamsStreaming as ChatParams6 } from 'openai/resources/chat/completions';
import type { CompletionCreateParamsStreaming as TextParams6 } from 'openai/resources/completions';
import type { EmbeddingCreateParams as EmbeddingParams6 } from 'openai/resources/embeddings';
import type { ResponseCreateParamsStreaming as ResponseParams6 } from 'openai/resources/responses/responses';
import type { ChatCompletionCreateParamsStreaming as ChatParams7 } from 'openai7/resources/chat/completions';
import type { CompletionCreateParamsStreaming as TextParams7 } from 'openai7/resources/completions';
import type { EmbeddingCreateParams as EmbeddingParams7 } from 'openai7/resources/embeddings';
import type { ResponseCreateParamsStreaming as ResponseParams7 } from 'openai7/resources/responses/responses';
import { expect, expectTypeOf, test } from 'vitest';
import { fieldTable, ROUTE_FIELDS, type RouteName } from '../service-worker/support/route-fields.ts';

test('the table of request fields is that of the checks', async () => {
  const page = await readFile(new URL('../../docs/endpoint.md', import.meta.url), 'utf8');
  const lines = page.split('\n');
  const start = lines.indexOf(fieldTable()[0]!);
  expect(start).toBeGreaterThan(0);
  const end = lines.indexOf('', start);
  expect(lines.slice(start, end).map(unpadded)).toEqual(fieldTable().map(unpadded));
});

const unpadded = (line: string) => line.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-');

/** The names of `Params` that a route does not know. */
type Unknown<Params, Route extends RouteName> = Exclude<keyof Params, keyof (typeof ROUTE_FIELDS)[Route]>;

test("every field of OpenAI's and Anthropic's requests is known", () => {
  // The compiler checks these, with the types of the official clients.
  expectTypeOf<Unknown<ChatParams6 | ChatParams7, 'chat'>>().toBeNever();
  expectTypeOf<Unknown<TextParams6 | TextParams7, 'completions'>>().toBeNever();
  expectTypeOf<Unknown<ResponseParams6 | ResponseParams7, 'responses'>>().toBeNever();
  expectTypeOf<Unknown<EmbeddingParams6 | EmbeddingParams7, 'embeddings'>>().toBeNever();
  expectTypeOf<Unknown<MessageParams | BetaMessageParams, 'messages'>>().toBeNever();
});

/** The sources are those that `other-fields.ts` names. */
const SAMPLING_OF_LOCAL_SERVERS = {
  vllm: `frequency_penalty logit_bias presence_penalty response_format seed stop stream stream_options temperature top_p
    use_beam_search top_k min_p repetition_penalty watermarking length_penalty stop_token_ids include_stop_str_in_output
    ignore_eos min_tokens skip_special_tokens spaces_between_special_tokens truncate_prompt_tokens truncation_side
    allowed_token_ids prompt_logprobs logprob_token_ids bad_words structured_outputs priority request_id session_id
    return_tokens_as_token_ids return_token_ids routed_experts_prompt_start return_token_offsets return_mm_kwargs cache_salt
    kv_transfer_params ec_transfer_params vllm_xargs repetition_detection thinking_token_budget stream_interval user`,
  llamaServer: `temperature dynatemp_range dynatemp_exponent top_k top_p min_p n_indent n_keep n_cmpl n_cache_reuse
    stream stop typical_p repeat_penalty repeat_last_n presence_penalty frequency_penalty dry_multiplier dry_base
    dry_allowed_length dry_penalty_last_n dry_sequence_breakers xtc_probability xtc_threshold mirostat mirostat_tau
    mirostat_eta grammar json_schema seed ignore_eos logit_bias n_probs min_keep t_max_predict_ms id_slot cache_prompt
    return_tokens samplers timings_per_token return_progress sse_ping_interval post_sampling_probs response_fields lora`,
} as const;

const CHATS_OF_LOCAL_SERVERS = `messages model logprobs top_logprobs max_tokens max_completion_tokens n tools tool_choice
  reasoning_effort include_reasoning parallel_tool_calls echo add_generation_prompt continue_final_message
  add_special_tokens documents chat_template chat_template_kwargs media_io_kwargs mm_processor_kwargs return_prompt_text
  n_predict reasoning_format reasoning_control`;

const TEXTS_OF_LOCAL_SERVERS =
  'model prompt echo logprobs max_tokens n suffix prompt_embeds add_special_tokens n_predict';

const words = (text: string) => text.split(/\s+/);
const SAMPLING = Object.values(SAMPLING_OF_LOCAL_SERVERS).flatMap(words);

test.each<[RouteName, readonly string[]]>([
  ['chat', [...SAMPLING, ...words(CHATS_OF_LOCAL_SERVERS)]],
  ['completions', [...SAMPLING, ...words(TEXTS_OF_LOCAL_SERVERS)]],
  ['responses', SAMPLING],
  // These two belong to OpenAI's form of streams and users, for which the Messages API has its own.
  ['messages', SAMPLING.filter((name) => name !== 'stream_options' && name !== 'user')],
])('every field of the requests of vLLM and llama-server is known: %s', (route, names) => {
  expect(names.filter((name) => !Object.hasOwn(ROUTE_FIELDS[route], name))).toEqual([]);
});
