import type { Random } from './random.ts';

/** A schema of a client that means harm, or that nobody has looked at. */
type Schema = Readonly<Record<string, unknown>>;

const numbered = <Made>(count: number, make: (index: number) => Made): Made[] =>
  Array.from({ length: count }, (_, index) => make(index));
const objectOf = (count: number, make: (index: number) => unknown): Schema =>
  Object.fromEntries(numbered(count, (index) => [`p${index}`, make(index)]));
const SIZES = [1, 3, 8, 20, 60, 128, 299];
const HEAVY = [
  '^(.*a.{14})$',
  '^([a-z]{1,45}x){1,45}$',
  '^(?=.*\\p{Lu})(?=.*\\p{Nd}).{8,500}$',
  '(a|b?c*){0,90}\\p{L}{40}',
];
const FORMATS = ['idn-hostname', 'idn-email', 'uri', 'hostname', 'regex', 'date-time', 'email', 'ipv6'];

/** Each makes a schema whose size is up to `size`, of parts that multiply. */
const KINDS: readonly ((random: Random, size: number) => Schema)[] = [
  (random, size) => ({ type: 'object', properties: objectOf(size, () => text(random)) }),
  (random, size) => ({
    oneOf: numbered(size, () => ({ type: 'object', properties: objectOf(3, () => text(random)) })),
  }),
  (random, size) => ({ allOf: numbered(size, () => ({ anyOf: [text(random), { type: 'integer' }, number(random)] })) }),
  (random, size) => ({
    type: 'object',
    allOf: numbered(size, (index) => ({ not: { required: [`p${index}`, `p${random.below(size)}`] } })),
  }),
  (random, size) => ({
    type: 'object',
    properties: objectOf(size, () => ({ enum: [1, 'a'] })),
    unevaluatedProperties: false,
    anyOf: numbered(size, (index) => ({ properties: { [`p${index}`]: text(random) } })),
  }),
  (_, size) => ({
    type: 'object',
    properties: objectOf(size, () => true),
    minProperties: size >> 1,
    maxProperties: size,
  }),
  (_, size) => ({ type: 'array', items: { enum: numbered(size, String) }, uniqueItems: true }),
  (random, size) => ({
    type: 'array',
    items: text(random),
    contains: text(random),
    minContains: size,
    maxContains: size * 20,
    maxItems: 2 ** random.below(31),
  }),
  (random) => ({ type: 'array', items: number(random), minItems: 2 ** random.below(31) }),
  (random, size) => ({
    type: 'object',
    properties: { a: number(random), b: number(random) },
    dependentSchemas: objectOf(size, () => ({ properties: objectOf(2, () => number(random)) })),
  }),
  (random, size) =>
    numbered(size % 30, () => 0).reduce<Schema>((inner) => ({ if: { properties: { a: text(random) } }, else: inner }), {
      type: 'object',
    }),
  (random, size) =>
    numbered(size % 39, () => 0).reduce<Schema>(
      (inner) => ({ [random.of(['not', 'items', 'contains', 'additionalProperties'])]: inner }),
      text(random),
    ),
  (random, size) => ({
    $ref: '#/$defs/p0',
    $defs: objectOf(size, () => ({
      [random.of(['allOf', 'anyOf', 'oneOf'])]: numbered(3, () => ({ $ref: `#/$defs/p${random.below(size)}` })),
    })),
  }),
  (random, size) => ({
    patternProperties: Object.fromEntries(numbered(size, () => [random.of(HEAVY), number(random)])),
    propertyNames: text(random),
    type: 'object',
  }),
  (random, size) => ({
    enum: numbered(size * 20, (index) => 'é'.repeat(random.below(300)) + index),
    not: { pattern: random.of(HEAVY) },
  }),
  (random) => ({
    [random.of(['type', 'minLength', 'required', 'pattern', 'oneOf', '$ref', 'not', 'properties'])]: random.of([
      null,
      'x',
      -1,
      [],
      {},
      [null],
      1e300,
    ]),
  }),
];

function text(random: Random): Schema {
  const low = random.below(random.of([2, 50, 10_000]));
  return {
    type: 'string',
    ...(random.once(2) ? { format: random.of(FORMATS) } : { pattern: random.of(HEAVY) }),
    ...(random.once(2) ? { minLength: low, maxLength: low + random.below(5000) } : {}),
    ...(random.once(4) ? { not: { pattern: random.of(HEAVY) } } : {}),
  };
}

function number(random: Random): Schema {
  const limit = () => random.of([0, -1, 1e-300, 123_456_789.123, 2 ** 53, 1e300, -1e15]);
  return {
    type: random.of(['number', 'integer']),
    minimum: limit(),
    exclusiveMaximum: limit(),
    multipleOf: random.of([1, 0.001, 7, 999_983, 1e-300]),
  };
}

/** Returns the fields of a random request: one schema of an answer, or those of up to 128 tools. */
export function hostileRequest(random: Random): Readonly<Record<string, unknown>> {
  const schema = () => random.of(KINDS)(random, random.of(SIZES));
  if (random.once(2)) {
    return {
      response_format: { type: 'json_schema', json_schema: { name: 'a', strict: random.once(2), schema: schema() } },
    };
  }
  const strict = random.once(3);
  const parameters = () => ({ type: 'object', properties: { value: schema() } });
  const tools = numbered(random.of([1, 5, 40, 128]), (index) => ({
    type: 'function',
    function: { name: `t${index}`, strict, parameters: parameters() },
  }));
  return { tools };
}
