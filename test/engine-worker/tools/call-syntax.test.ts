import { expect, test } from 'vitest';
import type { Tool } from '../../../src/shared/engine/completion-request.ts';
import { matchesGrammar } from '../../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import { requestGbnf } from '../../../src/engine-worker/llama-cpp/request-gbnf.ts';
import { CALL_SYNTAXES } from '../../../src/engine-worker/tools/call-syntax/call-syntaxes.ts';
import { readGbnf } from '../../schema-proof/read-gbnf.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { parseAnyhow } from './parse-answer.ts';
import { WRITTEN_CALLS } from './written-calls.ts';

const TOOLS: readonly Tool[] = [
  {
    name: 'weather',
    description: null,
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' }, deep: { $ref: '#/$defs/deep' } },
      required: ['city'],
      $defs: {
        deep: {
          type: 'object',
          properties: { a: { type: 'array', items: { type: ['integer', 'boolean', 'null'] } } },
        },
      },
    },
  },
  { name: 'ping', description: null, parameters: null },
];
const ARGUMENTS = { city: 'Rome "A"', days: 3, deep: { a: [1, true, null] } };

const syntaxOf = (family: string) => CALL_SYNTAXES.find(({ syntax }) => syntax.family === family)!.syntax;

test('each syntax of the table has an example', () => {
  const families = CALL_SYNTAXES.map(({ syntax }) => syntax.family);
  expect(WRITTEN_CALLS.map(({ family }) => family).toSorted()).toEqual(families.toSorted());
});

test.each(WRITTEN_CALLS)(
  'calls as the template of $family writes them are parsed, however they are cut',
  ({ family, written }) => {
    const syntax = syntaxOf(family);
    const before = syntax.isWholeAnswer ? '' : 'Let me see.';
    const results = parseAnyhow(before + written, { tools: TOOLS, syntax });
    expect(results).toHaveLength(1);
    const { content, calls } = results[0]!;
    expect(content).toBe(before);
    const called = calls.map(({ name, input }) => [name, JSON.parse(input) as unknown]);
    const expected = [['weather', ARGUMENTS], ...(syntax.separator === null ? [] : [['ping', {}]])];
    expect(called).toEqual(expected);
  },
);

test.each(WRITTEN_CALLS)('the grammar allows calls as the template of $family writes them', ({ family, written }) => {
  const syntax = syntaxOf(family);
  const gbnf = requestGbnf({ ...completionRequest('Hi'), tools: TOOLS }, syntax)!;
  // A missing value is null for the parser, and the grammar lets the model write it.
  expect(matchesGrammar(readGbnf(gbnf), written.replace('true,]', 'true,null]'))).toBe(true);
});

/** Arguments of {@link TOOLS}' first tool in each notation, and whether the grammar allows them. */
const JUDGED: readonly (readonly [family: string, written: string, isAllowed: boolean])[] = [
  ['LFM2', 'city="Rome", deep={}', true],
  ['LFM2', "city='Rome'", true],
  ['LFM2', 'days=3', false],
  ['LFM2', 'days=3, city="Rome"', false],
  ['LFM2', 'city="Rome", days="3"', false],
  ['LFM2', 'city="Rome", wind=1', false],
  ['LFM2', 'city="Rome", ', false],
  ['Gemma 4', '{city:<|"|>Rome<|"|>,deep:{}}', true],
  ['Gemma 4', '{city:<|"|>Rome<|"|>}', true],
  ['Gemma 4', '{days:3}', false],
  ['Gemma 4', '{city:Rome}', false],
  ['Gemma 4', '{city:<|"|>Rome<|"|>,days:<|"|>3<|"|>}', false],
  ['Gemma 4', '{city:<|"|>Rome<|"|>,deep:{a:[true,2]}}', true],
  ['GLM 4.7', '<arg_key>city</arg_key><arg_value>Rome</arg_value>', true],
  [
    'GLM 4.7',
    '<arg_key>city</arg_key><arg_value>A <b> & "c"</arg_value><arg_key>deep</arg_key><arg_value>{}</arg_value>',
    true,
  ],
  ['GLM 4.7', '<arg_key>days</arg_key><arg_value>3</arg_value>', false],
  ['GLM 4.7', '<arg_key>city</arg_key><arg_value>a</arg_value>b</arg_value>', false],
  ['Gemma 4', '{city:<|"|>a<|"|>b<|"|>}', false],
  ['LFM2', "city='a'b'", false],
  [
    'GLM 4.7',
    '<arg_key>city</arg_key><arg_value>Rome</arg_value><arg_key>days</arg_key><arg_value>three</arg_value>',
    false,
  ],
];

test.each(JUDGED)('the grammar of %s judges the arguments %s', (family, written, isAllowed) => {
  const syntax = syntaxOf(family);
  const [tool] = TOOLS;
  const request = { ...completionRequest('Hi'), tools: [tool!], toolChoice: 'required' } as const;
  const around = { LFM2: ['<|tool_call_start|>[weather(', ')]<|tool_call_end|>'] }[family];
  const [before, after] = around ?? [`${syntax.before.join('')}weather`, syntax.end.join('')];
  const grammar = readGbnf(requestGbnf(request, syntax)!);
  expect(matchesGrammar(grammar, before + written + after)).toBe(isAllowed);
});
