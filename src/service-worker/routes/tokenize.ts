import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { TokenizeInput } from '../../shared/engine/tokenization.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { notReady } from '../completion/await-headers.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { CHAT_COMPLETION_FIELDS } from '../request/chat-completion-fields.ts';
import { toCompletionRequest } from '../request/to-completion-request.ts';
import { readFields } from '../request/read-fields.ts';
import { DETOKENIZE_FIELDS, MOST_AT_ONCE, TOKENIZE_FIELDS, type TokenizeFields } from '../request/tokenize-fields.ts';

/**
 * `POST /tokenize`, in the forms of llama-server (`content`) and vLLM (`prompt`, `messages`): the tokens of a text or of a
 * conversation, as the model would read it.
 */
export async function tokenize(exchange: Exchange): Promise<Response> {
  const fields = readFields(TOKENIZE_FIELDS, (await readJsonBody(exchange)).value);
  const model = await findModel(exchange, fields.model);
  const input = toInput(fields, model);
  const wanted = fields.with_pieces || fields.return_token_strs;
  const { requestId, clientId, callEngine } = exchange;
  const called = callEngine('models/tokenize', { id: model.id, input, pieces: wanted }, { requestId, clientId });
  const { tokens, pieces } = await inTime(exchange, called);
  return jsonResponse({
    count: tokens.length,
    max_model_len: model.contextWindow,
    tokens: fields.with_pieces ? tokens.map((id, index) => ({ id, piece: pieces?.[index] ?? '' })) : tokens,
    token_strs: fields.return_token_strs ? pieces : null,
  });
}

/** `POST /detokenize`: the text of tokens, under the names that llama-server and vLLM give it. */
export async function detokenize(exchange: Exchange): Promise<Response> {
  const { model: name, tokens } = readFields(DETOKENIZE_FIELDS, (await readJsonBody(exchange)).value);
  const { id } = await findModel(exchange, name);
  const { requestId, clientId, callEngine } = exchange;
  const text = await inTime(exchange, callEngine('models/detokenize', { id, tokens }, { requestId, clientId }));
  return jsonResponse({ content: text, prompt: text });
}

/** Those servers have one model, so their clients need not name it; here it is the first of the list then. */
async function findModel({ models, observer }: Exchange, name: string | null): Promise<ModelEntry> {
  const id = name ?? (await models.list())[0]?.id;
  if (id === undefined) throw new ApiError('model_not_found', 'This key may use no model.', { param: 'model' });
  const model = await models.find(id);
  observer?.modelNamed(model.id);
  return model;
}

function toInput(fields: TokenizeFields, model: ModelEntry): TokenizeInput {
  const { content, prompt, messages } = fields;
  if ([content, prompt, messages].filter((source) => source !== null).length !== 1) {
    const sentence = 'Exactly one of `content`, `prompt` and `messages` must be given.';
    throw new ApiError('missing_required_parameter', sentence, { param: 'content' });
  }
  if (messages !== null) {
    // Whatever a chat completion would be with these messages and tools.
    const chat = readFields(CHAT_COMPLETION_FIELDS, { model: model.id, messages: [{ role: 'user', content: '' }] });
    const request = toCompletionRequest({ ...chat, messages, tools: fields.tools }, model);
    const image = messages.flatMap(({ media }) => media)[0];
    if (image === undefined) return { type: 'conversation', request, reply: fields.add_generation_prompt };
    const sentence = `\`${image.param}\`: how many tokens an image has is known only when it is read.`;
    throw new ApiError('unsupported_value', sentence, { param: image.param });
  }
  const text = content ?? prompt ?? '';
  if (text.length > MOST_AT_ONCE) {
    throw new ApiError('request_too_large', `At most ${MOST_AT_ONCE} characters are turned into tokens at once.`);
  }
  // The two servers have other defaults.
  const prefix = fields.add_special ?? fields.add_special_tokens ?? content === null;
  return { type: 'text', text, prefix, markers: fields.parse_special };
}

/** @throws ApiError `model_loading` when the model of a call is not ready in time. */
async function inTime<Result>({ settings }: Exchange, called: Promise<Result>): Promise<Result> {
  const result = await withTimeout(settings.headHoldTime, called, undefined);
  if (result === undefined) throw notReady();
  return result;
}
