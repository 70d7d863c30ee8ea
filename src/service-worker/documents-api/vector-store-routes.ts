import type { Exchange } from '../http/exchange.ts';
import { findEmbeddingModel } from '../http/find-embedding-model.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { listPage } from '../http/pagination.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { renameParam } from '../http/rename-param.ts';
import { readFields } from '../request/read-fields.ts';
import { callDocuments, createDocument } from './call-documents.ts';
import { CREATE_STORE_FIELDS, SEARCH_FIELDS, UPDATE_STORE_FIELDS } from './document-fields.ts';
import { readDocumentQuery } from './read-document-query.ts';

/** `POST /vector_stores` */
export async function createStore(exchange: Exchange): Promise<Response> {
  const fields = readFields(CREATE_STORE_FIELDS, (await readJsonBody(exchange, false)).value);
  const { name, description, metadata, chunking_strategy: chunking } = fields;
  const model = await findEmbeddingModel(exchange, fields.embedding_model, 'embedding_model');
  const files = fields.file_ids.map((id) => ({ id, attributes: {}, chunking }));
  const given = { name, description, metadata, expiresAfter: fields.expires_after, model: model.id, files };
  const created = createDocument(exchange, 'stores/create', given);
  const named = renameParam(created, 'model', 'embedding_model');
  return jsonResponse(await renameParam(named, 'file_id', 'file_ids'));
}

/** `GET /vector_stores`: newest first by default. */
export async function listStores(exchange: Exchange): Promise<Response> {
  const query = readDocumentQuery(exchange);
  const stores = await callDocuments(exchange, 'stores/list', {});
  return jsonResponse(await listPage(query, stores, (store) => store));
}

/** `GET /vector_stores/{vector_store_id}` */
export async function retrieveStore(exchange: Exchange, id: string): Promise<Response> {
  return jsonResponse(await callDocuments(exchange, 'stores/find', { id }));
}

/** `POST /vector_stores/{vector_store_id}`: replaces the fields that the body has. */
export async function updateStore(exchange: Exchange, id: string): Promise<Response> {
  const { value } = await readJsonBody(exchange, false);
  const { name, metadata, expires_after: expiresAfter, paused } = readFields(UPDATE_STORE_FIELDS, value);
  const has = (field: string) => (value as Readonly<Record<string, unknown>>)[field] !== undefined;
  const changes = {
    ...(has('name') && { name }),
    ...(has('metadata') && { metadata }),
    ...(has('expires_after') && { expiresAfter }),
    ...(paused !== null && { paused }),
  };
  return jsonResponse(await callDocuments(exchange, 'stores/update', { id, ...changes }));
}

/** `DELETE /vector_stores/{vector_store_id}` */
export async function deleteStore(exchange: Exchange, id: string): Promise<Response> {
  await callDocuments(exchange, 'stores/delete', { id });
  return jsonResponse({ id, object: 'vector_store.deleted', deleted: true });
}

/** `POST /vector_stores/{vector_store_id}/search` */
export async function searchStore(exchange: Exchange, id: string): Promise<Response> {
  const fields = readFields(SEARCH_FIELDS, (await readJsonBody(exchange, false)).value);
  const { query: queries, filters: filter, max_num_results: limit, ranking_options: threshold } = fields;
  const data = await callDocuments(exchange, 'stores/search', { id, queries, filter, limit, threshold });
  const object = 'vector_store.search_results.page';
  return jsonResponse({ object, search_query: queries, data, has_more: false, next_page: null });
}
