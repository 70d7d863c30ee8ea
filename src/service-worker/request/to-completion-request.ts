import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { contextLengthExceeded } from '../../shared/engine/engine-errors.ts';
import { refuseUnknownTokens } from '../../shared/engine/refuse-unknown-tokens.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ChatCompletionFields } from './chat-completion-fields.ts';
import { thinkingOf } from './thinking-of.ts';
import { onlyConstraint } from './constraint-fields.ts';
import type { ReadMessage } from './read-messages.ts';
import { splitPrefix } from './answer-prefix.ts';
import { MAX_TOKEN_LENGTH, refuseIgnoredEnd, samplingOf } from './sampling-fields.ts';

/**
 * Converts checked fields to a request for the engine.
 * @throws ApiError if the model cannot read the messages' images, lacks a token of `logit_bias`, or has a shorter
 * context window than the messages.
 */
export function toCompletionRequest(fields: ChatCompletionFields, model: ModelEntry): CompletionRequest {
  refuseUnsupportedMedia(fields.messages, model);
  refuseUnknownTokens(fields, model);
  refuseOverlongMessages(fields.messages, model);
  const { choice: toolChoice, allowed } = fields.tool_choice;
  const tools = allowed === null ? fields.tools : fields.tools.filter(({ name }) => allowed.includes(name));
  const request: CompletionRequest = {
    model: model.id,
    ...splitPrefix(fields.messages),
    maxTokens: fields.max_completion_tokens ?? fields.max_tokens ?? fields.n_predict,
    ...samplingOf(fields),
    choices: fields.n,
    logprobs: fields.logprobs,
    topLogprobs: fields.top_logprobs,
    responseFormat: onlyConstraint(fields),
    tools: toolChoice === 'none' ? [] : tools,
    toolChoice,
    parallelToolCalls: fields.parallel_tool_calls,
    thinking: thinkingOf(
      fields.reasoning_effort,
      fields.enable_thinking,
      fields.think,
      fields.thinking,
      fields.reasoning,
      fields.chat_template_kwargs,
    ),
    loopDetection: fields.loop_detection,
  };
  refuseIgnoredEnd(request);
  return request;
}

/** What to do with content that a model does not take. No model here takes audio or files. */
const MEDIA_REMEDIES = {
  images: 'Leave it out, or use a model whose `capabilities` name images.',
  audio: 'Send what is said as text.',
  files: 'Send what it says as text.',
} as const;

/**
 * Checks that the model supports the parts of the messages, such as images.
 * @throws ApiError `unsupported_value` if it does not.
 */
export function refuseUnsupportedMedia(messages: readonly ReadMessage[], model: ModelEntry): void {
  for (const { type, param } of messages.flatMap(({ media }) => media)) {
    if (type === 'image' && model.images) continue;
    const content = type === 'image' ? 'images' : type === 'file' ? 'files' : 'audio';
    const sentence = `\`${param}\`: the model \`${model.id}\` takes no ${content}. ${MEDIA_REMEDIES[content]}`;
    throw new ApiError('unsupported_value', sentence, { param });
  }
}

/**
 * Rejects messages that exceed the context window with any tokenizer, before the engine tokenizes them. The lower bound
 * of their tokens is one per turn, or one per {@link MAX_TOKEN_LENGTH} characters if that is more.
 * @param param The request field that the error names.
 * @throws ApiError `context_length_exceeded` if this lower bound exceeds the context window.
 */
export function refuseOverlongMessages(messages: readonly ReadMessage[], model: ModelEntry, param = 'messages'): void {
  let turns = 0;
  let characters = 0;
  for (const { message } of messages) {
    // System messages are not counted, because a chat template may join them.
    if (message.role !== 'system') turns++;
    const { content } = message;
    if (typeof content === 'string') characters += content.length;
    else for (const part of content) if (part.type === 'text') characters += part.text.length;
  }
  const tokens = Math.max(turns, Math.ceil(characters / MAX_TOKEN_LENGTH));
  if (tokens > model.contextWindow) throw contextLengthExceeded(model, `at least ${tokens}`, { param });
}
