import { answerCompletion } from '../answer/answer-completion.ts';
import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/completion-request.ts';
import type { ModelEntry } from '../../shared/model-entry.ts';
import { randomId, type Exchange } from '../exchange.ts';
import { readJsonBody } from '../read-json-body.ts';
import type { JsonObject } from '../request/checks.ts';
import { missing } from '../request/checks.ts';
import { refuseWhatCannotFit, refuseWhatTheModelLacks } from '../request/read-completion-request.ts';
import { readFields } from '../request/read-fields.ts';
import type { ReadMessage } from '../request/read-messages.ts';
import { readStreamHeaders } from '../request/read-stream-headers.ts';
import { responseDetail } from './response-detail.ts';
import { createResponseJsonEncoder, createResponseStreamEncoder } from './response-encoders.ts';
import { inTermsOfResponses } from './response-errors.ts';
import { RESPONSE_FIELDS, type ResponseFields } from './response-fields.ts';
import { RESPONSE_ID_PREFIX, type ConversationItem } from './response-items.ts';
import { ResponseWriter } from './response-writer.ts';
import { toMessages } from './to-messages.ts';

/** `POST /responses`: checks, then one response as JSON or as a stream. */
export async function createResponse(exchange: Exchange): Promise<Response> {
  const stream = readStreamHeaders(exchange.request);
  const { value, bytes } = await readJsonBody(exchange);
  const fields = readFields(RESPONSE_FIELDS, value);
  const model = await exchange.models.find(fields.model);
  exchange.observer?.modelNamed(model.id);

  const input = fields.input as readonly ConversationItem[];
  const messages = toMessages(fields.instructions, [], input);
  if (input.length === 0) throw missing('input');
  const completion = toCompletionRequest(fields, messages, model);

  const detail = responseDetail(fields, input, value as JsonObject, model);
  const id = `${RESPONSE_ID_PREFIX}${randomId()}`;
  const created = Math.floor(Date.now() / 1000);
  const createEncoder = () => {
    const writer = new ResponseWriter(id, created, detail);
    return fields.stream
      ? createResponseStreamEncoder(writer, { startingAfter: -1, beginsEarly: stream === null })
      : createResponseJsonEncoder(writer);
  };
  try {
    return await answerCompletion(exchange, { completion, bytes, stream, stored: null, createEncoder });
  } catch (thrown) {
    throw thrown instanceof ApiError ? inTermsOfResponses(thrown) : thrown;
  }
}

/** What the engine gets: the fields in its own words, for `model`, which must be able to serve them. */
function toCompletionRequest(
  fields: ResponseFields,
  messages: readonly ReadMessage[],
  model: ModelEntry,
): CompletionRequest {
  refuseWhatTheModelLacks(messages, model);
  refuseWhatCannotFit(messages, model);
  const { choice: toolChoice, allowed } = fields.tool_choice;
  const tools = fields.tools.map(({ tool }) => tool).filter(({ name }) => allowed?.includes(name) ?? true);
  return {
    model: model.id,
    messages: messages.map(({ message }) => message),
    maxTokens: fields.max_output_tokens,
    temperature: fields.temperature,
    topP: fields.top_p,
    stop: [],
    seed: null,
    presencePenalty: null,
    frequencyPenalty: null,
    repetitionPenalty: null,
    choices: 1,
    logprobs: fields.include,
    topLogprobs: fields.top_logprobs,
    logitBias: null,
    responseFormat: fields.text.format.asked,
    tools: toolChoice === 'none' ? [] : tools,
    toolChoice,
    parallelToolCalls: fields.parallel_tool_calls,
    thinking: fields.reasoning.effort === 'none' ? false : null,
  };
}
