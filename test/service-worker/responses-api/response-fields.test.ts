import { describe, expect, test } from 'vitest';
import type { ApiErrorCode } from '../../../src/shared/api-error.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { ResponseFields } from '../../../src/service-worker/responses-api/response-fields.ts';
import type { OTHER_SAMPLING_FIELDS } from '../../../src/service-worker/request/other-fields.ts';
import { SAMPLING_FIELDS } from '../../../src/service-worker/request/sampling-fields.ts';
import { FIELD_CASES as CHAT_CASES } from '../support/field-cases.ts';
import { MemoryAnswers } from '../../support/fakes/memory-answers.ts';
import { readError } from '../support/read-error.ts';
import { createResponsesApp, GOOD_BODY } from './responses-app.ts';

interface FieldCases {
  /** Accepted values, the engine's request for each, and other fields that they need. */
  readonly accepted: readonly (readonly [value: unknown, becomes?: Partial<CompletionRequest>, beside?: object])[];
  /** Rejected values; `param` is the field in the error, by default the field itself. */
  readonly refused: readonly (readonly [value: unknown, code: ApiErrorCode, param?: string, beside?: object])[];
}

const notA = (...values: readonly unknown[]): [unknown, ApiErrorCode][] =>
  values.map((value) => [value, 'invalid_type']);
const said = (content: string): Partial<CompletionRequest> => ({ messages: [{ role: 'user', content }] });
const aText: FieldCases = { accepted: [['some text']], refused: notA(1, true, [], {}) };
const aFlag: FieldCases = { accepted: [[true], [false]], refused: notA('true', 1, [], {}) };

const unsupported: FieldCases = { accepted: [], refused: [[{ type: 'object' }, 'unsupported_parameter']] };

const weather = { type: 'function', name: 'weather' };
const offered = { tools: [weather] };
const weatherTool = { name: 'weather', description: null, parameters: null };
const schema = { type: 'object', properties: { a: { type: 'integer' } } };
const namespace = { type: 'namespace', name: 'sky', description: 'What is above.', tools: [weather] };

/** Fields that are refused or have no effect; `other-fields.test.ts` tests them. */
type OtherField =
  | 'access_programs'
  | 'background_options'
  | 'context_management'
  | 'image'
  | 'logprobs'
  | 'max_completion_tokens'
  | 'max_tokens'
  | 'moderation'
  | 'n'
  | 'prompt_cache_options'
  | 'prompt_cache_retention'
  | 'reasoning_effort'
  | 'service_tier';

/**
 * A field of the source's table without cases is a type error. The fields of sampling have theirs in `field-cases.ts`.
 */
const FIELD_CASES: Readonly<
  Record<
    Exclude<keyof ResponseFields, keyof typeof SAMPLING_FIELDS | keyof typeof OTHER_SAMPLING_FIELDS | OtherField>,
    FieldCases
  >
> = {
  model: {
    accepted: [
      ['pocket', { model: 'pocket' }],
      ['gpt-4o-mini', { model: 'pocket' }],
    ],
    refused: [['', 'missing_required_parameter'], ['nobody', 'model_not_found'], ...notA(1, [], {})],
  },
  input: {
    accepted: [
      ['Hello', said('Hello')],
      ['', said('')],
      [[{ role: 'user', content: 'Hello' }], said('Hello')],
      [[{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }], said('Hello')],
    ],
    refused: [...notA(1, true, {}), [['Hello'], 'invalid_type', 'input[0]'], [[], 'missing_required_parameter']],
  },
  instructions: {
    accepted: [['Be brief.', { messages: [{ role: 'system', content: 'Be brief.' }, ...said('Hi').messages!] }]],
    refused: notA(1, true, [], {}),
  },
  previous_response_id: { accepted: [], refused: [...notA(1, {}), ['resp_x', 'previous_response_not_found']] },
  conversation: {
    accepted: [],
    refused: [
      ['conv_1', 'unsupported_parameter'],
      [{ id: 'c' }, 'unsupported_parameter'],
    ],
  },
  prompt: { accepted: [], refused: [[{ id: 'pmpt_1' }, 'unsupported_parameter']] },
  stream: aFlag,
  stream_options: { accepted: [[{}], [{ include_obfuscation: false }]], refused: notA('x', 1, []) },
  store: aFlag,
  background: {
    accepted: [[false], [false, {}, { store: false }]],
    refused: [...notA('true', 1), [true, 'invalid_value', 'background', { store: false }]],
  },
  max_output_tokens: {
    accepted: [[5, { maxTokens: 5 }]],
    refused: [...notA('5', 1.5), [0, 'integer_below_min_value']],
  },
  max_tool_calls: { accepted: [[3]], refused: [...notA('3'), [0, 'integer_below_min_value']] },
  include: {
    accepted: [
      [[], { logprobs: false }],
      [['reasoning.encrypted_content', 'web_search_call.results'], { logprobs: false }],
      [['message.output_text.logprobs'], { logprobs: true }],
    ],
    refused: [...notA('x', {}), [[1], 'invalid_type', 'include[0]']],
  },
  top_logprobs: {
    accepted: [[3, { topLogprobs: 3 }]],
    refused: [...notA('3'), [-1, 'integer_below_min_value'], [21, 'integer_above_max_value']],
  },
  text: {
    accepted: [
      [{}, { responseFormat: { type: 'text' } }],
      [{ format: { type: 'text' }, verbosity: 'low' }, { responseFormat: { type: 'text' } }],
      [{ format: { type: 'json_object' } }, { responseFormat: { type: 'json_object' } }],
      [
        { format: { type: 'json_schema', name: 'n', schema, strict: true } },
        { responseFormat: { type: 'json_schema', schema } },
      ],
    ],
    refused: [
      ...notA('text', 1, []),
      [{ format: { type: 'xml' } }, 'invalid_value', 'text.format.type'],
      [{ format: { type: 'json_schema', schema } }, 'missing_required_parameter', 'text.format.name'],
      [{ format: { type: 'json_schema', name: 'n' } }, 'missing_required_parameter', 'text.format.schema'],
      [{ format: { type: 'json_schema', name: 'n', schema: 1 } }, 'invalid_type', 'text.format.schema'],
      [{ verbosity: 'extreme' }, 'invalid_value', 'text.verbosity'],
    ],
  },
  tools: {
    accepted: [
      [[], { tools: [] }],
      [[weather], { tools: [weatherTool] }],
      [
        [{ ...weather, description: 'Tells it.', parameters: schema, strict: true }],
        { tools: [{ name: 'weather', description: 'Tells it.', parameters: schema }] },
      ],
      [[namespace], { tools: [{ ...weatherTool, name: 'sky__weather' }] }],
      [
        [namespace, { ...namespace, name: 'at sea' }, weather],
        { tools: ['sky__weather', 'at_sea__weather', 'weather'].map((name) => ({ ...weatherTool, name })) },
      ],
    ],
    refused: [
      ...notA('x', 1, {}),
      [[{}], 'missing_required_parameter', 'tools[0].type'],
      [[{ type: 'function' }], 'missing_required_parameter', 'tools[0].name'],
      [[{ type: 'function', name: 'a b' }], 'invalid_value', 'tools[0].name'],
      [[{ ...weather, parameters: { type: 'string' } }], 'invalid_value', 'tools[0].parameters'],
      [[weather, { type: 'hammer' }], 'invalid_value', 'tools[1].type'],
      [[{ ...namespace, tools: [{ type: 'function' }] }], 'missing_required_parameter', 'tools[0].tools[0].name'],
      ...['web_search', 'web_search_preview', 'code_interpreter', 'computer_use_preview'].map(hosted),
      ...['mcp', 'image_generation', 'local_shell', 'shell', 'apply_patch', 'tool_search'].map(hosted),
    ],
  },
  tool_choice: {
    accepted: [
      ['auto', { toolChoice: 'auto', tools: [] }],
      ['none', { toolChoice: 'none', tools: [] }, offered],
      ['required', { toolChoice: 'required', tools: [weatherTool] }, offered],
      [weather, { toolChoice: { name: 'weather' } }, offered],
      [weather, { toolChoice: { name: 'sky__weather' } }, { tools: [namespace, { type: 'function', name: 'clock' }] }],
      [
        weather,
        { toolChoice: 'required', tools: ['sky__weather', 'weather'].map((name) => ({ ...weatherTool, name })) },
        { tools: [namespace, weather, { type: 'function', name: 'clock' }] },
      ],
      [
        { type: 'allowed_tools', mode: 'auto', tools: [weather] },
        { toolChoice: 'auto', tools: [{ ...weatherTool, name: 'sky__weather' }] },
        { tools: [namespace, { type: 'function', name: 'clock' }] },
      ],
      [
        { type: 'allowed_tools', mode: 'auto', tools: [weather] },
        { toolChoice: 'auto', tools: [weatherTool] },
        { tools: [weather, { type: 'function', name: 'clock' }] },
      ],
    ],
    refused: [
      ...notA(1, []),
      ['any', 'invalid_value'],
      ['required', 'invalid_value'],
      [{}, 'missing_required_parameter', 'tool_choice.type', offered],
      [{ type: 'function' }, 'missing_required_parameter', 'tool_choice.name', offered],
      [{ type: 'function', name: 'clock' }, 'invalid_value', 'tool_choice.name', offered],
      [{ type: 'web_search' }, 'unsupported_value', 'tool_choice.type', offered],
      [{ type: 'allowed_tools', mode: 'auto', tools: [] }, 'empty_array', 'tool_choice.tools', offered],
      [{ type: 'allowed_tools', mode: 'none', tools: [weather] }, 'invalid_value', 'tool_choice.mode', offered],
    ],
  },
  parallel_tool_calls: {
    accepted: [
      [true, { parallelToolCalls: true }],
      [false, { parallelToolCalls: false }],
    ],
    refused: notA('true', 1),
  },
  reasoning: {
    accepted: [
      [{}, { thinking: null }],
      [{ effort: 'none' }, { thinking: false }],
      [{ effort: 'high', summary: 'auto' }, { thinking: true }],
      [{ effort: 'minimal' }, { thinking: null }],
      [{ effort: null, summary: null, generate_summary: 'auto' }, { thinking: null }],
    ],
    refused: [
      ...notA('high', 1, []),
      [{ effort: 'extreme' }, 'invalid_value', 'reasoning.effort'],
      [{ summary: 'long' }, 'invalid_value', 'reasoning.summary'],
    ],
  },
  loop_detection: {
    accepted: [
      [true, { loopDetection: true }],
      [false, { loopDetection: false }],
    ],
    refused: notA('true', 1),
  },
  truncation: {
    accepted: [['disabled'], ['auto', { truncation: 'auto' }]],
    refused: [...notA(1), ['some', 'invalid_value']],
  },
  metadata: {
    accepted: [[{}], [{ topic: 'x' }]],
    refused: [
      ...notA('x', 1, []),
      [{ topic: 1 }, 'invalid_type', 'metadata.topic'],
      [{ topic: 'x'.repeat(513) }, 'invalid_value', 'metadata.topic'],
      [{ ['x'.repeat(65)]: '' }, 'invalid_value'],
      [Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, ''])), 'invalid_value'],
    ],
  },
  user: aText,
  safety_identifier: { accepted: [['some text']], refused: [...notA(1, {}), ['x'.repeat(65), 'invalid_value']] },
  prompt_cache_key: aText,
  guided_json: unsupported,
  guided_regex: unsupported,
  guided_choice: unsupported,
  guided_grammar: unsupported,
  regex: unsupported,
  ebnf: unsupported,
  structured_outputs: unsupported,
  json_schema: unsupported,
  grammar: unsupported,
  format: unsupported,
  response_format: { accepted: [[{ type: 'text' }]], refused: [[{ type: 'json_object' }, 'unsupported_parameter']] },
};

function hosted(type: string): [unknown, ApiErrorCode, string] {
  return [[{ type }], 'unsupported_value', 'tools[0].type'];
}

const FIELDS = Object.entries(FIELD_CASES);

describe.each(FIELDS)('%s', (field, { accepted, refused }) => {
  const taken = accepted.map(([value, becomes = {}, beside = {}]) => ({ value, becomes, beside }));
  test.each(taken)('accepts $value', async ({ value, becomes, beside }) => {
    expect(await createResponsesApp().received({ ...beside, [field]: value })).toMatchObject(becomes);
  });

  const notTaken = refused.map(([value, code, param = field, beside = {}]) => ({ value, code, param, beside }));
  test.each(notTaken)('rejects $value as $code', async ({ value, code, param, beside }) => {
    const app = createResponsesApp({ answers: new MemoryAnswers() });
    const error = await readError(await app.respond({ ...GOOD_BODY, ...beside, [field]: value }));
    expect(error).toMatchObject({ status: code === 'model_not_found' ? 404 : 400, code, param });
    expect(app.service.completions, 'the engine has not been troubled').toEqual([]);
  });
});

test.each(FIELDS.map(([field]) => field).filter((field) => field !== 'model' && field !== 'input'))(
  '%s: null means absent',
  async (field) => {
    const app = createResponsesApp();
    expect(await app.received({ [field]: null })).toEqual(await app.received({}));
  },
);

test('a hosted tool is rejected by name, with an alternative', async () => {
  const response = await createResponsesApp().respond({ ...GOOD_BODY, tools: [{ type: 'web_search' }] });
  const { message } = await readError(response);
  expect(message).toContain('"web_search"');
  expect(message).toContain('function');
});

test("the response repeats its settings, with the model's defaults for absent ones", async () => {
  const app = createResponsesApp();
  const plain = await (await app.respond(GOOD_BODY)).json();
  expect(plain).toMatchObject({
    model: 'pocket',
    temperature: 0.7,
    top_p: 0.95,
    tool_choice: 'auto',
    tools: [],
    text: { format: { type: 'text' }, verbosity: 'medium' },
    truncation: 'disabled',
    instructions: null,
    metadata: {},
  });
  const fields = {
    temperature: 0.2,
    top_p: 0.3,
    tools: [namespace, { ...weather, description: 'x', parameters: schema, strict: false }],
    tool_choice: weather,
    text: { format: { type: 'json_schema', name: 'n', schema, strict: true }, verbosity: 'low' },
    instructions: 'Be brief.',
    metadata: { topic: 'x' },
    max_output_tokens: 5,
    reasoning: { effort: 'low', summary: 'auto' },
    user: 'someone',
  };
  expect(await (await app.respond({ ...GOOD_BODY, ...fields })).json()).toMatchObject(fields);
});

const isAlone = ({ beside = {} }: { readonly beside?: object }) => Object.keys(beside).length === 0;

test.each(Object.keys(SAMPLING_FIELDS))('%s is followed as in chat completions', async (field) => {
  const { accepted, refused } = CHAT_CASES[field as keyof typeof SAMPLING_FIELDS];
  for (const { value, becomes } of accepted.filter(isAlone)) {
    expect(await createResponsesApp().received({ [field]: value })).toMatchObject(becomes ?? {});
  }
  for (const { value, code, param = field } of refused.filter(isAlone)) {
    const response = await createResponsesApp().respond({ ...GOOD_BODY, [field]: value });
    expect(await readError(response)).toMatchObject({ status: 400, code, param });
  }
});
