import type { FileBatchObject, VectorStoreFileObject } from '../../shared/documents/document-objects.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { listPage } from '../http/pagination.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { renameParam } from '../http/rename-param.ts';
import { readFields } from '../request/read-fields.ts';
import { callDocuments } from './call-documents.ts';
import { BATCH_FIELDS, batchFiles, STORE_FILE_FIELDS, UPDATE_STORE_FILE_FIELDS } from './document-fields.ts';
import { readDocumentQuery } from './read-document-query.ts';

/** Milliseconds after which a client should ask again. The official clients wait five seconds without it. */
const POLL_INTERVAL = '250';

/** Responds with an object whose indexing a client may wait for. */
function polledResponse(indexed: VectorStoreFileObject | FileBatchObject): Response {
  return jsonResponse(indexed, 200, { 'openai-poll-after-ms': POLL_INTERVAL });
}

/** `POST /vector_stores/{vector_store_id}/files` */
export async function addStoreFile(exchange: Exchange, store: string): Promise<Response> {
  const fields = readFields(STORE_FILE_FIELDS, (await readJsonBody(exchange, false)).value);
  const { file_id: id, attributes, chunking_strategy: chunking, replaces_file_id: replaces } = fields;
  const file = { id, attributes, chunking, ...(replaces !== null && { replaces }) };
  const vectors = fields.vectors_file_id === null ? {} : { vectors: fields.vectors_file_id };
  return polledResponse(await callDocuments(exchange, 'store-files/add', { store, file, ...vectors }));
}

/** `GET /vector_stores/{vector_store_id}/files`: newest first by default. */
export function listStoreFiles(exchange: Exchange, store: string): Promise<Response> {
  return listFilesOf(exchange, store, null);
}

/** `GET /vector_stores/{vector_store_id}/file_batches/{batch_id}/files` */
export function listBatchFiles(exchange: Exchange, store: string, batch: string): Promise<Response> {
  return listFilesOf(exchange, store, batch);
}

async function listFilesOf(exchange: Exchange, store: string, batch: string | null): Promise<Response> {
  const { filter: status, ...query } = readDocumentQuery(exchange);
  const files = await callDocuments(exchange, 'store-files/list', { store, batch, status: null });
  return jsonResponse(await listPage(query, files, (file) => (status && file.status !== status ? null : file)));
}

/** `GET /vector_stores/{vector_store_id}/files/{file_id}` */
export async function retrieveStoreFile(exchange: Exchange, store: string, id: string): Promise<Response> {
  return polledResponse(await callDocuments(exchange, 'store-files/find', { store, id }));
}

/** `POST /vector_stores/{vector_store_id}/files/{file_id}`: replaces the attributes. */
export async function updateStoreFile(exchange: Exchange, store: string, id: string): Promise<Response> {
  const { attributes } = readFields(UPDATE_STORE_FILE_FIELDS, (await readJsonBody(exchange, false)).value);
  return jsonResponse(await callDocuments(exchange, 'store-files/update', { store, id, attributes }));
}

/** `GET /vector_stores/{vector_store_id}/files/{file_id}/content`: the text of the file. */
export async function retrieveStoreFileContent(exchange: Exchange, store: string, id: string): Promise<Response> {
  const text = await callDocuments(exchange, 'store-files/text', { store, id });
  const object = 'vector_store.file_content.page';
  return jsonResponse({ object, data: [{ type: 'text', text }], has_more: false, next_page: null });
}

/** `GET /vector_stores/{vector_store_id}/files/{file_id}/vectors`: the vectors of the file, for `vectors_file_id`. */
export async function retrieveStoreFileVectors(exchange: Exchange, store: string, id: string): Promise<Response> {
  const vectors = await callDocuments(exchange, 'store-files/vectors', { store, id });
  return new Response(vectors, { headers: { 'content-type': 'application/octet-stream' } });
}

/** `DELETE /vector_stores/{vector_store_id}/files/{file_id}`: removes a file from the store; the file itself stays. */
export async function removeStoreFile(exchange: Exchange, store: string, id: string): Promise<Response> {
  await callDocuments(exchange, 'store-files/delete', { store, id });
  return jsonResponse({ id, object: 'vector_store.file.deleted', deleted: true });
}

/** `POST /vector_stores/{vector_store_id}/file_batches` */
export async function createBatch(exchange: Exchange, store: string): Promise<Response> {
  const fields = readFields(BATCH_FIELDS, (await readJsonBody(exchange, false)).value);
  const created = callDocuments(exchange, 'batches/create', { store, files: batchFiles(fields) });
  return polledResponse(await renameParam(created, 'file_id', fields.files === null ? 'file_ids' : 'files'));
}

/** `GET /vector_stores/{vector_store_id}/file_batches/{batch_id}` */
export async function retrieveBatch(exchange: Exchange, store: string, id: string): Promise<Response> {
  return polledResponse(await callDocuments(exchange, 'batches/find', { store, id }));
}

/** `POST /vector_stores/{vector_store_id}/file_batches/{batch_id}/cancel` */
export async function cancelBatch(exchange: Exchange, store: string, id: string): Promise<Response> {
  return jsonResponse(await callDocuments(exchange, 'batches/cancel', { store, id }));
}
