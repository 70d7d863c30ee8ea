import {
  arrayOf,
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

/** Reads a document: a text, or an object with a `text`. */
const document = described<string>(
  { anyOf: [filledText.schema, { type: 'object', required: ['text'], properties: { text: filledText.schema } }] },
  (value, param, body) =>
    typeof value === 'string'
      ? filledText(value, param, body)
      : membersOf(value, param, body)('text', required(filledText)),
);

/**
 * The fields of `POST /rerank`. Sources, 2026-11-26: the API references of Jina (`v1/rerank`) and Cohere (`v2/rerank`),
 * the README of llama.cpp's server, `vllm/entrypoints/pooling/score/protocol.py`.
 */
export const RERANK_FIELDS = {
  model: optional(null, text),
  query: required(filledText),
  documents: required(arrayOf(document, MAX_DOCUMENTS, 'documents', 1)),
  top_n: optional(null, integer({ min: 1 })),
  return_documents: optional(false, boolean),
} as const satisfies Record<string, Check<unknown>>;

export type RerankFields = FieldsOf<typeof RERANK_FIELDS>;
