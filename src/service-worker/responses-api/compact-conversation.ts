import { randomId, type Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readFields } from '../request/read-fields.ts';
import { compact } from './compaction.ts';
import { readConversation } from './previous-conversation.ts';
import { COMPACT_FIELDS } from './response-fields.ts';
import { RESPONSE_ID_PREFIX } from './response-items.ts';
import { usageObject } from './response-writer.ts';

/** Handles `POST /responses/compact`. No model runs, so the usage is zero. */
export async function compactConversation(exchange: Exchange): Promise<Response> {
  const fields = readFields(COMPACT_FIELDS, (await readJsonBody(exchange)).value);
  const model = await exchange.models.find(fields.model, false);
  exchange.observer?.modelNamed(model.id);
  // Instructions apply to one response only, so they are not part of the compacted conversation.
  const { messages } = await readConversation(exchange.answers, { ...fields, instructions: null });
  const id = `${RESPONSE_ID_PREFIX}${randomId()}`;
  // Most texts have about four characters per token, so the item takes about a quarter of the context window.
  const output = compact(
    messages.map(({ message }) => message),
    id,
    model.contextWindow,
  );
  return jsonResponse({
    id,
    object: 'response.compaction',
    created_at: Math.floor(Date.now() / 1000),
    output,
    usage: usageObject({ promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 }),
  });
}
