function nest(levels: number, wrap: (inner: object) => object): object {
  let schema: object = { type: 'string' };
  for (let level = 1; level < levels; level++) schema = wrap(schema);
  return schema;
}

/** Definitions d0 → d1 → …, each of which refers to the next, and a schema that refers to the first. */
function chain(length: number, use: (first: object) => object, backwards = false): object {
  const definitions = Array.from({ length }, (_, index): [string, object] => [
    `d${index}`,
    index + 1 < length ? { $ref: `#/$defs/d${index + 1}` } : { type: 'string' },
  ]);
  return {
    $defs: Object.fromEntries(backwards ? definitions.toReversed() : definitions),
    ...use({ $ref: '#/$defs/d0' }),
  };
}

const groups = (depth: number) => ({ type: 'string', pattern: `${'('.repeat(depth)}a${')'.repeat(depth)}` });
const constant = (depth: number) => ({ const: JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown });

export interface SchemaDepths {
  readonly name: string;
  /** The deepest schema that is allowed. */
  readonly deep: object;
  /** A schema too deep for the grammar compiler, which must be refused before. */
  readonly tooDeep: object;
}

/** The kinds of nesting that a JSON Schema can have. */
export const SCHEMA_DEPTHS: readonly SchemaDepths[] = [
  {
    name: 'arrays',
    deep: nest(39, (items) => ({ type: 'array', items })),
    tooDeep: nest(41, (items) => ({ type: 'array', items })),
  },
  {
    name: 'objects',
    deep: nest(20, (a) => ({ type: 'object', properties: { a } })),
    tooDeep: nest(21, (a) => ({ type: 'object', properties: { a } })),
  },
  {
    name: 'choices',
    deep: nest(20, (a) => ({ anyOf: [{ type: 'null' }, a] })),
    tooDeep: nest(100, (a) => ({ anyOf: [{ type: 'null' }, a] })),
  },
  { name: 'references', deep: chain(38, (first) => first), tooDeep: chain(400, (first) => first) },
  {
    name: 'references to earlier definitions',
    deep: chain(30, (first) => ({ type: 'object', properties: { a: first } }), true),
    tooDeep: chain(400, (first) => ({ type: 'object', properties: { a: first } }), true),
  },
  { name: 'groups of a pattern', deep: groups(40), tooDeep: groups(1000) },
  { name: 'a constant', deep: constant(38), tooDeep: constant(500) },
];
