import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { refuseUnknownTokens } from '../../shared/engine/refuse-unknown-tokens.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { sha256 } from '../../shared/keys/sha256.ts';
import { admitCompletion, respondWithCompletion } from '../completion/completion-response.ts';
import { randomId, type Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import type { JsonObject } from '../request/checks.ts';
import { refuseIgnoredEnd, samplingOf } from '../request/sampling-fields.ts';
import { readFields } from '../request/read-fields.ts';
import { readStreamHeaders } from '../request/read-stream-headers.ts';
import { searchFiles, type FoundPassages } from './file-search/search-files.ts';
import { fittingResults, withPassages } from './file-search/with-passages.ts';
import { readConversation } from './previous-conversation.ts';
import { responseDetail } from './response-detail.ts';
import { createResponseJsonEncoder, createResponseStreamEncoder, toResponsesError } from './response-encoders.ts';
import { RESPONSE_FIELDS, type ResponseFields } from './response-fields.ts';
import { RESPONSE_ID_PREFIX } from './response-items.ts';
import { ResponseWriter } from './response-writer.ts';
import { RESPONSE_KIND, writeNext } from './stored-response.ts';
import { toPrompt } from './to-prompt.ts';

/** Handles `POST /responses`. */
export async function createResponse(exchange: Exchange): Promise<Response> {
  const stream = readStreamHeaders(exchange.request);
  const { value, text } = await readJsonBody(exchange);
  const fields = readFields(RESPONSE_FIELDS, value);
  const model = await exchange.models.find(fields.model, false);
  exchange.observer?.modelNamed(model.id);

  const { input, messages } = await readConversation(exchange.answers, fields);
  const prompt = {
    ...toPrompt(fields, messages, model),
    maxTokens: fields.max_output_tokens,
    ...samplingOf(fields),
    logprobs: fields.include.logprobs,
    topLogprobs: fields.top_logprobs,
    loopDetection: fields.loop_detection,
  };

  refuseUnknownTokens(fields, model);
  refuseIgnoredEnd(prompt);
  const found = await findPassages(exchange, fields, prompt, model);
  const completion = found === null || found.queries.length === 0 ? prompt : withPassages(prompt, found.results);
  const detail = responseDetail(fields, input, value as JsonObject, model, found);
  // Derived from the stream's id, so that a resumed response has the same id.
  const hex = stream === null ? randomId() : (await sha256(stream.resumable.id)).slice(0, 32);
  const id = `${RESPONSE_ID_PREFIX}${hex}`;
  const created = Math.floor(Date.now() / 1000);
  const { background, metadata } = fields;
  const stored = fields.store
    ? ({ kind: RESPONSE_KIND, id, metadata, detail, background, request: prompt } as const)
    : null;
  // A repetition joins the earlier answer only if its marks point to the same passages.
  const given = found === null ? text : text + JSON.stringify(completion.messages);
  const read = { completion, text: given, stream, stored };
  const createWriter = () => new ResponseWriter({ id, created, detail, awaitsId: stored !== null });
  const createEncoder = () =>
    fields.stream
      ? createResponseStreamEncoder(createWriter(), { startingAfter: -1, beginsEarly: stream === null })
      : createResponseJsonEncoder(createWriter());
  try {
    if (!background || fields.stream) return await respondWithCompletion(exchange, { ...read, createEncoder });
    const { begin } = await admitCompletion(exchange, read);
    return await respondWhenStored(begin(), createWriter());
  } catch (thrown) {
    throw thrown instanceof ApiError ? toResponsesError(thrown) : thrown;
  }
}

/** Searches the files of a request, if it asks for that, and returns the passages for the model. */
async function findPassages(
  exchange: Exchange,
  { tools: { fileSearch }, tool_choice: { searches } }: ResponseFields,
  prompt: CompletionRequest,
  model: ModelEntry,
): Promise<FoundPassages | null> {
  if (fileSearch === null || !searches) return null;
  const { queries, results } = await searchFiles(exchange, fileSearch, prompt.messages);
  return { queries, results: fittingResults(results, prompt, model) };
}

/**
 * Responds as soon as the response is stored; its completion continues in the background. If the response cannot be
 * stored, waits for the end of the completion, because the client could not retrieve it later.
 */
async function respondWhenStored(
  events: ReadableStream<readonly CompletionEvent[]>,
  writer: ResponseWriter,
): Promise<Response> {
  const reader = events.getReader();
  let running = true;
  while (running && !writer.stored) running = await writeNext(reader, writer);
  if (writer.failure !== null) throw writer.failure;
  await reader.cancel();
  return jsonResponse(writer.response);
}
