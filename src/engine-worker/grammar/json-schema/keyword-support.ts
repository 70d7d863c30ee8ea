/** How the grammar compiler treats a keyword of JSON Schema. */
export interface KeywordSupport {
  readonly followed: boolean;
  /** What limits the support, or what to use instead. */
  readonly note: string;
}

const followed = (note = ''): KeywordSupport => ({ followed: true, note });
const refused = (note = ''): KeywordSupport => ({ followed: false, note });

/** The keywords that restrict values. All other keywords are annotations and have no effect. */
export const KEYWORD_SUPPORT: Readonly<Record<string, KeywordSupport>> = {
  type: followed('without it, the type follows from the other keywords'),
  enum: followed('values that the keywords beside it exclude are left out'),
  const: followed(),
  $ref: followed('into the same schema, by JSON Pointer or `$anchor`, with keywords beside it'),
  $defs: followed('as `definitions`'),
  allOf: followed('merged with the keywords beside it'),
  anyOf: followed('combined with the keywords beside it'),
  oneOf: followed(
    'if its alternatives exclude each other, as by a property with different constants; otherwise use `anyOf`',
  ),
  properties: followed(
    'in their order; properties that are not declared are left out, unless `additionalProperties` allows them',
  ),
  required: followed(),
  additionalProperties: followed(),
  patternProperties: followed('up to four patterns'),
  propertyNames: followed(),
  minProperties: followed('if it demands two or more optional properties, they are among those of `properties`'),
  maxProperties: followed(),
  dependentRequired: followed(),
  dependentSchemas: followed(),
  dependencies: followed('draft 7'),
  items: followed('also as an array, draft 7'),
  prefixItems: followed('all of them are generated unless `minItems` is smaller'),
  additionalItems: followed('draft 7'),
  minItems: followed(),
  maxItems: followed(),
  minimum: followed('up to 15 digits'),
  maximum: followed(),
  exclusiveMinimum: followed(),
  exclusiveMaximum: followed(),
  multipleOf: followed('while the number has few digits'),
  minLength: followed(),
  maxLength: followed('control characters that have no short escape are left out'),
  pattern: followed('also lookahead; not lookbehind, `\\b`, back-references and `\\p{…}`'),
  format: followed('see below'),
  uniqueItems: refused('only `false`'),
  contains: refused(),
  not: refused('only `{}`, which no value satisfies'),
  if: refused('use `anyOf`'),
  unevaluatedProperties: refused(
    'only `true`, or `false` where nothing around it describes the same object, without alternatives',
  ),
  unevaluatedItems: refused('only `true`, or `false` where nothing around it describes the same array'),
  $dynamicRef: refused('use `$ref`'),
  $recursiveRef: refused('use `$ref`'),
};
