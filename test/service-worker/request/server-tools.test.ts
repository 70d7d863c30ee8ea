import { spaced } from '../../schema-proof/count-forwards.ts';
import { expect, test } from 'vitest';
import { boundArguments, toolInputGrammar } from '../../../src/engine-worker/grammar/request-grammar.ts';
import { matchesGrammar } from '../../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import type { Tool } from '../../../src/shared/engine/completion-request.ts';
import { SERVER_TOOLS } from '../../schema-proof/server-tools/server-tools.ts';
import { INVALID_SCHEMAS } from '../json-schema/json-schema-cases.ts';
import { SCHEMA_COSTS } from '../json-schema/schema-costs.ts';
import { SCHEMA_DEPTHS } from '../json-schema/schema-depths.ts';
import { createMessagesApp } from '../messages-api/messages-app.ts';
import { createResponsesApp } from '../responses-api/responses-app.ts';
import { createTestApp } from '../support/test-app.ts';

interface Described {
  readonly name: string;
  readonly schema: unknown;
}

/** The tools that the engine gets of a request, by API. */
const RECEIVED: Readonly<Record<string, (tools: readonly Described[], strict?: boolean) => Promise<readonly Tool[]>>> =
  {
    'Chat Completions': async (tools, strict) => {
      const described = tools.map(({ name, schema }) => ({
        type: 'function',
        function: { name, parameters: schema, strict },
      }));
      return (await createTestApp().received({ tools: described })).tools;
    },
    Responses: async (tools, strict) => {
      const described = tools.map(({ name, schema }) => ({ type: 'function', name, parameters: schema, strict }));
      return (await createResponsesApp().received({ tools: described })).tools;
    },
    Messages: async (tools, strict) => {
      const described = tools.map(({ name, schema }) => ({ name, input_schema: schema, strict }));
      return (await createMessagesApp().received({ tools: described })).tools;
    },
  };

const APIS = Object.keys(RECEIVED);

test.each(APIS)('all tools of public servers are accepted in one request of %s', async (api) => {
  expect(SERVER_TOOLS.length).toBeGreaterThan(40);
  const tools = await RECEIVED[api]!(SERVER_TOOLS);
  expect(tools.map(({ name }) => name)).toEqual(SERVER_TOOLS.map(({ name }) => name));
  expect(() => tools.forEach(toolInputGrammar)).not.toThrow();
});

test.each(SERVER_TOOLS)('the grammar of $name allows its call', async (described) => {
  const [tool] = await RECEIVED['Chat Completions']!([described]);
  expect(matchesGrammar(toolInputGrammar(tool!)!, spaced(described.call))).toBe(true);
});

test('what the grammars of such tools leave to the check of the complete call', async () => {
  const tools = await RECEIVED['Chat Completions']!(SERVER_TOOLS);
  const left = tools.flatMap((tool) => boundArguments(tool).left.map((path) => `${tool.name} ${path}`));
  expect(left).toMatchInlineSnapshot(`
    [
      "directory_tree /properties/excludePatterns/uniqueItems",
      "create_issue /properties/labels/uniqueItems",
      "push_files ",
      "add_reaction ",
      "directions /properties/waypoints/uniqueItems",
      "create_event /properties/attendees/uniqueItems",
      "free_busy /properties/calendars/uniqueItems",
    ]
  `);
});

const DIFFICULT: readonly Described[] = [
  ...INVALID_SCHEMAS.map(([schema]) => schema),
  ...SCHEMA_COSTS.map(({ tooDear }) => tooDear),
  ...SCHEMA_DEPTHS.map(({ tooDeep }) => tooDeep),
  { not: {} },
  { allOf: [{ type: 'string' }, { type: 'null' }] },
  { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] },
].flatMap((schema, index) => [
  { name: `root_${index}`, schema: { ...(schema as object), type: 'object' } },
  { name: `property_${index}`, schema: withDefinitions(schema as { readonly $defs?: object }) },
]);

function withDefinitions({ $defs, ...argument }: { readonly $defs?: object }): object {
  return { type: 'object', $defs, properties: { argument } };
}

test.each(DIFFICULT)('a schema that cannot be followed refuses no request without strict, $name', async (tool) => {
  const [received] = await RECEIVED['Chat Completions']!([tool]);
  expect(boundArguments(received!).schema).toMatchObject({ type: 'object' });
  expect(toolInputGrammar(received!)).not.toBeNull();
});

test.each(APIS)('with strict a schema that cannot be followed is refused in a request of %s', async (api) => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '\\bfoo' } } };
  await expect(RECEIVED[api]!([{ name: 'f', schema }], true)).rejects.toThrow('/properties/a/pattern');
  await expect(RECEIVED[api]!([{ name: 'f', schema }], false)).resolves.toHaveLength(1);
});

function toolOfSize(name: string, count: number): Described {
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(names.map((one) => [one, { type: 'string', maxLength: 9 }]));
  return { name, schema: { type: 'object', properties } };
}

test('tools that are too costly together are bound less closely, the costliest first', async () => {
  const tools = [
    toolOfSize('small', 40),
    ...Array.from({ length: 10 }, (_, index) => toolOfSize(`large_${index}`, 290)),
  ];
  const received = await RECEIVED['Chat Completions']!(tools);
  const isChecked = received.map((one) => boundArguments(one).left.length > 0);
  expect(isChecked[0]).toBe(false);
  expect(isChecked.filter(Boolean)).toHaveLength(7);
});

test.each([
  [144, 8],
  [144, 7],
  [126, 8],
  [40, 26],
  [100, 11],
  [20, 51],
])('%i tools with %i plain properties are accepted by each API', async (count, width) => {
  const properties = Object.fromEntries(Array.from({ length: width }, (_, index) => [`p${index}`, { type: 'string' }]));
  const tools = Array.from({ length: count }, (_, index) => ({
    name: `f${index}`,
    schema: { type: 'object', properties, required: ['p0'] },
  }));
  for (const api of APIS) {
    const received = await RECEIVED[api]!(tools);
    const followed = received.filter((one) => boundArguments(one).left.length === 0);
    expect(followed).toHaveLength(Math.floor(1000 / width));
  }
});

test('tools with long names of properties are accepted', async () => {
  const tools = ['a', 'b'].map((name) => ({
    name,
    schema: { type: 'object', properties: { [name.repeat(60_000)]: { type: 'string' } } },
  }));
  const received = await RECEIVED['Chat Completions']!(tools);
  expect(received.map(({ bound }) => bound)).toEqual([{ type: 'object' }, undefined]);
});

const t = { type: 'string' };
const alternatives = [{ required: ['x'] }, { required: ['y'] }];
const IMPOSSIBLE: readonly object[] = [
  { properties: { t }, anyOf: alternatives, additionalProperties: false },
  { properties: { t }, oneOf: alternatives, additionalProperties: false },
  { properties: { t }, allOf: alternatives, additionalProperties: false },
  { properties: { t }, $ref: '#/$defs/x', $defs: { x: { required: ['x'] } }, additionalProperties: false },
  { properties: { t }, dependentSchemas: { t: { required: ['x'] } }, required: ['t'], additionalProperties: false },
  { maxProperties: 1, allOf: [{ minProperties: 2 }] },
  { allOf: [{ type: 'string' }] },
  { anyOf: [{ type: 'string' }, { type: 'array' }] },
  { $ref: '#/$defs/x', $defs: { x: { type: 'integer' } } },
  { type: ['object', 'null'], enum: [null] },
  { enum: ['a', 5] },
  { const: null },
];

test.each(IMPOSSIBLE)('a call has an object even if the schema without strict allows none, %j', async (schema) => {
  const [tool] = await RECEIVED['Chat Completions']!([{ name: 'f', schema: { type: 'object', ...schema } }]);
  const grammar = toolInputGrammar(tool!)!;
  expect(['5', '"x"', 'null', '[]', 'true'].filter((text) => matchesGrammar(grammar, text))).toEqual([]);
  expect(boundArguments(tool!).left).not.toEqual([]);
});

/** Schemas, the parts of each that the grammar cannot follow, and an object that it allows. */
const LESS: readonly (readonly [schema: object, left: readonly string[], valid: object])[] = [
  [
    { properties: { a: t }, patternProperties: { '(^a){2}': t }, additionalProperties: false },
    ['/patternProperties/(^a){2}'],
    { a: '1' },
  ],
  [
    { properties: { a: t }, patternProperties: { '(^a){2}': t, '^b$': t }, additionalProperties: false },
    ['/patternProperties/(^a){2}'],
    { aa: 5 },
  ],
  [
    { properties: { a: { patternProperties: { '(^/a){2}': t, '(^b){2}': t }, additionalProperties: false } } },
    ['/properties/a/patternProperties/(^/a){2}', '/properties/a/patternProperties/(^b){2}'],
    { a: { bb: 5 } },
  ],
];

test.each(LESS)('a pattern of names that cannot be followed is left out once, %j', async (schema, left, valid) => {
  const [tool] = await RECEIVED['Chat Completions']!([{ name: 'f', schema: { type: 'object', ...schema } }]);
  expect(boundArguments(tool!).left).toEqual(left);
  expect(matchesGrammar(toolInputGrammar(tool!)!, spaced(valid))).toBe(true);
});

test('what is bound of a schema as a whole allows the names that its patterns allow', async () => {
  // More parts that cannot be followed than are left out one by one.
  const names = Array.from({ length: 41 }, (_, index) => `p${index}`);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'array', uniqueItems: true }])),
    patternProperties: { '^x-': t },
    additionalProperties: false,
  };
  const [tool] = await RECEIVED['Chat Completions']!([{ name: 'f', schema }]);
  expect(boundArguments(tool!).schema).toHaveProperty('properties.p40', { type: 'array' });
  expect(matchesGrammar(toolInputGrammar(tool!)!, spaced({ p0: [], 'x-a': '2' }))).toBe(true);
});
