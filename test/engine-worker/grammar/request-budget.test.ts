import { expect, test } from 'vitest';
import { compileSchema } from '../../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { withBudget } from '../../../src/engine-worker/grammar/regular-language/step-budget.ts';
import { boundArguments, checkGrammars } from '../../../src/engine-worker/grammar/request-grammar.ts';
import type { CompletionRequest, Tool } from '../../../src/shared/engine/completion-request.ts';
import { REQUEST_DEFAULTS } from '../../../src/shared/engine/request-defaults.ts';

/** Returns a tool with a parameter whose pattern and length need more than a thousand states. */
function toolOf(number: number, strict: boolean): Tool {
  const name = { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', maxLength: 500 + number };
  const parameters = { type: 'object', properties: { name, count: { type: 'integer' } } };
  return { name: `tool_${number}`, description: null, parameters, ...(strict ? { strict } : {}) };
}

function requestOf(tools: readonly Tool[]): CompletionRequest {
  return { ...REQUEST_DEFAULTS, model: 'a', messages: [], tools };
}

function toolsOf(count: number, strict: boolean): readonly Tool[] {
  return Array.from({ length: count }, (_, number) => toolOf(number, strict));
}

test('without strict, patterns that exceed the budget of a request are left to the check of the complete call', () => {
  const tools = toolsOf(40, false);
  checkGrammars(requestOf(tools));
  const left = tools.map((tool) => boundArguments(tool).left);
  expect(left[0]).toEqual([]);
  expect(left.at(-1)).toEqual(['/properties/name/pattern']);
  expect(boundArguments(tools.at(-1)!).schema).toMatchObject({ properties: { count: { type: 'integer' } } });
});

test('with strict, the pattern that exceeds the budget of a request is named, each time', () => {
  const fault = expect.objectContaining({
    code: 'invalid_value',
    message: expect.stringMatching(
      /"tool_\d+" in `tools` cannot be followed: "\/properties\/name\/pattern" is too complex/,
    ),
  });
  expect(() => checkGrammars(requestOf(toolsOf(40, true)))).toThrow(fault);
  expect(() => checkGrammars(requestOf(toolsOf(40, true)))).toThrow(fault);
  expect(() => checkGrammars(requestOf(toolsOf(2, true)))).not.toThrow();
});

test('a format for which a budget has no steps left is refused by name', () => {
  const schema = { type: 'string', format: 'idn-email' };
  expect(() => withBudget(0, () => compileSchema(schema))).toThrow(expect.objectContaining({ path: '/format' }));
});
