import {
  array,
  boolean,
  described,
  integer,
  invalid,
  membersOf,
  optional,
  required,
  text,
  type Check,
} from './checks.ts';
import { MAX_INPUTS } from './embedding-fields.ts';
import type { FieldsOf } from './read-fields.ts';

/** One less than the limit of inputs, because the query is embedded together with the documents. */
const MAX_DOCUMENTS = MAX_INPUTS - 1;

const filledText = described<string>({ type: 'string', minLength: 1 }, (value, param, body) => {
  const given = text(value, param, body);
  if (given === '') throw invalid('invalid_value', param, 'a text that is not empty', given);
  return given;
});

const DOCUMENTS_SCHEMA = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_DOCUMENTS,
  items: {
    anyOf: [filledText.schema, { type: 'object', required: ['text'], properties: { text: filledText.schema } }],
  },
} as const;

/** Reads `documents`: texts, or objects with a `text`. */
const readDocuments: Check<readonly string[]> = (value, param, body) => {
  const documents = array(value, param, body);
  if (documents.length === 0) throw invalid('empty_array', param, 'an array of at least one document', value);
  if (documents.length > MAX_DOCUMENTS) {
    throw invalid('array_above_max_length', param, `an array of at most ${MAX_DOCUMENTS} documents`, value);
  }
  return documents.map((document, index) => {
    const path = `${param}[${index}]`;
    if (typeof document === 'string') return filledText(document, path, body);
    return membersOf(document, path, body)('text', required(filledText));
  });
};

/**
 * The fields of `POST /rerank`. Sources, 2026-11-26: the API references of Jina (`v1/rerank`) and Cohere (`v2/rerank`),
 * the README of llama.cpp's server, `vllm/entrypoints/pooling/score/protocol.py`.
 */
export const RERANK_FIELDS = {
  model: optional(null, text),
  query: required(filledText),
  documents: required(described(DOCUMENTS_SCHEMA, readDocuments)),
  top_n: optional(null, integer({ min: 1 })),
  return_documents: optional(false, boolean),
} as const satisfies Record<string, Check<unknown>>;

export type RerankFields = FieldsOf<typeof RERANK_FIELDS>;
