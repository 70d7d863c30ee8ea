import { expect, test } from 'vitest';
import { CALL_SYNTAXES } from '../../../src/engine-worker/tools/call-syntax/call-syntaxes.ts';
import { requestGbnf } from '../../../src/engine-worker/llama-cpp/request-gbnf.ts';
import type { Tool } from '../../../src/shared/engine/completion-request.ts';
import { Random } from '../../schema-proof/random.ts';
import { readGbnf } from '../../schema-proof/read-gbnf.ts';
import { GrammarSampler } from '../../schema-proof/sample-grammar.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { parseAnswer } from './parse-answer.ts';
import { proveCalls } from '../../schema-proof/prove-calls.ts';
import { TOOL_CASES } from './tool-cases.ts';

const SAMPLES = 300;

test.each(CALL_SYNTAXES)(
  'what the grammar of $syntax.family allows is parsed as arguments of the schema',
  ({ syntax }) => {
    // Where arguments are JSON, only what surrounds them differs between the families.
    const cases = TOOL_CASES.filter((_case, index) => syntax.notation !== undefined || index % 5 === 1);
    for (const [index, { kind, tool }] of cases.entries()) {
      const { violations } = proveCalls(tool, syntax, Math.ceil(SAMPLES / cases.length), index + 1);
      expect({ kind, violations }).toEqual({ kind, violations: [] });
    }
  },
);

const FORCED: Tool = {
  name: 'act',
  description: null,
  parameters: {
    type: 'object',
    properties: {
      city: { const: 'Rome' },
      days: { type: 'integer', minimum: 3, maximum: 3 },
      deep: {
        type: 'object',
        properties: { a: { type: 'array', items: { const: true }, minItems: 2, maxItems: 2 }, b: { type: 'null' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      empty: { type: 'array', maxItems: 0 },
    },
    required: ['city', 'days', 'deep', 'empty'],
    additionalProperties: false,
  },
};

test.each(CALL_SYNTAXES)('a call of $syntax.family has one spelling for the same arguments', ({ syntax }) => {
  const request = {
    ...completionRequest('Hi'),
    tools: [FORCED],
    toolChoice: 'required',
    parallelToolCalls: false,
  } as const;
  const sampler = new GrammarSampler(readGbnf(requestGbnf(request, syntax)!));
  const random = new Random(1);
  const written = Array.from({ length: 40 }, () => sampler.sample(random));
  const inputs = written.map((text) =>
    parseAnswer([text], { tools: [FORCED], syntax }).calls.map(({ input }) => input),
  );
  expect(new Set(inputs.map(String)).size).toBe(1);
  expect(JSON.parse(inputs[0]![0]!)).toEqual({ city: 'Rome', days: 3, deep: { a: [true, true], b: null }, empty: [] });
  // What is not part of the arguments, such as an id, may differ, but not the white space.
  expect(new Set(written.map((text) => text.replaceAll(/\S/g, ''))).size).toBe(1);
});
