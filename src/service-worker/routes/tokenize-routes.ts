import { ApiError } from '../../shared/api-error.ts';
import type { TokenizeInput } from '../../shared/engine/tokenization.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { refuseImages, withHeadersTimeout } from '../completion/count-prompt-tokens.ts';
import type { Exchange } from '../http/exchange.ts';
import { findModelOrFirst } from '../http/find-model-or-first.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { CHAT_COMPLETION_FIELDS } from '../request/chat-completion-fields.ts';
import { readFields } from '../request/read-fields.ts';
import { toCompletionRequest } from '../request/to-completion-request.ts';
import { DETOKENIZE_FIELDS, MAX_TOKENIZED, TOKENIZE_FIELDS, type TokenizeFields } from '../request/tokenize-fields.ts';

/**
 * `POST /tokenize`, in the forms of llama-server (`content`) and vLLM (`prompt`, `messages`): the tokens of a text, or
 * of a conversation with the model's chat template.
 */
export async function tokenize(exchange: Exchange): Promise<Response> {
  const fields = readFields(TOKENIZE_FIELDS, (await readJsonBody(exchange)).value);
  const model = await findModelOrFirst(exchange, fields.model);
  const input = toInput(fields, model);
  const wantsPieces = fields.with_pieces || fields.return_token_strs;
  const { requestId, clientId, callEngine } = exchange;
  const called = callEngine('models/tokenize', { id: model.id, input, pieces: wantsPieces }, { requestId, clientId });
  const { tokens, pieces } = await withHeadersTimeout(exchange, called);
  return jsonResponse({
    count: tokens.length,
    max_model_len: model.contextWindow,
    tokens: fields.with_pieces ? tokens.map((id, index) => ({ id, piece: pieces?.[index] ?? '' })) : tokens,
    token_strs: fields.return_token_strs ? pieces : null,
  });
}

/** `POST /detokenize`: the text of tokens. llama-server calls it `content`, vLLM `prompt`. */
export async function detokenize(exchange: Exchange): Promise<Response> {
  const { model: name, tokens } = readFields(DETOKENIZE_FIELDS, (await readJsonBody(exchange)).value);
  const { id } = await findModelOrFirst(exchange, name);
  const { requestId, clientId, callEngine } = exchange;
  const text = await withHeadersTimeout(
    exchange,
    callEngine('models/detokenize', { id, tokens }, { requestId, clientId }),
  );
  return jsonResponse({ content: text, prompt: text });
}

function toInput(fields: TokenizeFields, model: ModelEntry): TokenizeInput {
  const { content, prompt, messages } = fields;
  if ([content, prompt, messages].filter((source) => source !== null).length !== 1) {
    const sentence = 'Exactly one of `content`, `prompt` and `messages` must be given.';
    throw new ApiError('missing_required_parameter', sentence, { param: 'content' });
  }
  if (messages !== null) {
    // Uses the conversion of chat completions, so that the count equals their `usage`.
    const chat = readFields(CHAT_COMPLETION_FIELDS, { model: model.id, messages: [{ role: 'user', content: '' }] });
    const request = toCompletionRequest({ ...chat, messages, tools: fields.tools }, model);
    refuseImages(messages);
    const reply = fields.add_generation_prompt || request.answerPrefix !== '';
    return { type: 'conversation', request, reply };
  }
  const text = content ?? prompt ?? '';
  if (text.length > MAX_TOKENIZED) {
    throw new ApiError('request_too_large', `At most ${MAX_TOKENIZED} characters are turned into tokens at once.`);
  }
  // Whether the model's begin-of-sequence tokens and other special tokens are added. Default: true in vLLM's form,
  // false in llama-server's.
  const prefix = fields.add_special ?? fields.add_special_tokens ?? content === null;
  return { type: 'text', text, prefix, markers: fields.parse_special };
}
