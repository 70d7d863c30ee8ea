/** What the value of a keyword must be. Kinds that end in "schema" or "schemas" contain subschemas. */
export type ValueKind =
  | 'anything'
  | 'types'
  | 'values'
  | 'strings'
  | 'string'
  | 'pattern'
  | 'reference'
  | 'boolean'
  | 'number'
  | 'positive number'
  | 'count'
  | 'schema'
  | 'string schema'
  | 'list of schemas'
  /** One schema for all items or, as in draft 7, a list with one schema per item. */
  | 'schema or list of schemas'
  | 'named schemas'
  /** Schemas by patterns for names. */
  | 'pattern schemas'
  /** Named schemas that apply only where a reference leads to them. */
  | 'definitions'
  /** Schemas by names of properties. A list of names stands for a schema that requires them. */
  | 'dependency schemas';

/** A keyword of JSON Schema. */
export interface Keyword {
  readonly value: ValueKind;
  /** What the grammar compiler does with it. An annotation restricts nothing. */
  readonly support: 'followed' | 'refused' | 'annotation';
  /** Of a refused keyword: what is allowed nevertheless, or what to use instead. May be empty. */
  readonly note: string;
  /** The JSON type whose values it describes. Null: values of every type. */
  readonly type: 'number' | 'string' | 'array' | 'object' | null;
}

const keyword =
  (support: Keyword['support']) =>
  (value: ValueKind = 'anything', type: Keyword['type'] = null, note = ''): Keyword => ({ value, support, note, type });
const followed = keyword('followed');
const refused = keyword('refused');
const annotation = keyword('annotation');

/** What `localReferences` cannot replace by a plain reference. */
const SEVERAL_WAYS = 'use `$ref`, unless it leads to the same schema on every way';

/** The known keywords by their names. All others are ignored, as the specification requires. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    type: followed('types'),
    enum: followed('values'),
    const: followed(),
    $ref: followed('reference'),
    $defs: followed('definitions'),
    definitions: followed('definitions'),
    allOf: followed('list of schemas'),
    anyOf: followed('list of schemas'),
    oneOf: followed('list of schemas'),
    properties: followed('named schemas', 'object'),
    required: followed('strings', 'object'),
    additionalProperties: followed('schema', 'object'),
    patternProperties: followed('pattern schemas', 'object'),
    propertyNames: followed('string schema', 'object'),
    minProperties: followed('count', 'object'),
    maxProperties: followed('count', 'object'),
    dependentRequired: followed('dependency schemas'),
    dependentSchemas: followed('dependency schemas'),
    dependencies: followed('dependency schemas'),
    items: followed('schema or list of schemas', 'array'),
    prefixItems: followed('list of schemas', 'array'),
    additionalItems: followed('schema', 'array'),
    minItems: followed('count', 'array'),
    maxItems: followed('count', 'array'),
    minimum: followed('number', 'number'),
    maximum: followed('number', 'number'),
    exclusiveMinimum: followed('number', 'number'),
    exclusiveMaximum: followed('number', 'number'),
    multipleOf: followed('positive number', 'number'),
    minLength: followed('count', 'string'),
    maxLength: followed('count', 'string'),
    pattern: followed('pattern', 'string'),
    format: followed('string', 'string'),
    uniqueItems: followed('boolean', 'array'),
    contains: followed('schema', 'array'),
    minContains: followed('count', 'array'),
    maxContains: followed('count', 'array'),
    not: followed('schema'),
    if: followed('schema'),
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword has this name
    then: followed('schema'),
    else: followed('schema'),
    unevaluatedProperties: followed('schema', 'object'),
    unevaluatedItems: followed('schema', 'array'),
    $dynamicRef: refused('anything', null, SEVERAL_WAYS),
    $recursiveRef: refused('anything', null, SEVERAL_WAYS),
    contentEncoding: annotation('anything', 'string'),
    contentMediaType: annotation('anything', 'string'),
    title: annotation(),
    description: annotation(),
    default: annotation(),
    examples: annotation(),
    deprecated: annotation(),
    readOnly: annotation(),
    writeOnly: annotation(),
    $comment: annotation(),
  }),
);
