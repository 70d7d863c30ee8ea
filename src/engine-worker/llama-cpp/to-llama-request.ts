import { ApiError } from '../../shared/api-error.ts';
import type { ChatMessage, CompletionRequest, RawPrompt } from '../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';

/** Parameters of llama.cpp's server for a chat or text completion. */
export type LlamaRequest = Readonly<Record<string, unknown>>;

/** llama.cpp takes this seed as "draw one". */
const RANDOM_SEED = 0xff_ff_ff_ff;

/**
 * Refuses what llama.cpp in WebAssembly cannot do.
 * @throws ApiError `unsupported_value` or `unsupported_parameter` naming the field.
 */
export function refuseUnsupported(
  { raw, messages, tools, responseFormat }: CompletionRequest,
  { id }: ModelEntry,
): void {
  if (responseFormat.type === 'regex' || responseFormat.type === 'choice') {
    const param = responseFormat.type === 'regex' ? responseFormat.param : 'guided_choice';
    throw refusal(param, `${id} cannot be held to it by llama.cpp. Give a JSON schema in \`response_format\`.`);
  }
  if (raw?.prompts.some((prompt) => typeof prompt !== 'string')) {
    throw refusal('prompt', `prompts of tokens cannot be given to ${id}, which llama.cpp runs; send text.`);
  }
  if (raw && raw.suffix !== null) throw refusal('suffix', `${id} cannot fill a gap. Leave it out.`);
  const hasImage = messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  );
  if (hasImage) throw refusal('messages', `${id} takes text only; leave out the images.`);
  // Seen with wllama 3.13: with `tool_choice: required` it writes a text as if there were no tools.
  if (tools.length > 0) {
    throw refusal(
      'tools',
      `${id} calls no tools, because llama.cpp runs it. Take a model that WebLLM runs, or leave them out.`,
    );
  }
}

function refusal(param: string, sentence: string): ApiError {
  return new ApiError('unsupported_value', `\`${param}\`: ${sentence}`, { param });
}

/** @param choice Index of the choice, from 0: each gets its own seed. */
export function toLlamaChat(request: CompletionRequest, model: ModelEntry, choice: number): LlamaRequest {
  const { thinking } = request;
  return {
    ...sampling(request, model, choice),
    messages: request.messages.map(toLlamaMessage),
    ...responseFormatOf(request.responseFormat),
    ...(thinking === null ? {} : { chat_template_kwargs: { enable_thinking: thinking } }),
    ...(request.logprobs ? { logprobs: true, top_logprobs: request.topLogprobs } : {}),
  };
}

/** @param choice See {@link toLlamaChat}. */
export function toLlamaCompletion(
  request: CompletionRequest,
  prompt: RawPrompt,
  model: ModelEntry,
  choice: number,
): LlamaRequest {
  return {
    ...sampling(request, model, choice),
    prompt,
    // llama.cpp reports the sampled token only together with alternatives.
    ...(request.logprobs ? { n_probs: Math.max(1, request.topLogprobs) } : {}),
  };
}

/**
 * Sampling as the API defines it: temperature before nucleus sampling, penalties over the whole context, and none of
 * llama.cpp's additional samplers.
 */
function sampling(request: CompletionRequest, model: ModelEntry, choice: number): LlamaRequest {
  const { topP, topK, seed, logitBias, stop } = request;
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
    stop,
    ...(logitBias === null ? {} : { logit_bias: Object.entries(logitBias).map(([id, bias]) => [Number(id), bias]) }),
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

function toLlamaMessage(message: ChatMessage): object {
  switch (message.role) {
    case 'system':
      return message;
    case 'user': {
      const { content } = message;
      const texts =
        typeof content === 'string' ? [content] : content.flatMap((part) => (part.type === 'text' ? part.text : []));
      return { role: 'user', content: texts.join('\n') };
    }
    case 'assistant': {
      const calls = message.toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      }));
      return { role: 'assistant', content: message.content, ...(calls.length > 0 && { tool_calls: calls }) };
    }
    case 'tool':
      return { role: 'tool', content: message.content, tool_call_id: message.toolCallId };
  }
}

function responseFormatOf(format: CompletionRequest['responseFormat']): LlamaRequest {
  if (format.type === 'json_object') return { response_format: { type: 'json_object' } };
  if (format.type !== 'json_schema') return {};
  if (format.schema === null) return { response_format: { type: 'json_object' } };
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema, strict: true } },
  };
}
