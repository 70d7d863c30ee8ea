import { expect, type Page } from '@playwright/test';
import type OpenAI from 'openai';
import { z } from 'zod';
import type { JsonSchema } from '../../../src/shared/engine/completion-request.ts';
import { ORDER } from '../../support/clients/order-schema.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import { validator } from '../../schema-proof/validator.ts';
import type * as aiObjects from '../in-page/ai-objects.ts';

/** A schema of a kind for which answers of an earlier build violated it. */
interface Case {
  readonly schema: JsonSchema;
  /** Text of a token → bias, which makes the model write a value at a bound. The temperature is then 0. */
  readonly prefers?: Readonly<Record<string, number>>;
  /** Matches the answer with this bias. */
  readonly says?: RegExp;
}

const object = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const with1 = (schema: object) => object({ v: schema });

const CASES: Readonly<Record<string, Case>> = {
  'a record of zod 4': { schema: z.toJSONSchema(z.object({ prices: z.record(z.string(), z.number()) })) as JsonSchema },
  'alternatives of a pattern': { schema: with1({ type: 'string', pattern: '^x|yz$', maxLength: 9 }) },
  'any characters of a pattern': {
    schema: with1({ type: 'string', pattern: '^[^x].\\S$' }),
    prefers: { '\\': 100 },
    says: /"(?:\\\\){3}"/,
  },
  'a number between bounds': { schema: with1({ type: 'number', minimum: 0, maximum: 1 }) },
  'a negative integer': {
    schema: with1({ type: 'integer', minimum: -7 }),
    prefers: { '-': 100 },
    says: /-[1-7]\}/,
  },
  'a fraction above zero': {
    schema: with1({ type: 'number', minimum: 0, maximum: 0.5 }),
    prefers: { '0': 70, '.': 90, '5': 60 },
    says: /0\.\d/,
  },
  'an integer above one': { schema: with1({ type: 'integer', minimum: 2 }), prefers: { '1': 30 }, says: /1\d/ },
  'two references in allOf': {
    schema: {
      $defs: { A: object({ a: { type: 'integer' } }), B: { type: 'object', required: ['b'] } },
      allOf: [{ $ref: '#/$defs/B' }, { type: 'object', properties: { b: { type: 'boolean' } } }],
    },
  },
  'required properties in anyOf': {
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'boolean' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
  },
  'anyOf beside properties': {
    schema: {
      type: 'object',
      properties: { kind: { type: 'string', maxLength: 5 } },
      required: ['kind'],
      anyOf: [{ properties: { n: { type: 'integer' } }, required: ['n'] }],
    },
    says: /kind.*"n"/s,
  },
  'a keyword beside $ref': {
    schema: object({ v: { $ref: '#/$defs/S', const: 'yes' } }, { $defs: { S: { type: 'string', maxLength: 6 } } }),
    says: /"yes"/,
  },
  'patternProperties beside properties': {
    schema: object({ name: { type: 'string', maxLength: 5 } }, { patternProperties: { '^n_': { type: 'integer' } } }),
    says: /"name"/,
  },
  'a reference into an array': {
    schema: object({
      tree: object({
        left: { anyOf: [{ type: 'string', maxLength: 4 }, { $ref: '#/properties/tree' }] },
        right: { anyOf: [{ $ref: '#/properties/tree/properties/left/anyOf/0' }, { type: 'null' }] },
      }),
    }),
  },
  'a tuple of draft 7': {
    schema: with1({ type: 'array', items: [{ type: 'integer' }, { type: 'boolean' }], minItems: 2, maxItems: 2 }),
  },
  'a pattern and a length': { schema: with1({ type: 'string', pattern: '^[a-z]+$', maxLength: 3 }) },
  'an e-mail address of zod 4': { schema: z.toJSONSchema(z.object({ to: z.email().max(30) })) as JsonSchema },
};

const QUESTION = { model: 'pocket', seed: 1, max_tokens: 300, messages: [{ role: 'user', content: 'Make one up.' }] };

interface Reply {
  readonly status: number;
  readonly body: string;
}

function post(page: Page, path: string, body: object): Promise<Reply> {
  return page.evaluate(
    async ({ path, body }) => {
      const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
      const response = await fetch(path, { method: 'POST', headers, body });
      return { status: response.status, body: await response.text() };
    },
    { path, body: JSON.stringify(body) },
  );
}

const chat = (page: Page, body: object) => post(page, '/v1/chat/completions', { ...QUESTION, ...body });
const formatOf = (schema: JsonSchema) => ({ type: 'json_schema', json_schema: { name: 'x', strict: true, schema } });

/** Token ids of single characters, as keys of `logit_bias`. */
async function biasOf(page: Page, prefers: NonNullable<Case['prefers']>): Promise<Record<string, number>> {
  const { model } = await page.evaluate(async () => (await fetch('/models/pocket/tokenizer.json')).json());
  return Object.fromEntries(Object.entries(prefers).map(([text, bias]) => [model.vocab[text], bias]));
}

for (const [name, { schema, prefers, says }] of Object.entries(CASES)) {
  test(`an answer matches ${name}, and can contain every value that it allows`, async ({ site }) => {
    const how = prefers ? { temperature: 0, logit_bias: await biasOf(site, prefers) } : { temperature: 1 };
    const { status, body } = await chat(site, { ...how, response_format: formatOf(schema) });
    expect(status, body).toBe(200);
    const { choices } = JSON.parse(body) as { choices: [{ finish_reason: string; message: { content: string } }] };
    const [{ finish_reason: reason, message }] = choices;
    expect(reason, message.content).toBe('stop');
    expect(validator(schema)!(JSON.parse(message.content)), message.content).toBe(true);
    if (says) expect(message.content).toMatch(says);
  });
}

test('a schema that no finite answer can match is a 400', async ({ site }) => {
  const endless = { $ref: '#/$defs/n', $defs: { n: object({ next: { $ref: '#/$defs/n' } }) } };
  const { status, body } = await chat(site, { response_format: formatOf(endless) });
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({
    error: { code: 'invalid_value', message: expect.stringContaining('allows no value that ends') },
  });
});

test('a tool whose schema has a lookahead pattern and a format gets matching arguments', async ({ site }) => {
  const to = {
    type: 'string',
    format: 'email',
    pattern: '^(?!\\.)(?!.*\\.\\.)[a-z.]+@[a-z]+\\.[a-z]+$',
    maxLength: 40,
  };
  const mail = { type: 'function', function: { name: 'mail', parameters: object({ to }) } };
  const { status, body } = await chat(site, { tools: [mail], tool_choice: 'required', parallel_tool_calls: false });
  expect(status, body).toBe(200);
  const [{ message }] = (JSON.parse(body) as { choices: [{ message: { tool_calls: [{ function: Call }] } }] }).choices;
  expect((JSON.parse(message.tool_calls[0].function.arguments) as { to: string }).to).toMatch(new RegExp(to.pattern));
});

interface Call {
  readonly arguments: string;
}

/** A schema with bounds, a pattern, `allOf` and a union. */
const ALL = object(
  {
    code: { type: 'string', pattern: '^(?:id|no)_[^_]', maxLength: 6 },
    score: { type: 'number', minimum: -1, exclusiveMaximum: 1 },
    of: {
      oneOf: [object({ kind: { const: 'a' }, n: { type: 'integer', minimum: 3 } }), object({ kind: { const: 'b' } })],
    },
  },
  { allOf: [{ required: ['code'] }] },
);
const TOOL = { name: 'set', parameters: ALL };
const FORCED = { tool_choice: 'required', parallel_tool_calls: false };

const events = <Event>({ body }: Reply): Event[] =>
  body.split('\n\n').flatMap((event) => {
    const data = event.split('\n').find((line) => line.startsWith('data: {'));
    return data === undefined ? [] : [JSON.parse(data.slice('data: '.length)) as Event];
  });

/** The ways to request an answer with a schema. Each returns the JSON text in the response. */
const DOORS: Readonly<Record<string, (page: Page) => Promise<string>>> = {
  'json_object with a schema': async (page) =>
    JSON.parse((await chat(page, { response_format: { type: 'json_object', schema: ALL } })).body).choices[0].message
      .content,
  'a streamed answer': async (page) =>
    events<OpenAI.ChatCompletionChunk>(await chat(page, { stream: true, response_format: formatOf(ALL) }))
      .map(({ choices }) => choices[0]?.delta.content ?? '')
      .join(''),
  'a strict tool': async (page) =>
    JSON.parse(
      (await chat(page, { ...FORCED, tools: [{ type: 'function', function: { ...TOOL, strict: true } }] })).body,
    ).choices[0].message.tool_calls[0].function.arguments,
  'a tool that is not strict, streamed': async (page) =>
    events<OpenAI.ChatCompletionChunk>(
      await chat(page, { ...FORCED, stream: true, tools: [{ type: 'function', function: TOOL }] }),
    )
      .map(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '')
      .join(''),
  'a response': async (page) =>
    JSON.parse((await respond(page, {})).body).output.find((item: { type: string }) => item.type === 'message')
      .content[0].text,
  'a streamed response': async (page) =>
    events<OpenAI.Responses.ResponseStreamEvent>(await respond(page, { stream: true }))
      .map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
      .join(''),
};

function respond(page: Page, more: object): Promise<Reply> {
  const { messages: input, max_tokens: max_output_tokens, ...question } = QUESTION;
  const format = { type: 'json_schema', name: 'x', strict: true, schema: ALL };
  return post(page, '/v1/responses', {
    ...question,
    input,
    max_output_tokens,
    store: false,
    text: { format },
    ...more,
  });
}

for (const [name, ask] of Object.entries(DOORS)) {
  test(`a schema is enforced for ${name}`, async ({ site }) => {
    const text = await ask(site);
    expect(validator(ALL)!(JSON.parse(text)), text).toBe(true);
  });
}

test("generateObject and streamObject of Vercel's ai package return objects that match zod 4 schemas", async ({
  site,
}) => {
  const client = inPage<typeof aiObjects>(site, 'ai-objects');
  for (const seed of [1, 2]) {
    expect(ORDER.safeParse(await client.generate(seed))).toMatchObject({ success: true });
    expect(ORDER.safeParse(await client.stream(seed))).toMatchObject({ success: true });
  }
});

const GRAMMAR = 'root ::= "(" root ")" | ("ab" | "é") [0-9]{2,3} "!"';

const GRAMMAR_FIELDS: Readonly<Record<string, (grammar: string) => object>> = {
  guided_grammar: (grammar) => ({ guided_grammar: grammar }),
  grammar: (grammar) => ({ grammar }),
  'structured_outputs.grammar': (grammar) => ({ structured_outputs: { grammar } }),
  'response_format.grammar': (grammar) => ({ response_format: { type: 'grammar', grammar } }),
};

for (const [param, fieldsOf] of Object.entries(GRAMMAR_FIELDS)) {
  test(`a grammar in ${param} is enforced, and an unsupported one is a 400`, async ({ site }) => {
    const whole = await chat(site, { temperature: 1, ...fieldsOf(GRAMMAR) });
    const streamed = await chat(site, { temperature: 1, seed: 3, stream: true, ...fieldsOf(GRAMMAR) });
    const texts = [
      JSON.parse(whole.body).choices[0].message.content as string,
      events<OpenAI.ChatCompletionChunk>(streamed)
        .map(({ choices }) => choices[0]?.delta.content ?? '')
        .join(''),
    ];
    for (const text of texts) expect(text).toMatch(/^\(*(?:ab|é)\d{2,3}!\)*$/);
    for (const stream of [false, true]) {
      const { status, body } = await chat(site, { stream, ...fieldsOf('root ::= root "a" | "a"') });
      expect(status).toBe(400);
      expect(JSON.parse(body)).toMatchObject({
        error: {
          code: 'invalid_value',
          param,
          message: expect.stringContaining('begins its rule "root" with that rule'),
        },
      });
    }
  });
}
