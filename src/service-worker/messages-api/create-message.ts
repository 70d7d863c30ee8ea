import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { REQUEST_DEFAULTS } from '../../shared/engine/request-defaults.ts';
import { refuseUnknownTokens } from '../../shared/engine/refuse-unknown-tokens.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { completionIdentity, respondWithCompletion } from '../completion/completion-response.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { thinkingOf } from '../request/thinking-of.ts';
import { readFields } from '../request/read-fields.ts';
import type { ReadMessage } from '../request/read-messages.ts';
import { readStreamHeaders } from '../request/read-stream-headers.ts';
import { refuseOverlongMessages, refuseUnsupportedMedia } from '../request/to-completion-request.ts';
import { splitPrefix } from '../request/answer-prefix.ts';
import { refuseIgnoredEnd, samplingOf } from '../request/sampling-fields.ts';
import { countPromptTokens } from '../completion/count-prompt-tokens.ts';
import { createMessageJsonEncoder, createMessageStreamEncoder } from './message-encoders.ts';
import { COUNT_TOKENS_FIELDS, MESSAGE_FIELDS, type PromptFields } from './message-fields.ts';
import { MessageWriter } from './message-writer.ts';

/** Handles `POST /messages`. */
export async function createMessage(exchange: Exchange): Promise<Response> {
  const stream = readStreamHeaders(exchange.request);
  const { value, text } = await readJsonBody(exchange);
  const fields = readFields(MESSAGE_FIELDS, value);
  const model = await exchange.models.find(fields.model, false);
  exchange.observer?.modelNamed(model.id);
  const completion = {
    ...toCompletionRequest(fields, messagesOf(fields), model),
    ...samplingOf({ ...fields, stop: fields.stop_sequences }),
    maxTokens: fields.max_tokens,
    loopDetection: fields.loop_detection,
  };
  refuseUnknownTokens(fields, model);
  refuseIgnoredEnd(completion);
  const { id } = await completionIdentity('msg_', model, exchange, stream);
  const createEncoder = () =>
    (fields.stream ? createMessageStreamEncoder : createMessageJsonEncoder)(
      new MessageWriter({ id, model: model.id }, fields.max_tokens),
      exchange.requestId,
    );
  return respondWithCompletion(exchange, { completion, text, stream, stored: null, createEncoder });
}

/** Handles `POST /messages/count_tokens`. */
export async function countMessageTokens(exchange: Exchange): Promise<Response> {
  const fields = readFields(COUNT_TOKENS_FIELDS, (await readJsonBody(exchange)).value);
  const model = await exchange.models.find(fields.model, false);
  exchange.observer?.modelNamed(model.id);
  const messages = messagesOf(fields);
  const request = toCompletionRequest(fields, messages, model);
  return jsonResponse({ input_tokens: await countPromptTokens(exchange, messages, request) });
}

function messagesOf({ system, messages }: PromptFields): readonly ReadMessage[] {
  return system === null ? messages : [{ message: { role: 'system', content: system }, media: [] }, ...messages];
}

/** Converts checked fields to a request for the engine. @throws ApiError if `model` cannot serve it. */
function toCompletionRequest(
  { tools, tool_choice, thinking, output_config, output_format }: PromptFields,
  messages: readonly ReadMessage[],
  model: ModelEntry,
): CompletionRequest {
  refuseUnsupportedMedia(messages, model);
  refuseOverlongMessages(messages, model);
  const { choice: toolChoice, parallel } = tool_choice;
  return {
    ...REQUEST_DEFAULTS,
    model: model.id,
    ...splitPrefix(messages),
    responseFormat: output_config ?? output_format ?? { type: 'text' },
    tools: toolChoice === 'none' ? [] : tools,
    toolChoice,
    parallelToolCalls: parallel,
    thinking: thinkingOf(thinking),
  };
}
