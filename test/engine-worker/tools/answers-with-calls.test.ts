import { expect, test } from 'vitest';
import type { CompletionRequest, Tool } from '../../../src/shared/engine/completion-request.ts';
import { AnswerReader } from '../../../src/engine-worker/answer/answer-reader.ts';
import { ToolCallParser, toolCallParserOf } from '../../../src/engine-worker/answer/tool-call-parser.ts';
import { matchesGrammar } from '../../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import { requestGbnf, type AllowedThinking } from '../../../src/engine-worker/llama-cpp/request-gbnf.ts';
import { asFunction } from '../../../src/engine-worker/tools/call-syntax/as-function.ts';
import { callSyntaxOf } from '../../../src/engine-worker/tools/call-syntax/call-syntax-of.ts';
import { CALL_SYNTAXES } from '../../../src/engine-worker/tools/call-syntax/call-syntaxes.ts';
import { readGbnf } from '../../schema-proof/read-gbnf.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { WRITTEN_CALLS } from './written-calls.ts';

const tools: readonly Tool[] = [
  {
    name: 'w',
    description: null,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];
const PERSON = {
  type: 'json_schema',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
} as const;
const HERMES_CALL = '<tool_call>\n{"name": "w", "arguments": {"city": "Rome"}}\n</tool_call>';
const LLAMA_CALL = '{"name": "w", "parameters": {"city": "Rome"}}';
const LLAMA = callSyntaxOf(`<|start_header_id|>{{ '{"name": "' + name + '", "parameters": ' }}`);
const HERMES = callSyntaxOf('<tool_call>');

const request = (fields: Partial<CompletionRequest>): CompletionRequest => ({ ...completionRequest('Hi'), ...fields });

function read(text: string, fields: Partial<CompletionRequest>, syntax = HERMES) {
  const parser = toolCallParserOf(request({ tools, ...fields }), syntax)!;
  const outputs = [...text].map((character) => parser.push({ text: character, logprobs: [] }));
  const content = [...outputs.flatMap((output) => output.content), ...parser.end(false)];
  const calls = outputs.flatMap(({ toolCalls }) => toolCalls).map((call) => call.arguments);
  return { content: content.map((piece) => piece.text).join(''), input: calls.join('') };
}

test.each([
  ['in a name', `{"name": "a ${HERMES_CALL.replaceAll('"', "'")}"}`],
  ['alone in a name', '{"name": "<tool_call>"}'],
  ['with the beginning of a call in a name', '{"name": "<tool_call>\\n{\\"name\\": \\"w\\""}'],
  ['after white space', ' {"name": "<tool_call>"}'],
])('the mark of a call %s is a part of the answer that a schema asks for', (_where, text) => {
  expect(read(text, { responseFormat: PERSON })).toEqual({ content: text, input: '' });
});

test.each([
  ['GLM 4.7', '<tool_call>w<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>'],
  ['LFM2', "<|tool_call_start|>[w(city='Rome')]<|tool_call_end|>"],
  ['Gemma 4', '<|tool_call>call:w{city:<|\\"|>Rome<|\\"|>}<tool_call|>'],
])('a whole call of %s in a name is a part of that answer, too', (family, call) => {
  const { syntax } = CALL_SYNTAXES.find((one) => one.syntax.family === family)!;
  const text = `{"name": "${call}"}`;
  expect(JSON.parse(text)).toBeDefined();
  expect(read(text, { responseFormat: PERSON }, syntax)).toEqual({ content: text, input: '' });
});

test.each(CALL_SYNTAXES)(
  'a name that begins with another name is called in the syntax of $syntax.family',
  ({ syntax }) => {
    const named = ['ping', 'ping_all', 'p'].map((name) => ({ name, description: null, parameters: null }));
    const { written } = WRITTEN_CALLS.find(({ family }) => family === syntax.family)!;
    const text = written.replaceAll('weather', 'ping_all');
    const parser = new ToolCallParser({ tools: named, most: Infinity, syntax });
    const calls = [...text].flatMap((character) => parser.push({ text: character, logprobs: [] }).toolCalls);
    expect(calls.find(({ index }) => index === 0)?.name).toBe('ping_all');
  },
);

test('an answer may be a call although a schema asks for JSON', () => {
  expect(read(HERMES_CALL, { responseFormat: PERSON })).toEqual({ content: '', input: '{"city": "Rome"}' });
});

test.each([
  ['an unknown function', '<tool_call>\n{"name": "v", "arguments": {}}\n</tool_call>'],
  ['a sentence about calls', 'The mark <tool_call> begins a call.'],
  ['a mark at the end', 'The mark is <tool_call'],
])('%s is text, and is not lost', (_what, text) => {
  expect(read(text, {})).toEqual({ content: text, input: '' });
});

test.each([
  ['a call', LLAMA_CALL, { content: '', input: '{"city": "Rome"}' }],
  ['a call after a token', `<|python_tag|>${LLAMA_CALL}`, { content: '', input: '{"city": "Rome"}' }],
  ['JSON that is no call', '{"name": "Ann", "age": 3}', { content: '{"name": "Ann", "age": 3}', input: '' }],
  ['JSON of an unknown function', '{"name": "wo"}', { content: '{"name": "wo"}', input: '' }],
  ['text with a call in it', `So: ${LLAMA_CALL}`, { content: `So: ${LLAMA_CALL}`, input: '' }],
  ['one bracket', '{', { content: '{', input: '' }],
])('where a call has no mark, only a whole answer is a call: %s', (_what, text, expected) => {
  expect(read(text, {}, LLAMA)).toEqual(expected);
});

const THINKING = { open: '<think>', close: '</think>' };
const CLOSED: AllowedThinking = { ...THINKING, isOpen: false };
const OPEN: AllowedThinking = { ...THINKING, isOpen: true };
const JSON_ANSWER = '{"name": "Ann"}';
const THOUGHT = 'A <tool_call> or {"a": not?';

test.each<[string, Partial<CompletionRequest>, AllowedThinking | null, string, boolean]>([
  ['thinking before JSON', { responseFormat: PERSON }, CLOSED, `<think>${THOUGHT}</think>\n\n${JSON_ANSWER}`, true],
  [
    'thinking in a block that the prompt opens',
    { responseFormat: PERSON },
    OPEN,
    `${THOUGHT}</think>${JSON_ANSWER}`,
    true,
  ],
  ['JSON without thinking', { responseFormat: PERSON }, CLOSED, JSON_ANSWER, true],
  ['JSON in a block that is open', { responseFormat: PERSON }, OPEN, JSON_ANSWER, false],
  ['thinking that is not allowed', { responseFormat: PERSON }, null, `<think></think>${JSON_ANSWER}`, false],
  ['other JSON after thinking', { responseFormat: PERSON }, CLOSED, '<think>a</think>{"age": 3}', false],
  [
    'endless white space after thinking',
    { responseFormat: PERSON },
    CLOSED,
    `<think></think>${' '.repeat(9)}${JSON_ANSWER}`,
    false,
  ],
  ['thinking before a call', { tools }, CLOSED, `<think>${THOUGHT}</think>\n\n${HERMES_CALL}`, true],
  ['thinking in an open block before a call', { tools }, OPEN, `${THOUGHT}</think>\n${HERMES_CALL}`, true],
  ['thinking before text and a call', { tools }, CLOSED, `<think>${THOUGHT}</think>So:\n${HERMES_CALL}`, true],
  ['thinking twice', { tools }, CLOSED, `<think>a</think>b\n<think>${THOUGHT}</think>c`, true],
  ['a wrong call after thinking', { tools }, CLOSED, '<think>a</think><tool_call>\n{"name": "v"', false],
  [
    'a required call after thinking',
    { tools, toolChoice: 'required' },
    CLOSED,
    `<think>${THOUGHT}</think>${HERMES_CALL}`,
    true,
  ],
  ['text for a required call', { tools, toolChoice: 'required' }, CLOSED, '<think>a</think>b', false],
  [
    'thinking before JSON that might be a call',
    { tools, responseFormat: PERSON },
    OPEN,
    `a</think>${JSON_ANSWER}`,
    true,
  ],
  [
    'thinking before a call that might be JSON',
    { tools, responseFormat: PERSON },
    OPEN,
    `a</think>${HERMES_CALL}`,
    true,
  ],
  ['a call before JSON', { tools, responseFormat: PERSON }, CLOSED, HERMES_CALL + JSON_ANSWER, false],
])('the grammar judges %s', (_what, fields, thinking, answer, isAllowed) => {
  const gbnf = requestGbnf(request(fields), HERMES, thinking)!;
  expect(matchesGrammar(readGbnf(gbnf), answer)).toBe(isAllowed);
});

test.each([
  ['a call', LLAMA_CALL, true],
  ['a call after its token', `<|python_tag|>${LLAMA_CALL}`, true],
  ['text', 'It rains {"a": 1}.', true],
  ['other JSON', '{"city": "Rome"}', true],
  ['a call of another function', '{"name": "v", "parameters": {}}', false],
  ['two calls', LLAMA_CALL + LLAMA_CALL, false],
])('where a call is the whole answer, the grammar judges %s', (_what, answer, isAllowed) => {
  const grammar = readGbnf(requestGbnf(request({ tools }), LLAMA)!);
  expect(matchesGrammar(grammar, answer)).toBe(isAllowed);
});

test('free text needs no grammar, with thinking or without', () => {
  expect(requestGbnf(request({}), HERMES, CLOSED)).toBeNull();
  expect(requestGbnf(request({ tools, toolChoice: 'none' }), HERMES, OPEN)).toBeNull();
});

test.each(CALL_SYNTAXES)('an answer without tools ends before a call of $syntax.family', ({ syntax }) => {
  const call = WRITTEN_CALLS.find(({ family }) => family === syntax.family)!.written;
  const answer = `So:\n${call}`;
  const reader = new AnswerReader({ templateStops: [], stops: [], thinking: null, tools: null, syntax });
  const parts = [...answer].flatMap((text) => reader.push({ text, logprobs: [] }));
  const text = [...parts, ...reader.end(false)].flatMap((part) => (part.type === 'content' ? part.pieces : []));
  // What has no mark of its own may be an ordinary answer, such as JSON.
  const said = text.map((piece) => piece.text).join('');
  expect(said).toBe(syntax.isWholeAnswer ? answer : 'So:\n');
  expect(reader.calledNoTool).toBe(!syntax.isWholeAnswer);
});

test('templates get a custom tool as a function with one string', () => {
  const run = { name: 'run', description: 'Runs code.', parameters: null, custom: { pattern: 'a|b' } };
  const { custom, parameters, ...named } = asFunction(run);
  expect({ custom, ...named }).toEqual({ custom: undefined, name: 'run', description: 'Runs code.' });
  expect(parameters).toMatchObject({ properties: { input: { type: 'string', pattern: '^(?:a|b)$' } } });
  expect(asFunction(tools[0]!)).toBe(tools[0]);
});
