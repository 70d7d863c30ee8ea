import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { contextLengthExceeded } from '../../shared/engine/engine-errors.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ChatCompletionFields } from './chat-completion-fields.ts';
import type { ReadMessage } from './read-messages.ts';
import { LONGEST_TOKEN, refuseUnknownTokens, samplingOf } from './sampling-fields.ts';

/** What the engine gets: the fields in its own words, for `model`, which must be able to serve them. */
export function toCompletionRequest(fields: ChatCompletionFields, model: ModelEntry): CompletionRequest {
  refuseWhatTheModelLacks(fields.messages, model);
  refuseUnknownTokens(fields, model);
  refuseWhatCannotFit(fields.messages, model);
  const { choice: toolChoice, allowed } = fields.tool_choice;
  const tools = allowed === null ? fields.tools : fields.tools.filter(({ name }) => allowed.includes(name));
  return {
    model: model.id,
    messages: fields.messages.map(({ message }) => message),
    maxTokens: fields.max_completion_tokens ?? fields.max_tokens,
    ...samplingOf(fields),
    choices: fields.n,
    logprobs: fields.logprobs,
    topLogprobs: fields.top_logprobs,
    responseFormat: fields.response_format,
    tools: toolChoice === 'none' ? [] : tools,
    toolChoice,
    parallelToolCalls: fields.parallel_tool_calls,
    thinking: fields.reasoning_effort === 'none' ? false : null,
  };
}

/** @throws ApiError `unsupported_value` for parts that this model cannot take. */
export function refuseWhatTheModelLacks(messages: readonly ReadMessage[], model: ModelEntry): void {
  for (const { type, param } of messages.flatMap(({ media }) => media)) {
    if (type === 'image' && model.images) continue;
    const sentence = `\`${param}\`: the model \`${model.id}\` cannot take content of this kind.`;
    throw new ApiError('unsupported_value', sentence, { param });
  }
}

/**
 * Refuses what cannot fit whatever the model's vocabulary is, before the engine's thread has anything to do with it:
 * every turn has a token at least, and so has every {@link LONGEST_TOKEN} characters.
 * @throws ApiError `context_length_exceeded`.
 */
export function refuseWhatCannotFit(messages: readonly ReadMessage[], { contextWindow }: ModelEntry): void {
  let turns = 0;
  let characters = 0;
  for (const { message } of messages) {
    // System messages may become one.
    if (message.role !== 'system') turns++;
    const { content } = message;
    if (typeof content === 'string') characters += content.length;
    else for (const part of content) if (part.type === 'text') characters += part.text.length;
  }
  const tokens = Math.max(turns, Math.ceil(characters / LONGEST_TOKEN));
  if (tokens > contextWindow) throw contextLengthExceeded(contextWindow, `at least ${tokens}`);
}
