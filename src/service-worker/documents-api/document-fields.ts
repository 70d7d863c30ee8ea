import { ApiError } from '../../shared/api-error.ts';
import type { FileToIndex } from '../../shared/documents/document-calls.ts';
import { MAX_NAME, type Attributes, type StaticChunking } from '../../shared/documents/document-objects.ts';
import {
  arrayOf,
  boolean,
  described,
  integer,
  invalid,
  isAbsent,
  membersOf,
  missing,
  metadata,
  notes,
  noteText,
  object,
  oneOf,
  optional,
  required,
  shortText,
  text,
  unsupported,
  withoutEffect,
  type Check,
} from '../request/checks.ts';
import { attributeFilter, rankingOptions } from './search-fields.ts';

/** Limits of the OpenAI API. */
const MAX_FILES = 2000;

/** The most queries of one search, as it returns at most as many results. */
const MAX_QUERIES = 50;

const attributes = described<Attributes>(
  { type: 'object' },
  notes((value, param, body) => {
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
    if (typeof value === 'string') return noteText(value, param, body);
    throw invalid('invalid_type', param, 'a text, a number, true or false', value);
  }),
);

/** Reads `chunking_strategy`. Null stands for `auto`. */
const chunkingStrategy = described<StaticChunking | null>({ type: 'object' }, (value, param, body) => {
  const member = membersOf(value, param, body);
  if (member('type', required(oneOf(['auto', 'static']))) === 'auto') return null;
  const path = `${param}.static`;
  const limits = membersOf(member('static', required(object)), path, body);
  const size = limits('max_chunk_size_tokens', required(integer({ min: 100, max: 4096 })));
  const overlap = limits('chunk_overlap_tokens', required(integer({ min: 0, max: Math.floor(size / 2) })));
  return { max_chunk_size_tokens: size, chunk_overlap_tokens: overlap };
});

/** Reads an expiration policy: a number of the unit `unit` after the time `anchor`. */
function expiry(anchor: string, unit: string, min: number, max: number): Check<number> {
  return described({ type: 'object', required: ['anchor', unit] }, (value, param, body) => {
    const member = membersOf(value, param, body);
    member('anchor', required(oneOf([anchor])));
    return member(unit, required(integer({ min, max })));
  });
}

/** `expires_after` of a file, in seconds. */
export const fileExpiry = expiry('created_at', 'seconds', 3600, 30 * 24 * 3600);

const storeExpiry = expiry('last_active_at', 'days', 1, 365);

const anyFileIds = arrayOf(text, MAX_FILES, 'ids of files');

/** An id that is given twice counts once. */
const fileIds = described<readonly string[]>(anyFileIds.schema!, (value, param, body) => [
  ...new Set(anyFileIds(value, param, body)),
]);

/** Fields that say how files are added to a vector store. */
const INDEXING_FIELDS = {
  attributes: optional({}, attributes),
  chunking_strategy: optional(null, chunkingStrategy),
} as const;

const fileToIndex = described<FileToIndex>({ type: 'object', required: ['file_id'] }, (value, param, body) => {
  const member = membersOf(value, param, body);
  member('replaces_file_id', unsupported());
  return {
    id: member('file_id', required(text)),
    attributes: member('attributes', INDEXING_FIELDS.attributes),
    chunking: member('chunking_strategy', INDEXING_FIELDS.chunking_strategy),
  };
});

const anyFilesToIndex = arrayOf(fileToIndex, MAX_FILES, 'files');

/** Of a file that is described twice, the last description counts. */
const filesToIndex = described<readonly FileToIndex[]>(anyFilesToIndex.schema!, (value, param, body) => [
  ...new Map(anyFilesToIndex(value, param, body).map((file) => [file.id, file])).values(),
]);

const STORE_FIELDS = {
  name: optional('', shortText(MAX_NAME)),
  expires_after: optional(null, storeExpiry),
  metadata: optional({}, metadata),
} as const;

/** The fields of `POST /vector_stores`. */
export const CREATE_STORE_FIELDS = {
  ...STORE_FIELDS,
  description: optional(null, text),
  file_ids: optional([], fileIds),
  chunking_strategy: INDEXING_FIELDS.chunking_strategy,
  embedding_model: optional(null, text),
} as const;

/** The fields of `POST /vector_stores/{id}`. */
export const UPDATE_STORE_FIELDS = {
  ...STORE_FIELDS,
  paused: optional(null, boolean),
  embedding_model: unsupported(),
} as const;

/** The fields of `POST /vector_stores/{id}/files`. */
export const STORE_FILE_FIELDS = {
  file_id: required(text),
  ...INDEXING_FIELDS,
  replaces_file_id: optional(null, text),
  vectors_file_id: optional(null, text),
} as const;

/** The fields of `POST /vector_stores/{id}/files/{file_id}`. Null clears the attributes, so that a body without them is refused. */
export const UPDATE_STORE_FILE_FIELDS = {
  attributes: Object.assign(
    described<Attributes>(INDEXING_FIELDS.attributes.schema ?? {}, (value, param, body) => {
      if (value === undefined) throw missing(param);
      return INDEXING_FIELDS.attributes(value, param, body);
    }),
    { isRequired: true } as const,
  ),
} as const;

/** The fields of `POST /vector_stores/{id}/file_batches`. One of `file_ids` and `files` is given. */
export const BATCH_FIELDS = {
  file_ids: optional(null, fileIds),
  files: optional(null, filesToIndex),
  ...INDEXING_FIELDS,
  replaces_file_id: unsupported(),
} as const;

const query = described<string>({ type: 'string', minLength: 1 }, (value, param, body) => {
  const given = text(value, param, body);
  if (given.trim() === '') throw invalid('invalid_value', param, 'a text with a word', given);
  return given;
});

const manyQueries = arrayOf(query, MAX_QUERIES, 'texts', 1);

/** Reads `query`: a text, or an array of texts. */
const queries = described<readonly string[]>({ anyOf: [query.schema, manyQueries.schema] }, (value, param, body) =>
  typeof value === 'string' ? [query(value, param, body)] : manyQueries(value, param, body),
);

/** The fields of `POST /vector_stores/{id}/search`. */
export const SEARCH_FIELDS = {
  query: required(queries),
  filters: optional(null, attributeFilter),
  max_num_results: optional(10, integer({ min: 1, max: 50 })),
  ranking_options: optional(0, rankingOptions),
  rewrite_query: withoutEffect('queries are searched as they are', boolean),
} as const;

/** Reads the files of a batch, which are named in `file_ids` or described in `files`. */
export function batchFiles({
  file_ids,
  files,
  attributes: given,
  chunking_strategy: chunking,
}: { readonly [Name in keyof typeof BATCH_FIELDS]: ReturnType<(typeof BATCH_FIELDS)[Name]> }): readonly FileToIndex[] {
  if (isAbsent(file_ids) === isAbsent(files)) {
    const sentence = 'A batch needs either `file_ids` or `files`.';
    throw new ApiError(file_ids ? 'invalid_value' : 'missing_required_parameter', sentence, { param: 'file_ids' });
  }
  const wanted = files ?? (file_ids ?? []).map((id) => ({ id, attributes: given, chunking }));
  if (wanted.length > 0) return wanted;
  throw invalid('empty_array', files ? 'files' : 'file_ids', 'an array of at least one file', wanted);
}
