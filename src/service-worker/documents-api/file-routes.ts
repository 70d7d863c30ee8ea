import { FILE_PURPOSES } from '../../shared/documents/document-objects.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { listPage, readPageQuery } from '../http/pagination.ts';
import { oneOf, optional } from '../request/checks.ts';
import { callDocuments, createDocument } from './call-documents.ts';
import { readUpload } from './read-upload.ts';

/** `POST /files` */
export async function uploadFile(exchange: Exchange): Promise<Response> {
  return jsonResponse(await createDocument(exchange, 'files/create', await readUpload(exchange)));
}

/** `GET /files`: newest first by default. */
export async function listFiles(exchange: Exchange): Promise<Response> {
  const query = readPageQuery(exchange.request, 'desc', [10_000, 10_000]);
  const purpose = optional(null, oneOf(FILE_PURPOSES))(query.all.get('purpose'), 'purpose', {});
  const files = await callDocuments(exchange, 'files/list', {});
  return jsonResponse(await listPage(query, files, (file) => (purpose && file.purpose !== purpose ? null : file)));
}

/** `GET /files/{file_id}` */
export async function retrieveFile(exchange: Exchange, id: string): Promise<Response> {
  return jsonResponse(await callDocuments(exchange, 'files/find', { id }));
}

/** `GET /files/{file_id}/content`: the bytes of the file. */
export async function retrieveFileContent(exchange: Exchange, id: string): Promise<Response> {
  const content = await callDocuments(exchange, 'files/content', { id });
  // Never the type that the file had: its content must not be run or shown as a page of this site.
  return new Response(content, { headers: { 'content-type': 'application/octet-stream' } });
}

/** `DELETE /files/{file_id}` */
export async function deleteFile(exchange: Exchange, id: string): Promise<Response> {
  await callDocuments(exchange, 'files/delete', { id });
  return jsonResponse({ id, object: 'file', deleted: true });
}
