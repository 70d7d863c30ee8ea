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
