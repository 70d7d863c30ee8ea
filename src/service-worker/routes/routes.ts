import { jsonResponse } from '../http/http-responses.ts';
import { countMessageTokens, createMessage } from '../messages-api/create-message.ts';
import { COUNT_TOKENS_FIELDS, MESSAGE_FIELDS } from '../messages-api/message-fields.ts';
import { CHAT_COMPLETION_FIELDS } from '../request/chat-completion-fields.ts';
import { EMBEDDING_FIELDS } from '../request/embedding-fields.ts';
import { RERANK_FIELDS } from '../request/rerank-fields.ts';
import { TEXT_COMPLETION_FIELDS } from '../request/text-completion-fields.ts';
import { DETOKENIZE_FIELDS, TOKENIZE_FIELDS } from '../request/tokenize-fields.ts';
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
import { createChatCompletion } from './chat-completions.ts';
import { createEmbeddings } from './embeddings.ts';
import { reportHealth, reportProperties } from './server-state.ts';
import { listModels, retrieveModel } from './model-routes.ts';
import { describeApi } from './openapi.ts';
import type { PathItem } from './path-item.ts';
import { rerank } from './rerank.ts';
import * as schemas from './response-schemas.ts';
import {
  deleteChatCompletion,
  listChatCompletionMessages,
  listChatCompletions,
  retrieveChatCompletion,
  updateChatCompletion,
} from './stored-chat-completions.ts';
import { createTextCompletion } from './text-completions.ts';
import { DOCUMENT_ROUTES } from './document-routes.ts';
import { detokenize, tokenize } from './tokenize-routes.ts';

/** The routes of the endpoint. The first path that matches is used. */
export const ROUTES: readonly PathItem[] = [
  {
    path: '/chat/completions',
    GET: { handler: listChatCompletions, response: schemas.LIST },
    POST: { handler: createChatCompletion, fields: CHAT_COMPLETION_FIELDS, response: schemas.CHAT_COMPLETION },
  },
  {
    path: '/chat/completions/{completion_id}',
    GET: { handler: retrieveChatCompletion, response: schemas.CHAT_COMPLETION },
    POST: { handler: updateChatCompletion, response: schemas.CHAT_COMPLETION },
    DELETE: { handler: deleteChatCompletion, response: schemas.DELETED_CHAT_COMPLETION },
  },
  {
    path: '/chat/completions/{completion_id}/messages',
    GET: { handler: listChatCompletionMessages, response: schemas.LIST },
  },
  {
    path: '/completions',
    POST: { handler: createTextCompletion, fields: TEXT_COMPLETION_FIELDS, response: schemas.TEXT_COMPLETION },
  },
  { path: '/embeddings', POST: { handler: createEmbeddings, fields: EMBEDDING_FIELDS, response: schemas.EMBEDDINGS } },
  { path: '/tokenize', POST: { handler: tokenize, fields: TOKENIZE_FIELDS, response: schemas.TOKENS } },
  { path: '/detokenize', POST: { handler: detokenize, fields: DETOKENIZE_FIELDS, response: schemas.DETOKENIZED_TEXT } },
  { path: '/health', isPublic: true, GET: { handler: reportHealth, response: schemas.HEALTH } },
  { path: '/props', GET: { handler: reportProperties, response: schemas.PROPERTIES } },
  { path: '/models', GET: { handler: listModels, response: schemas.LIST } },
  { path: '/models/{+model}', GET: { handler: retrieveModel, response: schemas.MODEL } },
  { path: '/messages', POST: { handler: createMessage, fields: MESSAGE_FIELDS, response: schemas.MESSAGE } },
  {
    path: '/messages/count_tokens',
    POST: { handler: countMessageTokens, fields: COUNT_TOKENS_FIELDS, response: schemas.MESSAGE_TOKENS },
  },
  { path: '/responses', POST: { handler: createResponse, fields: RESPONSE_FIELDS, response: schemas.RESPONSE } },
  {
    path: '/responses/input_tokens',
    POST: { handler: countInputTokens, fields: INPUT_TOKENS_FIELDS, response: schemas.INPUT_TOKENS },
  },
  {
    path: '/responses/compact',
    POST: { handler: compactConversation, fields: COMPACT_FIELDS, response: schemas.COMPACTION },
  },
  {
    path: '/responses/{response_id}',
    GET: { handler: retrieveResponse, response: schemas.RESPONSE },
    DELETE: { handler: deleteResponse, response: schemas.DELETED_RESPONSE },
  },
  { path: '/responses/{response_id}/cancel', POST: { handler: cancelResponse, response: schemas.RESPONSE } },
  { path: '/responses/{response_id}/input_items', GET: { handler: listInputItems, response: schemas.LIST } },
  { path: '/rerank', POST: { handler: rerank, fields: RERANK_FIELDS, response: schemas.RANKING } },
  ...DOCUMENT_ROUTES,
  {
    path: '/openapi.json',
    GET: {
      handler: async ({ settings }) => jsonResponse(describeApi(ROUTES, settings)),
      response: schemas.OPENAPI_DOCUMENT,
    },
  },
];
