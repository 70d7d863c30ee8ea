import type { JsonSchema } from '../../../src/shared/engine/completion-request.ts';

/* Parts of schemas, as servers of the Model Context Protocol put them together. */

type Properties = Readonly<Record<string, JsonSchema>>;

const DRAFT_7 = { $schema: 'http://json-schema.org/draft-07/schema#' };
export const text = { type: 'string' };
export const integer = { type: 'integer' };
export const flag = { type: 'boolean' };
export const listOf = (items: JsonSchema, more: object = {}) => ({ type: 'array', items, ...more });
export const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });

/** As the TypeScript SDK writes a zod object. */
export const zod = (properties: Properties, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...DRAFT_7,
});

/** As the Python SDK writes a function's parameters. */
export const pydantic = (properties: Properties, required: readonly string[] = [], $defs: object = {}) => ({
  $defs,
  type: 'object',
  title: 'toolArguments',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      typeof schema === 'object' ? { title: name, ...schema } : schema,
    ]),
  ),
  required,
});

/** Written by hand. */
export const plain = (properties: Properties, required: readonly string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

export const optional = (schema: JsonSchema) => ({ anyOf: [schema, { type: 'null' }], default: null });

/** The keywords `if`, `then` and `else`. */
export const when = (
  condition: JsonSchema,
  ...[met, unmet]: readonly JsonSchema[]
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...Object.entries({ if: condition, else: unmet }), ['then', met]].filter(([, schema]) => schema !== undefined),
  );
