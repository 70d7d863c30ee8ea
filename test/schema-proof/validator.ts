import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
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

/** Returns an independent validator; null if it does not support the schema. */
export function validator(schema: JsonSchema): Validate | null {
  const is7 = typeof schema === 'object' && (String(schema.$schema).includes('draft-07') || hasTuple(schema));
  const ajv = is7 ? new Ajv(AJV_OPTIONS) : new Ajv2020(AJV_OPTIONS);
  addFormats.default(ajv);
  ajv.addFormat('uri', (text) => judge('uri', text.replace(/^([^:/?#]+):[?]/, '$1:/?')));
  ajv.addFormat('duration', (text) => judge('duration', text.replace(/[.]\d+S$/, 'S')));
  try {
    return ajv.compile(schema);
  } catch {
    return null;
  }
}

function hasTuple(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return ('items' in schema && Array.isArray(schema.items)) || Object.values(schema).some(hasTuple);
}
