import type { JsonSchema, Tool } from '../../../src/shared/engine/completion-request.ts';

const object = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = [], more = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

/** Tools with arguments of many kinds: those that every notation can write, and those that only JSON can. */
const PARAMETERS: Readonly<Record<string, JsonSchema | null>> = {
  nothing: null,
  text: object({ text: { type: 'string' } }, ['text']),
  'texts, all optional': object({ a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } }),
  'optional beside required': object({ a: { type: 'integer' }, b: { type: 'string' }, c: { type: 'boolean' } }, ['b']),
  'short text': object({ code: { type: 'string', minLength: 2, maxLength: 4 } }, ['code']),
  'text of a pattern': object({ id: { type: 'string', pattern: '^[<"\\\\a-c\\n]{2,5}$' } }, ['id']),
  'date and address': object({ day: { type: 'string', format: 'date' }, mail: { type: 'string', format: 'email' } }),
  'fixed texts': object({ unit: { enum: ['<C>', "it's", 'a"b', 'x\\y'] }, kind: { const: 'new' } }, ['unit', 'kind']),
  numbers: object({ a: { type: 'number', minimum: -1, maximum: 1 }, b: { type: 'integer', multipleOf: 3 } }, ['a']),
  'a number or nothing': object({
    a: { type: ['integer', 'null'] },
    b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  }),
  'mixed constants': object({ a: { enum: [1, 'one', true, null] } }, ['a']),
  lists: object({
    a: { type: 'array', items: { type: 'string' } },
    b: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
  }),
  'a tuple of draft 7': object({ a: { type: 'array', items: [{ type: 'integer' }, { type: 'string' }] } }, ['a']),
  nested: object(
    { at: object({ x: { type: 'number' }, tags: { type: 'array', items: { type: 'boolean' } } }, ['x']) },
    ['at'],
  ),
  definitions: object(
    { one: { $ref: '#/$defs/one' }, many: { type: 'array', items: { $ref: '#/$defs/one' } } },
    ['one'],
    {
      $defs: { one: { type: 'string', enum: ['a', 'b c'] } },
    },
  ),
  'a tree': object({ root: { $ref: '#/$defs/node' } }, ['root'], {
    $defs: { node: object({ of: { type: 'array', items: { $ref: '#/$defs/node' } } }) },
  }),
  'lists of lists of any depth': object({ at: { $ref: '#/$defs/list' } }, ['at'], {
    $defs: { list: { type: 'array', items: { $ref: '#/$defs/list' } } },
  }),
  'values of any depth': object({ at: { $ref: '#/$defs/value' } }, ['at'], {
    $defs: { value: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/value' } }] } },
  }),
  'names that need quotation': object({
    'a b': { type: 'string' },
    '<x>': { type: 'integer' },
    "it's:": { type: 'string' },
  }),
  'further properties': object({ a: { type: 'string' } }, ['a'], { additionalProperties: { type: 'integer' } }),
  'one of two objects': {
    anyOf: [object({ a: { type: 'string' } }, ['a']), object({ b: { type: 'integer' } }, ['b'])],
  },
  'any value': object({ value: true }, ['value']),
};

export const TOOL_CASES: readonly { readonly kind: string; readonly tool: Tool }[] = [
  ...Object.entries(PARAMETERS).map(([kind, parameters]) => ({
    kind,
    tool: { name: 'act', description: null, parameters },
  })),
  { kind: 'a custom tool', tool: { name: 'run', description: null, parameters: null, custom: { pattern: null } } },
  {
    kind: 'a custom tool with a pattern',
    tool: { name: 'dial', description: null, parameters: null, custom: { pattern: '[0-9]{3}-"[a-c]+"\\n?' } },
  },
];
