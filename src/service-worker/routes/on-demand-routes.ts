import { countMessageTokens, createMessage } from '../messages-api/create-message.ts';
import { COUNT_TOKENS_FIELDS, MESSAGE_FIELDS } from '../messages-api/message-fields.ts';
import { RERANK_FIELDS } from '../request/rerank-fields.ts';
import { compactConversation } from '../responses-api/compact-conversation.ts';
import { countInputTokens } from '../responses-api/count-input-tokens.ts';
import { createResponse } from '../responses-api/create-response.ts';
import { COMPACT_FIELDS, INPUT_TOKENS_FIELDS, RESPONSE_FIELDS } from '../responses-api/response-fields.ts';
import {
  cancelResponse,
  deleteResponse,
  listInputItems,
  retrieveResponse,
} from '../responses-api/stored-response-routes.ts';
import type { PathItem } from './path-item.ts';
import { rerank } from './rerank.ts';
import {
  COMPACTION,
  DELETED_RESPONSE,
  INPUT_TOKENS,
  LIST,
  MESSAGE,
  MESSAGE_TOKENS,
  RANKING,
  RESPONSE,
} from './response-schemas.ts';

/** The routes of the Responses, Messages and Rerank APIs. */
export const ON_DEMAND_ROUTES: readonly PathItem[] = [
  { path: '/messages', POST: { handler: createMessage, fields: MESSAGE_FIELDS, response: MESSAGE } },
  {
    path: '/messages/count_tokens',
    POST: { handler: countMessageTokens, fields: COUNT_TOKENS_FIELDS, response: MESSAGE_TOKENS },
  },
  { path: '/responses', POST: { handler: createResponse, fields: RESPONSE_FIELDS, response: RESPONSE } },
  {
    path: '/responses/input_tokens',
    POST: { handler: countInputTokens, fields: INPUT_TOKENS_FIELDS, response: INPUT_TOKENS },
  },
  { path: '/responses/compact', POST: { handler: compactConversation, fields: COMPACT_FIELDS, response: COMPACTION } },
  {
    path: '/responses/{response_id}',
    GET: { handler: retrieveResponse, response: RESPONSE },
    DELETE: { handler: deleteResponse, response: DELETED_RESPONSE },
  },
  { path: '/responses/{response_id}/cancel', POST: { handler: cancelResponse, response: RESPONSE } },
  { path: '/responses/{response_id}/input_items', GET: { handler: listInputItems, response: LIST } },
  { path: '/rerank', POST: { handler: rerank, fields: RERANK_FIELDS, response: RANKING } },
];
