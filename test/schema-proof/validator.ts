import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { FORMAT_PATTERNS, NUMBER_FORMATS } from '../../src/engine-worker/grammar/json-schema/formats/formats.ts';
import type { JsonSchema } from '../../src/shared/engine/completion-request.ts';

const AJV_OPTIONS = {
  strict: false,
  logger: false,
  multipleOfPrecision: 5,
  ownProperties: true,
  addUsedSchema: false,
} as const;

export type Validate = (value: unknown) => boolean;

/**
 * Judges two formats as Ajv does where it agrees with the specifications: RFC 3986 allows an empty path, as in `magnet:?xt=a`,
 * and ISO 8601 fractions of a second.
 */
function judge(format: 'uri' | 'duration', text: string): boolean {
  const known = fullFormats[format] as RegExp | ((text: string) => boolean);
  return known instanceof RegExp ? known.test(text) : known(text);
}

/** Returns an independent validator; null if it does not support the schema, or is known to judge wrong. */
export function validator(schema: JsonSchema): Validate | null {
  if (isMisjudged(schema)) return null;
  const draft = typeof schema === 'object' ? String(schema['$schema']) : '';
  const ajv = validatorOf(draft, schema);
  addFormats.default(ajv);
  ajv.addFormat('uri', (text) => judge('uri', text.replace(/^([^:/?#]+):[?]/, '$1:/?')));
  ajv.addFormat('duration', (text) => judge('duration', text.replace(/[.]\d+S$/, 'S')));
  // Formats that the grammar compiler does not know are annotations.
  for (const name of Object.keys(ajv.formats)) {
    if (!Object.hasOwn(FORMAT_PATTERNS, name) && !Object.hasOwn(NUMBER_FORMATS, name)) ajv.addFormat(name, true);
  }
  try {
    return ajv.compile(schema);
  } catch {
    return null;
  }
}

function validatorOf(draft: string, schema: JsonSchema): Ajv {
  if (draft.includes('2019-09')) return new Ajv2019(AJV_OPTIONS);
  const isOld = draft.includes('draft-07') || draft.includes('draft-06') || hasTuple(schema);
  const ajv = isOld ? new Ajv(AJV_OPTIONS) : new Ajv2020(AJV_OPTIONS);
  if (draft.includes('draft-06')) ajv.addMetaSchema(draft6);
  return ajv;
}

/**
 * Ajv 8 counts neither what `if` describes without a `then`, nor all items that an alternative describes, as evaluated. The JSON
 * Schema Test Suite does.
 */
function isMisjudged(schema: JsonSchema): boolean {
  const text = JSON.stringify(schema);
  const hasIf = text.includes('"if"') && !text.includes('"then"');
  return (hasIf && text.includes('"unevaluated')) || (text.includes('"anyOf"') && text.includes('"unevaluatedItems"'));
}

function hasTuple(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return ('items' in schema && Array.isArray(schema.items)) || Object.values(schema).some(hasTuple);
}
