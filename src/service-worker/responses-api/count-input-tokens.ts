import { ApiError } from '../../shared/api-error.ts';
import { countPromptTokens } from '../completion/count-prompt-tokens.ts';
import type { Exchange } from '../http/exchange.ts';
import { findModelOrFirst } from '../http/find-model-or-first.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readFields } from '../request/read-fields.ts';
import { readConversation } from './previous-conversation.ts';
import { toResponsesError } from './response-encoders.ts';
import { INPUT_TOKENS_FIELDS } from './response-fields.ts';
import { toPrompt } from './to-prompt.ts';

/** Handles `POST /responses/input_tokens`: the `input_tokens` that a response to the same fields would report. */
export async function countInputTokens(exchange: Exchange): Promise<Response> {
  const fields = readFields(INPUT_TOKENS_FIELDS, (await readJsonBody(exchange)).value);
  const model = await findModelOrFirst(exchange, fields.model);
  const { messages } = await readConversation(exchange.answers, fields);
  try {
    const input_tokens = await countPromptTokens(exchange, messages, toPrompt(fields, messages, model));
    return jsonResponse({ object: 'response.input_tokens', input_tokens });
  } catch (thrown) {
    throw thrown instanceof ApiError ? toResponsesError(thrown) : thrown;
  }
}
