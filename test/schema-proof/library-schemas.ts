import { z } from 'zod';
import type { JsonSchema } from '../../src/shared/engine/completion-request.ts';

export interface LibrarySchema {
  readonly name: string;
  readonly schema: JsonSchema;
}

const ZOD_TYPES: Readonly<Record<string, z.ZodType>> = {
  record: z.record(z.string(), z.number()),
  'record of listed names': z.record(z.enum(['red', 'green']), z.number().int()),
  email: z.email(),
  url: z.url(),
  uuid: z.uuid(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
  date: z.iso.date(),
  'date and time': z.iso.datetime(),
  time: z.iso.time(),
  duration: z.iso.duration(),
  base64: z.base64(),
  base64url: z.base64url(),
  hostname: z.hostname(),
  emoji: z.emoji(),
  cidrv4: z.cidrv4(),
  cidrv6: z.cidrv6(),
  e164: z.e164(),
  jwt: z.jwt(),
  nanoid: z.nanoid(),
  cuid: z.cuid(),
  cuid2: z.cuid2(),
  ulid: z.ulid(),
  ksuid: z.ksuid(),
  uuidv7: z.uuidv7(),
  domain: z.string().regex(z.regexes.domain),
  'e-mail of a browser': z.email({ pattern: z.regexes.html5Email }),
  startsWith: z.string().startsWith('id_'),
  endsWith: z.string().endsWith('.ts'),
  includes: z.string().includes('"'),
  'lengths and a pattern': z
    .string()
    .min(2)
    .max(5)
    .regex(/^[a-z]+$/),
  confidence: z.number().min(0).max(1),
  price: z.number().positive().multipleOf(0.01),
  temperature: z.number().gt(-40).lt(60.5),
  integer: z.int().min(-5).max(1000),
  tuple: z.tuple([z.string(), z.number(), z.boolean()]),
  'tuple with a rest': z.tuple([z.string()], z.int()),
  'discriminated union': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('circle'), radius: z.number().min(0) }),
    z.object({ kind: z.literal('square'), side: z.number() }),
  ]),
  intersection: z.intersection(z.object({ a: z.int() }), z.object({ b: z.string().optional() })),
  nullable: z.object({
    a: z.string().nullable(),
    b: z
      .array(z.enum(['x', 'y']))
      .min(1)
      .max(3),
  }),
  extended: z.object({ a: z.int() }).extend({ b: z.literal([1, 2]) }),
  loose: z.looseObject({ a: z.int() }),
  'rest of strings': z.object({ a: z.int() }).catchall(z.string()),
};

/** A recursive type, which becomes a `$ref` to the root. */
interface Tree {
  readonly label: string;
  readonly children: readonly Tree[];
}

const TREE: z.ZodType<Tree> = z.object({
  label: z.string().max(3),
  get children() {
    return z.array(TREE);
  },
});

/** Schemas of pydantic 2 and of public bug reports, copied because their generators are written in Python. */
const WRITTEN: Readonly<Record<string, JsonSchema>> = {
  'inheritance by allOf': {
    $defs: {
      Animal: {
        type: 'object',
        properties: { name: { type: 'string', title: 'Name' } },
        required: ['name'],
        title: 'Animal',
      },
    },
    allOf: [{ $ref: '#/$defs/Animal' }],
    properties: { legs: { type: 'integer', exclusiveMinimum: 0, title: 'Legs' } },
    required: ['legs'],
    type: 'object',
    title: 'Dog',
  },
  'optional with a default': {
    properties: { a: { anyOf: [{ type: 'integer', minimum: 2 }, { type: 'null' }], default: null, title: 'A' } },
    title: 'Model',
    type: 'object',
  },
  'discriminator with mapping': {
    $defs: {
      Cat: {
        properties: { pet: { const: 'cat', type: 'string' }, meows: { type: 'integer' } },
        required: ['pet', 'meows'],
        type: 'object',
      },
      Dog: {
        properties: { pet: { const: 'dog', type: 'string' }, barks: { type: 'number' } },
        required: ['pet', 'barks'],
        type: 'object',
      },
    },
    properties: {
      pet: {
        discriminator: { mapping: { cat: '#/$defs/Cat', dog: '#/$defs/Dog' }, propertyName: 'pet' },
        oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
      },
    },
    required: ['pet'],
    type: 'object',
  },
  'tuple of pydantic': {
    type: 'object',
    properties: {
      point: { type: 'array', maxItems: 2, minItems: 2, prefixItems: [{ type: 'integer' }, { type: 'number' }] },
    },
    required: ['point'],
  },
  'decimal of pydantic': {
    type: 'object',
    properties: {
      price: { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$' }] },
    },
    required: ['price'],
  },
  'tuple of draft 7': { type: 'array', items: [{ type: 'integer' }, { type: 'boolean' }], minItems: 2, maxItems: 2 },
  'deduplicated references': {
    type: 'object',
    properties: {
      tree: {
        type: 'object',
        properties: {
          l: { anyOf: [{ type: 'string' }, { $ref: '#/properties/tree' }] },
          r: { anyOf: [{ $ref: '#/properties/tree/properties/l/anyOf/0' }, { type: 'null' }] },
        },
        required: ['l', 'r'],
        additionalProperties: false,
      },
    },
    required: ['tree'],
    additionalProperties: false,
  },
  'constant beside a reference': { $ref: '#/$defs/S', const: 'a', $defs: { S: { type: 'string', maxLength: 6 } } },
  'required by alternatives': {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'exactly one required': {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'alternatives beside properties': {
    type: 'object',
    properties: { kind: { type: 'string', maxLength: 5 } },
    required: ['kind'],
    anyOf: [{ properties: { a: { type: 'integer' } }, required: ['a'] }],
  },
  'patterns of names': {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 5 } },
    required: ['name'],
    patternProperties: { '^x_': { type: 'integer' } },
    additionalProperties: false,
  },
  'a list of instructor': {
    $defs: {
      User: {
        type: 'object',
        properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
        required: ['name', 'age'],
      },
    },
    type: 'object',
    properties: { tasks: { type: 'array', items: { $ref: '#/$defs/User' }, description: 'Correctly segmented list' } },
    required: ['tasks'],
  },
};

/** Schemas as libraries generate them. */
export const LIBRARY_SCHEMAS: readonly LibrarySchema[] = [
  ...Object.entries({ ...ZOD_TYPES, tree: TREE }).flatMap(([name, type]) => [
    { name: `${name} of zod`, schema: plain(z.toJSONSchema(z.object({ value: type }))) },
    {
      name: `${name} of zod, draft 7`,
      schema: plain(z.toJSONSchema(z.object({ value: type }), { target: 'draft-7' })),
    },
  ]),
  ...Object.entries(WRITTEN).map(([name, schema]) => ({ name, schema })),
];

function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}
