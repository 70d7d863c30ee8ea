import { expect, test } from 'vitest';
import type { Tool } from '../../src/shared/completion-request.ts';
import { readError } from './read-error.ts';
import { createTestApp, GOOD_BODY } from './test-app.ts';

const tool = (described: unknown, type: unknown = 'function'): object => ({ type, function: described });
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const ACCEPTED: readonly (readonly [tool: object, becomes: Tool])[] = [
  [tool({ name: 'f' }), { name: 'f', description: null, parameters: null }],
  [
    tool({ name: 'f', description: null, parameters: null, strict: null }),
    { name: 'f', description: null, parameters: null },
  ],
  [
    tool({ name: 'get_Weather-2', description: 'It rains.', parameters: PARAMETERS, strict: true, extra: 1 }),
    { name: 'get_Weather-2', description: 'It rains.', parameters: PARAMETERS },
  ],
  [tool({ name: 'f', parameters: {} }), { name: 'f', description: null, parameters: {} }],
];

test.each(ACCEPTED)('accepts %j', async (given, becomes) => {
  const request = await createTestApp().received({ tools: [given, tool({ name: 'other' })] });
  expect(request.tools[0]).toEqual(becomes);
  expect(request.tools).toHaveLength(2);
});

test.each([
  ['hammer', 'invalid_type', ''],
  [{}, 'missing_required_parameter', '.type'],
  [tool({ name: 'f' }, 1), 'invalid_type', '.type'],
  [tool({ name: 'f' }, 'hammer'), 'invalid_value', '.type'],
  [{ type: 'custom', custom: { name: 'f' } }, 'unsupported_value', '.type'],
  [{ type: 'function' }, 'missing_required_parameter', '.function'],
  [tool('f'), 'invalid_type', '.function'],
  [tool({}), 'missing_required_parameter', '.function.name'],
  [tool({ name: 1 }), 'invalid_type', '.function.name'],
  [tool({ name: 'two words' }), 'invalid_value', '.function.name'],
  [tool({ name: 'n'.repeat(65) }), 'invalid_value', '.function.name'],
  [tool({ name: 'f', description: 1 }), 'invalid_type', '.function.description'],
  [tool({ name: 'f', strict: 1 }), 'invalid_type', '.function.strict'],
  [tool({ name: 'f', parameters: true }), 'invalid_type', '.function.parameters'],
  [tool({ name: 'f', parameters: [] }), 'invalid_type', '.function.parameters'],
  [tool({ name: 'f', parameters: { type: 'string' } }), 'invalid_value', '.function.parameters'],
  [tool({ name: 'f', parameters: { properties: { a: { type: 'hiccup' } } } }), 'invalid_value', '.function.parameters'],
])('refuses %j', async (given, code, path) => {
  const app = createTestApp();
  const error = await readError(await app.chat({ ...GOOD_BODY, tools: [tool({ name: 'good' }), given] }));
  expect(error).toMatchObject({ status: 400, code, param: `tools[1]${path}` });
  expect(app.service.completions).toEqual([]);
});

test('a system message stays in force together with tools, and so do earlier calls', async () => {
  const request = await createTestApp().received({
    tools: [tool({ name: 'f' })],
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '42' },
    ],
  });
  expect(request.messages).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'f', arguments: '{}' }] },
    { role: 'tool', toolCallId: 'call_1', content: '42' },
  ]);
});
