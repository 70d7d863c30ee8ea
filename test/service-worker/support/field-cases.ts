import type { ApiErrorCode } from '../../../src/shared/api-error.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { ChatCompletionFields } from '../../../src/service-worker/request/chat-completion-fields.ts';
import type {
  CLOUD_FIELDS,
  OTHER_CHAT_FIELDS,
  OTHER_SAMPLING_FIELDS,
} from '../../../src/service-worker/request/other-fields.ts';

/** An accepted value and the engine's request for it, which is checked if present. */
interface AcceptedCase {
  readonly value: unknown;
  readonly becomes?: Partial<CompletionRequest>;
  /** Other fields that this one needs. */
  readonly beside?: object;
}

interface RefusedCase {
  readonly value: unknown;
  readonly code: ApiErrorCode;
  /** Default: the field itself. */
  readonly param?: string;
  readonly beside?: object;
}

export interface FieldCases {
  /** The engine's request if the field is absent or null; null for a required field. */
  readonly fallback: Partial<CompletionRequest> | null;
  readonly accepted: readonly AcceptedCase[];
  readonly refused: readonly RefusedCase[];
}

const accepts = (value: unknown, becomes?: Partial<CompletionRequest>, beside: object = {}): AcceptedCase => ({
  value,
  beside,
  ...(becomes === undefined ? {} : { becomes }),
});
const refuses = (value: unknown, code: ApiErrorCode, param?: string, beside: object = {}): RefusedCase => ({
  value,
  code,
  beside,
  ...(param === undefined ? {} : { param }),
});

const INTEGER = { type: 'integer' };
const GRAMMAR = 'root ::= "a"';

const notA = (...values: readonly unknown[]): RefusedCase[] => values.map((value) => refuses(value, 'invalid_type'));

function decimals(key: keyof CompletionRequest, min: number, max: number, below: number, above: number): FieldCases {
  return {
    fallback: { [key]: null },
    accepted: [min, max, (min + max) / 4].map((value) => accepts(value, { [key]: value })),
    refused: [
      ...notA('0.5', true, [0.5], {}),
      refuses(below, 'decimal_below_min_value'),
      refuses(above, 'decimal_above_max_value'),
    ],
  };
}

const tokenLimit: FieldCases = {
  fallback: { maxTokens: null },
  accepted: [accepts(1, { maxTokens: 1 }), accepts(1e15, { maxTokens: 1e15 }), accepts(-1, { maxTokens: null })],
  refused: [
    ...notA('5', 1.5, true, [5], {}),
    refuses(0, 'integer_below_min_value'),
    refuses(-3, 'integer_below_min_value'),
  ],
};

const flag = (key: keyof CompletionRequest, fallback: boolean): FieldCases => ({
  fallback: { [key]: fallback },
  accepted: [accepts(true, { [key]: true }), accepts(false, { [key]: false })],
  refused: notA('true', 1, 0, [], {}),
});

const message = [{ role: 'user', content: 'Hi' }];
const begun = [...message, { role: 'assistant', content: 'Once' }];
const tool = (name: string): object => ({ type: 'function', function: { name } });
const weather = { tools: [tool('weather')] };
const twoTools = { tools: [tool('weather'), tool('clock')] };
const allowed = (mode: string, ...tools: object[]): object => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools },
});
const weatherTool = { name: 'weather', description: null, parameters: null };
const streaming = { stream: true };
const storing = { store: true };
/** Metadata: `count` pairs with names of `name` and values of `value` characters. */
const pairs = (count: number, name: number, value: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [String(index).padStart(name, '0'), 'a'.repeat(value)]),
  );
const withLogprobs = { logprobs: true };

/** The fields that are refused or have no effect are in `other-fields.test.ts`. */
type OtherField =
  | keyof typeof CLOUD_FIELDS
  | keyof typeof OTHER_CHAT_FIELDS
  | keyof typeof OTHER_SAMPLING_FIELDS
  | 'add_special_tokens'
  | 'echo'
  | 'instructions'
  | 'max_new_tokens'
  | 'max_output_tokens'
  | 'moderation'
  | 'num_predict'
  | 'options'
  | 'prediction'
  | 'stop_sequences'
  | 'system'
  | 'verbosity';

/**
 * Cases for each field. A field of the source's table without cases is a type error.
 */
export const FIELD_CASES: Readonly<Record<Exclude<keyof ChatCompletionFields, OtherField>, FieldCases>> = {
  model: {
    fallback: null,
    accepted: [
      accepts('pocket', { model: 'pocket' }),
      accepts('gpt-4o-mini', { model: 'pocket' }),
      accepts('org/seer', { model: 'org/seer' }),
    ],
    refused: [
      refuses('', 'missing_required_parameter'),
      ...notA(1, true, ['pocket'], {}),
      refuses('gpt-4o', 'model_not_found'),
      refuses('far-away', 'model_not_found'),
      refuses('constructor', 'model_not_found'),
      refuses('POCKET', 'model_not_found'),
    ],
  },
  messages: {
    fallback: null,
    accepted: [accepts(message, { messages: [{ role: 'user', content: 'Hi' }] })],
    refused: [...notA('Hi', 1, true, {}), refuses([], 'empty_array'), refuses(['Hi'], 'invalid_type', 'messages[0]')],
  },
  add_generation_prompt: {
    fallback: { answerPrefix: '' },
    accepted: [
      accepts(true, { answerPrefix: '' }),
      accepts(false, { answerPrefix: 'Once' }, { messages: begun, continue_final_message: true }),
    ],
    refused: [
      ...notA('true', 1, 0, [], {}),
      refuses(false, 'invalid_value'),
      refuses(true, 'invalid_value', 'add_generation_prompt', { messages: begun, continue_final_message: true }),
    ],
  },
  continue_final_message: {
    fallback: { answerPrefix: '' },
    accepted: [
      accepts(false, { answerPrefix: '' }, { messages: begun }),
      accepts(true, { answerPrefix: 'Once', messages: [{ role: 'user', content: 'Hi' }] }, { messages: begun }),
    ],
    refused: [...notA('true', 1, 0, [], {}), refuses(true, 'invalid_value')],
  },
  stream: { fallback: {}, accepted: [accepts(true), accepts(false)], refused: notA('true', 1, 0, [], {}) },
  stream_options: {
    fallback: {},
    accepted: [
      accepts({}, {}, streaming),
      accepts({ include_usage: true }, {}, streaming),
      accepts({ include_usage: null, include_obfuscation: 'any', unknown: 1 }, {}, streaming),
    ],
    refused: [
      refuses({}, 'invalid_value'),
      refuses({ include_usage: true }, 'invalid_value', 'stream_options', { stream: false }),
      refuses('usage', 'invalid_type', 'stream_options', streaming),
      refuses([], 'invalid_type', 'stream_options', streaming),
      refuses({ include_usage: 1 }, 'invalid_type', 'stream_options.include_usage', streaming),
    ],
  },
  max_completion_tokens: {
    ...tokenLimit,
    accepted: [...tokenLimit.accepted, accepts(5, { maxTokens: 5 }, { max_tokens: 9 })],
  },
  max_tokens: {
    ...tokenLimit,
    accepted: [...tokenLimit.accepted, accepts(9, { maxTokens: 9 }, { max_completion_tokens: null })],
  },
  n_predict: {
    ...tokenLimit,
    accepted: [...tokenLimit.accepted, accepts(9, { maxTokens: 5 }, { max_tokens: 5 })],
  },
  temperature: decimals('temperature', 0, 2, -0.01, 2.01),
  top_p: decimals('topP', 0, 1, -0.01, 1.01),
  top_k: {
    fallback: { topK: null },
    accepted: [
      accepts(1, { topK: 1 }),
      accepts(40, { topK: 40 }),
      accepts(0, { topK: null }),
      accepts(-1, { topK: null }),
    ],
    refused: [...notA('1', 1.5, true, [1], {}), refuses(-2, 'integer_below_min_value')],
  },
  min_p: {
    ...decimals('minP', 0, 1, -0.01, 1.01),
    accepted: [accepts(0, { minP: null }), accepts(0.05, { minP: 0.05 }), accepts(1, { minP: 1 })],
  },
  stop: {
    fallback: { stop: [] },
    accepted: [
      accepts('END', { stop: ['END'] }),
      accepts('', { stop: [] }),
      accepts([], { stop: [] }),
      accepts(['a', '', 'b', 'c'], { stop: ['a', 'b', 'c'] }),
      // As many as completions of code in editors have.
      accepts(
        Array.from({ length: 64 }, () => 'a'),
        { stop: Array.from({ length: 64 }, () => 'a') },
      ),
    ],
    refused: [
      ...notA(1, true, {}),
      refuses(['a', 1], 'invalid_type', 'stop[1]'),
      refuses(
        Array.from({ length: 65 }, () => ''),
        'array_above_max_length',
      ),
    ],
  },
  stop_token_ids: {
    fallback: { stopTokens: [] },
    accepted: [accepts([], { stopTokens: [] }), accepts([0, 999], { stopTokens: [0, 999] })],
    refused: [
      ...notA('1', 1, true, {}),
      refuses(['1'], 'invalid_type', 'stop_token_ids[0]'),
      refuses([7, -1], 'invalid_type', 'stop_token_ids[1]'),
      refuses([1000], 'invalid_value'),
      refuses(
        Array.from({ length: 65 }, () => 1),
        'array_above_max_length',
      ),
    ],
  },
  ignore_eos: {
    fallback: { ignoreEnd: false },
    accepted: [
      accepts(true, { ignoreEnd: true }),
      accepts(true, { ignoreEnd: true }, { tools: [tool('weather')], tool_choice: 'none' }),
      accepts(false, { ignoreEnd: false }, { guided_choice: ['a'] }),
    ],
    refused: [
      ...notA('true', 1, 0, [], {}),
      refuses(true, 'invalid_value', 'ignore_eos', weather),
      ...[{ guided_regex: 'a' }, { response_format: { type: 'json_object' } }, { grammar: GRAMMAR }].map((beside) =>
        refuses(true, 'invalid_value', 'ignore_eos', beside),
      ),
    ],
  },
  seed: {
    fallback: { seed: null },
    accepted: [0, 1, -1, 2 ** 53, -(2 ** 60), 2 ** 63, -(2 ** 63)].map((value) => accepts(value, { seed: value })),
    refused: [
      ...notA('1', 1.5, true, [1], {}),
      refuses(2 ** 64, 'integer_above_max_value'),
      refuses(-1e300, 'integer_below_min_value'),
    ],
  },
  presence_penalty: decimals('presencePenalty', -2, 2, -2.01, 2.01),
  frequency_penalty: decimals('frequencyPenalty', -2, 2, -2.01, 2.01),
  repetition_penalty: {
    fallback: { repetitionPenalty: null },
    accepted: [accepts(0.001, { repetitionPenalty: 0.001 }), accepts(100, { repetitionPenalty: 100 })],
    refused: [
      ...notA('1', true, [1], {}),
      refuses(0, 'decimal_below_min_value'),
      refuses(-1, 'decimal_below_min_value'),
    ],
  },
  repeat_penalty: {
    fallback: { repetitionPenalty: null },
    accepted: [
      accepts(1.1, { repetitionPenalty: 1.1 }),
      accepts(1.1, { repetitionPenalty: 1.1 }, { repetition_penalty: 1.1 }),
    ],
    refused: [
      ...notA('1', true, [1], {}),
      refuses(0, 'decimal_below_min_value'),
      refuses(1.1, 'invalid_value', 'repeat_penalty', { repetition_penalty: 1.2 }),
    ],
  },
  logit_bias: {
    fallback: { logitBias: null },
    accepted: [
      accepts({}, { logitBias: null }),
      accepts({ 0: -100, 999: 100, 7: 0.5 }, { logitBias: { 0: -100, 7: 0.5, 999: 100 } }),
    ],
    refused: [
      ...notA('1', 1, true, [1]),
      ...['word', '-1', '1.5', '01', '', '1000'].map((token) => refuses({ [token]: 1 }, 'invalid_value')),
      refuses({ 1: '1' }, 'invalid_type'),
      refuses({ 1: null }, 'invalid_type'),
      refuses({ 1: -100.1 }, 'decimal_below_min_value'),
      refuses({ 1: 100.1 }, 'decimal_above_max_value'),
    ],
  },
  keep_alive: {
    fallback: {},
    accepted: [
      [0, 0],
      [-1, -1],
      [1.5, 1.5],
      ['300', 300],
      ['-1', -1],
      ['5m', 300],
      ['1h30m', 5400],
      ['90s', 90],
      ['-1m', -60],
      ['+5m', 300],
      ['1.5h', 5400],
      ['300ms', 0.3],
      ['.5s', 0.5],
      ['1.s', 1],
      ['1m1h', 3660],
      ['2000us', 0.002],
      ['-0.5m', -30],
    ].map(([value, keepAlive]) => accepts(value, { keepAlive: Number(keepAlive) })),
    refused: [
      ...notA(true, [1], {}),
      ...['', 'm', '5 m', '5d', '1.5', '5m3', '.s', '--5m', '+', '1..5h', '1e3s', '5M', 'forever'].map((value) =>
        refuses(value, 'invalid_value'),
      ),
    ],
  },
  n: {
    fallback: { choices: 1 },
    accepted: [accepts(1, { choices: 1 }), accepts(128, { choices: 128 }), accepts(2, { choices: 2 }, streaming)],
    refused: [
      ...notA('1', 1.5, true, [1], {}),
      refuses(0, 'integer_below_min_value'),
      refuses(129, 'integer_above_max_value'),
    ],
  },
  logprobs: flag('logprobs', false),
  top_logprobs: {
    fallback: { topLogprobs: 0 },
    accepted: [accepts(0, { topLogprobs: 0 }, withLogprobs), accepts(20, { topLogprobs: 20 }, withLogprobs)],
    refused: [
      refuses(1, 'invalid_value'),
      refuses(0, 'invalid_value', 'top_logprobs', { logprobs: false }),
      refuses('1', 'invalid_type', 'top_logprobs', withLogprobs),
      refuses(1.5, 'invalid_type', 'top_logprobs', withLogprobs),
      refuses(-1, 'integer_below_min_value', 'top_logprobs', withLogprobs),
      refuses(21, 'integer_above_max_value', 'top_logprobs', withLogprobs),
    ],
  },
  response_format: {
    fallback: { responseFormat: { type: 'text' } },
    accepted: [
      accepts({ type: 'text' }, { responseFormat: { type: 'text' } }),
      accepts({ type: 'json_object' }, { responseFormat: { type: 'json_object' } }),
      ...['json_object', 'json_schema'].map((type) =>
        accepts(
          { type, schema: INTEGER },
          { responseFormat: { type: 'json_schema', schema: INTEGER, param: 'response_format.schema' } },
        ),
      ),
      accepts(
        { type: 'grammar', grammar: GRAMMAR },
        { responseFormat: { type: 'grammar', grammar: GRAMMAR, param: 'response_format.grammar' } },
      ),
    ],
    refused: [
      ...notA('json_object', 1, true, []),
      refuses({ type: 'grammar' }, 'missing_required_parameter', 'response_format.grammar'),
      refuses({ type: 'grammar', grammar: {} }, 'invalid_type', 'response_format.grammar'),
      refuses({}, 'missing_required_parameter', 'response_format.type'),
      refuses({ type: 7 }, 'invalid_type', 'response_format.type'),
      refuses({ type: 'yaml' }, 'invalid_value', 'response_format.type'),
    ],
  },
  tools: {
    fallback: { tools: [] },
    accepted: [accepts([], { tools: [] }), accepts([tool('weather')], { tools: [weatherTool] })],
    refused: [...notA('weather', 1, true, {}), refuses([1], 'invalid_type', 'tools[0]')],
  },
  tool_choice: {
    fallback: { toolChoice: 'auto' },
    accepted: [
      accepts('auto', { toolChoice: 'auto', tools: [] }),
      accepts('none', { toolChoice: 'none', tools: [] }),
      accepts('none', { toolChoice: 'none', tools: [] }, weather),
      accepts('required', { toolChoice: 'required', tools: [weatherTool] }, weather),
      accepts(tool('weather'), { toolChoice: { name: 'weather' } }, weather),
      accepts(allowed('auto', tool('weather')), { toolChoice: 'auto', tools: [weatherTool] }, twoTools),
      accepts(allowed('required', tool('clock'), tool('weather')), { toolChoice: 'required' }, twoTools),
    ],
    refused: [
      refuses(1, 'invalid_type', 'tool_choice', weather),
      refuses([], 'invalid_type', 'tool_choice', weather),
      refuses('any', 'invalid_value', 'tool_choice', weather),
      refuses('required', 'invalid_value'),
      refuses({}, 'missing_required_parameter', 'tool_choice.type', weather),
      refuses({ type: 'custom', custom: { name: 'weather' } }, 'invalid_value', 'tool_choice.custom.name', weather),
      refuses({ type: 'allowed_tools' }, 'missing_required_parameter', 'tool_choice.allowed_tools', weather),
      refuses(allowed('none', tool('weather')), 'invalid_value', 'tool_choice.allowed_tools.mode', weather),
      refuses(allowed('auto'), 'empty_array', 'tool_choice.allowed_tools.tools', weather),
      refuses(
        allowed('auto', tool('weather'), tool('traffic')),
        'invalid_value',
        'tool_choice.allowed_tools.tools[1].function.name',
        weather,
      ),
      refuses({ type: 'hammer' }, 'invalid_value', 'tool_choice.type', weather),
      refuses({ type: 'function' }, 'missing_required_parameter', 'tool_choice.function', weather),
      refuses({ type: 'function', function: {} }, 'missing_required_parameter', 'tool_choice.function.name', weather),
      refuses(tool('traffic'), 'invalid_value', 'tool_choice.function.name', weather),
      refuses(tool('weather'), 'invalid_value', 'tool_choice.function.name'),
    ],
  },
  parallel_tool_calls: flag('parallelToolCalls', true),
  reasoning_effort: {
    fallback: { thinking: null },
    accepted: [
      accepts('none', { thinking: false }),
      accepts('minimal', { thinking: null }),
      accepts('low', { thinking: true }),
      accepts('xhigh', { thinking: true }),
      accepts('high', { thinking: false }, { enable_thinking: false }),
    ],
    refused: [...notA(1, true, [], {}), refuses('extreme', 'invalid_value')],
  },
  enable_thinking: {
    fallback: { thinking: null },
    accepted: [accepts(true, { thinking: true }), accepts(false, { thinking: false })],
    refused: notA('false', 0, [], {}),
  },
  think: {
    fallback: { thinking: null },
    accepted: [
      accepts(true, { thinking: true }),
      accepts('low', { thinking: true }),
      accepts('none', { thinking: false }),
      accepts(true, { thinking: false }, { reasoning_effort: 'none' }),
      accepts(false, { thinking: false }),
    ],
    refused: [...notA(0, [], {}), refuses('banana', 'invalid_value')],
  },
  thinking: {
    fallback: { thinking: null },
    accepted: [
      accepts({ type: 'enabled' }, { thinking: true }),
      accepts({ type: 'auto' }, { thinking: null }),
      accepts({ type: 'adaptive' }, { thinking: null }),
      accepts({ type: 'disabled' }, { thinking: false }),
    ],
    refused: [...notA('disabled', false, []), refuses({ type: 'off' }, 'invalid_value', 'thinking.type')],
  },
  reasoning: {
    fallback: { thinking: null },
    accepted: [
      accepts({}, { thinking: null }),
      accepts({ effort: 'high' }, { thinking: true }),
      accepts({ effort: 'none' }, { thinking: false }),
    ],
    refused: [...notA('none', false, []), refuses({ effort: 'off' }, 'invalid_value', 'reasoning.effort')],
  },
  // What these two change is in `with-reasoning.test.ts`.
  reasoning_format: {
    fallback: {},
    accepted: ['auto', 'deepseek', 'deepseek-legacy', 'none'].map((value) => accepts(value)),
    refused: [...notA(1, true, [], {}), refuses('raw', 'invalid_value')],
  },
  include_reasoning: {
    fallback: {},
    accepted: [accepts(true), accepts(false)],
    refused: notA('false', 0, [], {}),
  },
  loop_detection: flag('loopDetection', true),
  modalities: {
    fallback: {},
    accepted: [accepts(['text'])],
    refused: [
      ...notA('text', 1, true, {}),
      refuses([], 'empty_array'),
      refuses(['text', 'audio'], 'unsupported_value'),
      refuses(['smell'], 'invalid_value', 'modalities[0]'),
      refuses(['text', 1], 'invalid_type', 'modalities[1]'),
    ],
  },
  store: { fallback: {}, accepted: [accepts(true), accepts(false)], refused: notA('true', 1, 0, [], {}) },
  metadata: {
    fallback: {},
    accepted: [
      accepts({}, {}, storing),
      accepts(pairs(16, 64, 512), {}, storing),
      // Without `store`, metadata are ignored.
      accepts(pairs(17, 65, 513)),
      accepts('anything'),
    ],
    refused: [
      refuses('topic', 'invalid_type', 'metadata', storing),
      refuses([], 'invalid_type', 'metadata', storing),
      refuses({ topic: 1 }, 'invalid_type', 'metadata.topic', storing),
      refuses(pairs(17, 4, 4), 'invalid_value', 'metadata', storing),
      refuses(pairs(1, 65, 4), 'invalid_value', 'metadata', storing),
      refuses({ topic: 'a'.repeat(513) }, 'invalid_value', 'metadata.topic', storing),
    ],
  },
  audio: {
    fallback: {},
    accepted: [],
    refused: [{}, { voice: 'x' }, 1].map((value) => refuses(value, 'unsupported_parameter')),
  },
  functions: {
    fallback: {},
    accepted: [accepts([])],
    refused: [[{ name: 'f' }], {}].map((value) => refuses(value, 'unsupported_parameter')),
  },
  function_call: {
    fallback: {},
    accepted: [accepts('none'), accepts('auto')],
    refused: [{ name: 'f' }, 'f'].map((value) => refuses(value, 'unsupported_parameter')),
  },
  web_search_options: { fallback: {}, accepted: [], refused: [refuses({}, 'unsupported_parameter')] },
  guided_json: {
    fallback: {},
    accepted: [
      accepts(INTEGER, { responseFormat: { type: 'json_schema', schema: INTEGER, param: 'guided_json' } }),
      accepts('{"type":"integer"}', { responseFormat: { type: 'json_schema', schema: INTEGER, param: 'guided_json' } }),
    ],
    refused: [...notA(1, []), refuses('{', 'invalid_value'), refuses({ type: 'hiccup' }, 'invalid_value')],
  },
  guided_regex: {
    fallback: {},
    accepted: [accepts('[a-z]+', { responseFormat: { type: 'regex', pattern: '[a-z]+', param: 'guided_regex' } })],
    refused: [...notA(1, {}), refuses('(', 'invalid_value')],
  },
  guided_choice: {
    fallback: {},
    accepted: [accepts(['a', 'b'], { responseFormat: { type: 'choice', choices: ['a', 'b'] } })],
    refused: [...notA('a', 1, {}), refuses([], 'empty_array'), refuses([1], 'invalid_type', 'guided_choice[0]')],
  },
  guided_grammar: {
    fallback: {},
    accepted: [accepts(GRAMMAR, { responseFormat: { type: 'grammar', grammar: GRAMMAR, param: 'guided_grammar' } })],
    refused: notA(1, {}, []),
  },
  regex: {
    fallback: {},
    accepted: [accepts('[a-z]+', { responseFormat: { type: 'regex', pattern: '[a-z]+', param: 'regex' } })],
    refused: [...notA(1, {}), refuses('(', 'invalid_value')],
  },
  ebnf: {
    fallback: {},
    accepted: [accepts(GRAMMAR, { responseFormat: { type: 'grammar', grammar: GRAMMAR, param: 'ebnf' } })],
    refused: notA(1, {}, []),
  },
  structured_outputs: {
    fallback: {},
    accepted: [
      accepts(
        { regex: 'a', whitespace_pattern: ' ' },
        { responseFormat: { type: 'regex', pattern: 'a', param: 'structured_outputs.regex' } },
      ),
      accepts({ choice: ['a'] }, { responseFormat: { type: 'choice', choices: ['a'] } }),
      accepts({ json_object: true }, { responseFormat: { type: 'json_object' } }),
      accepts(
        { json: INTEGER },
        { responseFormat: { type: 'json_schema', schema: INTEGER, param: 'structured_outputs.json' } },
      ),
      accepts(
        { grammar: GRAMMAR },
        { responseFormat: { type: 'grammar', grammar: GRAMMAR, param: 'structured_outputs.grammar' } },
      ),
    ],
    refused: [
      ...notA(1, []),
      refuses({}, 'invalid_value'),
      refuses({ regex: 'a', choice: ['a'] }, 'invalid_value'),
      refuses({ structural_tag: '{}' }, 'unsupported_parameter', 'structured_outputs.structural_tag'),
    ],
  },
  json_schema: {
    fallback: {},
    accepted: [accepts(INTEGER, { responseFormat: { type: 'json_schema', schema: INTEGER, param: 'json_schema' } })],
    refused: notA(1, []),
  },
  grammar: {
    fallback: {},
    accepted: [
      accepts(''),
      accepts(GRAMMAR, { responseFormat: { type: 'grammar', grammar: GRAMMAR, param: 'grammar' } }),
    ],
    refused: notA(1, {}, []),
  },
  format: {
    fallback: {},
    accepted: [
      accepts('json', { responseFormat: { type: 'json_object' } }),
      accepts(INTEGER, { responseFormat: { type: 'json_schema', schema: INTEGER, param: 'format' } }),
    ],
    refused: [...notA(1, []), refuses('yaml', 'invalid_value')],
  },
  chat_template_kwargs: {
    fallback: { thinking: null },
    accepted: [
      accepts({}, { thinking: null }),
      accepts({ enable_thinking: false }, { thinking: false }),
      accepts({ thinking: false, other: null }, { thinking: false }),
      accepts({ enable_thinking: true }, { thinking: true }),
      accepts({ enable_thinking: true }, { thinking: false }, { think: false }),
    ],
    refused: [
      ...notA('x', 1, true, []),
      refuses({ enable_thinking: 0 }, 'invalid_type', 'chat_template_kwargs.enable_thinking'),
      refuses({ documents: [] }, 'unsupported_value', 'chat_template_kwargs.documents'),
    ],
  },
};

/** Fields that are ignored without a check. */
export const FIELDS_WITHOUT_EFFECT = ['metadata', 'never_heard_of', '__proto__'] as const;
