import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest, RawPrompt } from '../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { unwantedTokens, type AddedToken } from '../answer/unwanted-tokens.ts';
import { conversationTurns } from '../tools/conversation-turns.ts';
import { toolPrompt } from '../tools/tool-prompt.ts';

/** Parameters of llama.cpp's server for a chat or text completion. */
export type LlamaRequest = Readonly<Record<string, unknown>>;

/** llama.cpp takes this seed as "draw one". */
const RANDOM_SEED = 0xff_ff_ff_ff;

/**
 * Refuses what llama.cpp in WebAssembly cannot do.
 * @throws ApiError `unsupported_value` or `unsupported_parameter` naming the field.
 */
export function refuseUnsupported({ raw, messages }: CompletionRequest, { id }: ModelEntry): void {
  if (raw?.prompts.some((prompt) => typeof prompt !== 'string')) {
    throw refusal('prompt', `prompts of tokens cannot be given to ${id}, which llama.cpp runs; send text.`);
  }
  if (raw && raw.suffix !== null) throw refusal('suffix', `${id} cannot fill a gap. Leave it out.`);
  const hasImage = messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  );
  if (hasImage) throw refusal('messages', `${id} takes text only; leave out the images.`);
}

function refusal(param: string, sentence: string): ApiError {
  return new ApiError('unsupported_value', `\`${param}\`: ${sentence}`, { param });
}

/** What {@link toLlamaChat} needs of a loaded model. */
export interface ChatModel {
  readonly entry: ModelEntry;
  /** Whether the model's chat template renders a tool's result by itself. */
  readonly hasToolRole: boolean;
  /** The control tokens and other markers of its vocabulary. */
  readonly addedTokens: readonly AddedToken[];
  /** Whether a token ends an answer. */
  readonly isEnd: (token: number) => boolean;
}

/**
 * @param grammar In GBNF; null for free text. With one, the model does not think, since all that it writes is the answer.
 * @param choice Index of the choice, from 0: each gets its own seed.
 */
export function toLlamaChat(
  request: CompletionRequest,
  { entry, hasToolRole, addedTokens, isEnd }: ChatModel,
  grammar: string | null,
  choice: number,
): LlamaRequest {
  const { tools, toolChoice, messages } = request;
  const usesTools = tools.length > 0 && toolChoice !== 'none';
  const thinking = grammar === null ? request.thinking : false;
  const { system, turns } = conversationTurns(messages, hasToolRole);
  const instructions = [system ?? '', usesTools ? toolPrompt(tools, toolChoice) : ''].filter((part) => part !== '');
  return {
    ...sampling(
      request,
      entry,
      choice,
      unwantedTokens(addedTokens, usesTools, ({ id }) => isEnd(id)),
    ),
    messages: [
      ...(instructions.length > 0 ? [{ role: 'system', content: instructions.join('\n\n') }] : []),
      ...turns.map(({ role, text }) => ({ role, content: text })),
    ],
    // llama.cpp would also search them in calls of tools.
    stop: usesTools ? [] : request.stop,
    ...(grammar === null ? {} : { grammar }),
    ...(thinking === null ? {} : { chat_template_kwargs: { enable_thinking: thinking } }),
    ...(request.logprobs ? { logprobs: true, top_logprobs: request.topLogprobs } : {}),
  };
}

/** The parameters are as in {@link toLlamaChat}. The answer may contain control tokens. */
export function toLlamaCompletion(
  request: CompletionRequest,
  prompt: RawPrompt,
  model: ModelEntry,
  grammar: string | null,
  choice: number,
): LlamaRequest {
  return {
    ...sampling(request, model, choice, []),
    prompt,
    stop: request.stop,
    ...(grammar === null ? {} : { grammar }),
    // llama.cpp reports the sampled token only together with alternatives.
    ...(request.logprobs ? { n_probs: Math.max(1, request.topLogprobs) } : {}),
  };
}

/**
 * Sampling as the API defines it: temperature before nucleus sampling, penalties over the whole context, and none of
 * llama.cpp's additional samplers.
 */
function sampling(
  request: CompletionRequest,
  model: ModelEntry,
  choice: number,
  unwanted: readonly number[],
): LlamaRequest {
  const biases = new Map<number, number | false>(
    Object.entries(request.logitBias ?? {}).map(([id, bias]) => [Number(id), bias]),
  );
  for (const id of unwanted) biases.set(id, false);
  const { topP, topK, seed } = request;
  return {
    samplers: ['penalties', 'temperature', 'top_k', 'top_p'],
    temperature: topP === 0 ? 0 : (request.temperature ?? model.defaultTemperature),
    top_p: topP ?? model.defaultTopP,
    top_k: topK ?? 0,
    seed: seed === null ? RANDOM_SEED : toSeed(seed + choice),
    presence_penalty: request.presencePenalty ?? 0,
    frequency_penalty: request.frequencyPenalty ?? 0,
    repeat_penalty: request.repetitionPenalty ?? 1,
    repeat_last_n: model.contextWindow,
    max_tokens: request.maxTokens ?? -1,
    ...(biases.size === 0 ? {} : { logit_bias: [...biases] }),
    cache_prompt: true,
    // llama.cpp can be aborted between two reports.
    return_progress: true,
    stream_options: { include_usage: true },
  };
}

/** Maps any integer to 32 bits. */
function toSeed(seed: number): number {
  const bits = Number(BigInt.asUintN(32, BigInt(seed)));
  return bits === RANDOM_SEED ? 0 : bits;
}
