import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import published from './published-schemas.json' with { type: 'json' };

type SchemaName = keyof typeof published.components.schemas;

// The description's formats, such as `unixtime`, are not JSON Schema.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(published, 'published');
const validators = new Map<SchemaName, ValidateFunction>();

/** The differences of `value` from the API's published description. */
export function publishedFormErrors(name: SchemaName, value: unknown): string[] {
  const validate = validators.get(name) ?? ajv.compile({ $ref: `published#/components/schemas/${name}` });
  validators.set(name, validate);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export function expectPublishedForm(name: SchemaName, value: unknown): void {
  expect({ value, errors: publishedFormErrors(name, value) }).toEqual({ value, errors: [] });
}
