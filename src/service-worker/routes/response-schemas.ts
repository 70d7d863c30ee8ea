import { FILE_PURPOSES } from '../../shared/documents/document-objects.ts';

/** A JSON Schema, for the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

const objectSchema = (...required: readonly string[]): Schema => ({ type: 'object', required });

/** Schema of an object of the API whose `object` property names its type. */
const typed = (object: string, ...required: readonly string[]): Schema => ({
  ...objectSchema('object', ...required),
  properties: { object: { const: object } },
});

export const HEALTH = objectSchema('status');
export const PROPERTIES = objectSchema('default_generation_settings', 'total_slots', 'model_path', 'modalities');
export const LIST = typed('list', 'data');
export const CHAT_COMPLETION = typed('chat.completion', 'id', 'created', 'model', 'choices', 'usage');
export const DELETED_CHAT_COMPLETION = typed('chat.completion.deleted', 'id', 'deleted');
export const TEXT_COMPLETION = typed('text_completion', 'id', 'created', 'model', 'choices', 'usage');
export const MESSAGE: Schema = {
  ...objectSchema('type', 'id', 'role', 'model', 'content', 'stop_reason', 'usage'),
  properties: { type: { const: 'message' } },
};
export const MESSAGE_TOKENS = objectSchema('input_tokens');
export const RESPONSE = typed('response', 'id', 'created_at', 'status', 'model', 'output');
export const INPUT_TOKENS = typed('response.input_tokens', 'input_tokens');
export const COMPACTION = typed('response.compaction', 'id', 'created_at', 'output', 'usage');
export const DELETED_RESPONSE = typed('response', 'id', 'deleted');
export const EMBEDDINGS = typed('list', 'data', 'model', 'usage');
export const RANKING = typed('list', 'id', 'model', 'results', 'usage');
export const MODEL = typed('model', 'id', 'created', 'owned_by', 'tabserve');
export const TOKENS = objectSchema('count', 'max_model_len', 'tokens', 'token_strs');
export const DETOKENIZED_TEXT = objectSchema('content', 'prompt');
export const FILE = typed('file', 'id', 'bytes', 'created_at', 'filename', 'purpose', 'status');
export const FILE_UPLOAD: Schema = {
  ...objectSchema('file', 'purpose'),
  properties: {
    file: { type: 'string', contentMediaType: 'application/octet-stream' },
    purpose: { enum: FILE_PURPOSES },
  },
};
export const FILE_CONTENT: Schema = { type: 'string', contentMediaType: 'application/octet-stream' };
export const DELETED_FILE = typed('file', 'id', 'deleted');
export const STORE = typed('vector_store', 'id', 'created_at', 'name', 'status', 'file_counts', 'usage_bytes');
export const DELETED_STORE = typed('vector_store.deleted', 'id', 'deleted');
export const SEARCH_RESULTS = typed('vector_store.search_results.page', 'search_query', 'data', 'has_more');
export const STORE_FILE = typed('vector_store.file', 'id', 'created_at', 'vector_store_id', 'status', 'last_error');
export const STORE_FILE_CONTENT = typed('vector_store.file_content.page', 'data', 'has_more');
export const DELETED_STORE_FILE = typed('vector_store.file.deleted', 'id', 'deleted');
export const BATCH = typed('vector_store.files_batch', 'id', 'created_at', 'vector_store_id', 'status', 'file_counts');
export const OPENAPI_DOCUMENT = objectSchema('openapi', 'info', 'paths');
export const ERROR: Schema = {
  ...objectSchema('error'),
  properties: { error: objectSchema('message', 'type', 'param', 'code') },
};
