import { expect, test } from 'vitest';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { Tool } from '../../../src/shared/engine/completion-request.ts';
import { findServerError } from '../support/find-server-error.ts';
import { expectPublishedForm } from '../support/published-schemas.ts';
import { readError } from '../support/read-error.ts';
import { readEventStream } from '../support/read-event-stream.ts';
import { expectForm } from '../support/reply-schemas.ts';
import { answerIn } from '../support/scripted-service.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const CALL_ID = 'call_0123456789abcdefghijklmn';
const tool = (described: unknown, type: unknown = 'function'): object => ({ type, function: described });
const custom = (described: unknown): object => ({ type: 'custom', custom: described });
const regex = (definition: string): object => ({ type: 'grammar', grammar: { syntax: 'regex', definition } });
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const ACCEPTED: readonly (readonly [tool: object, becomes: Tool])[] = [
  [tool({ name: 'f' }), { name: 'f', description: null, parameters: null }],
  [
    tool({ name: 'f', description: null, parameters: null, strict: null }),
    { name: 'f', description: null, parameters: null },
  ],
  [
    tool({ name: 'get_Weather-2', description: 'It rains.', parameters: PARAMETERS, strict: true, extra: 1 }),
    { name: 'get_Weather-2', description: 'It rains.', parameters: PARAMETERS, strict: true },
  ],
  [tool({ name: 'f', parameters: {} }), { name: 'f', description: null, parameters: {} }],
  [custom({ name: 'f' }), { name: 'f', description: null, parameters: null, custom: { pattern: null } }],
  [
    custom({ name: 'f', description: 'Runs.', format: { type: 'text' } }),
    { name: 'f', description: 'Runs.', parameters: null, custom: { pattern: null } },
  ],
  [
    custom({ name: 'f', format: regex('[a-z]+\\n"') }),
    { name: 'f', description: null, parameters: null, custom: { pattern: '[a-z]+\\n"' } },
  ],
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
  [{ type: 'custom' }, 'missing_required_parameter', '.custom'],
  [custom({ name: 'two words' }), 'invalid_value', '.custom.name'],
  [custom({ name: 'f', format: 'text' }), 'invalid_type', '.custom.format'],
  [custom({ name: 'f', format: { type: 'json' } }), 'invalid_value', '.custom.format.type'],
  [custom({ name: 'f', format: { type: 'grammar' } }), 'missing_required_parameter', '.custom.format.syntax'],
  [
    custom({ name: 'f', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } } }),
    'unsupported_value',
    '.custom.format.grammar.syntax',
  ],
  [custom({ name: 'f', format: regex('(?<=a)') }), 'invalid_value', '.custom.format.grammar.definition'],
  [custom({ name: 'f', format: regex('(') }), 'invalid_value', '.custom.format.grammar.definition'],
  [custom({ name: 'f', format: regex('((a{1,99}){1,99}){1,99}') }), 'invalid_value', null],
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
  [
    tool({ name: 'f', strict: true, parameters: { properties: { a: { type: 'hiccup' } } } }),
    'invalid_value',
    '.function.parameters',
  ],
])('refuses %j', async (given, code, path) => {
  const app = createTestApp();
  const error = await readError(await app.chat({ ...GOOD_BODY, tools: [tool({ name: 'good' }), given] }));
  expect(error).toMatchObject({ status: 400, code, param: path === null ? 'tools' : `tools[1]${path}` });
  expect(app.service.completions).toEqual([]);
});

test('a system message and earlier calls are kept together with tools', async () => {
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

const SAID: readonly CompletionEvent[] = [
  { type: 'delta', choice: 0, toolCalls: [{ index: 0, id: CALL_ID, name: 'run', arguments: '', custom: true }] },
  { type: 'delta', choice: 0, toolCalls: [{ index: 0, arguments: 'print("', custom: true }] },
  { type: 'delta', choice: 0, toolCalls: [{ index: 0, arguments: 'hi")', custom: true }] },
  { type: 'finish', choice: 0, reason: 'tool_calls' },
  ...answerIn().slice(-1),
];

test('a call of a custom tool has its own form, in JSON and in a stream', async () => {
  const app = createTestApp();
  app.service.play(SAID);
  const tools = [custom({ name: 'run' })];
  const whole = (await (await app.chat({ ...GOOD_BODY, tools })).json()) as {
    choices: { message: { tool_calls: unknown } }[];
  };
  expectForm('completion', whole);
  const call = { id: CALL_ID, type: 'custom', custom: { name: 'run', input: 'print("hi")' } };
  expect(whole.choices[0]!.message).toMatchObject({ content: null, tool_calls: [call] });
  expectPublishedForm('ChatCompletionMessageToolCalls', whole.choices[0]!.message.tool_calls);
  const { chunks } = await readEventStream(await app.chat({ ...GOOD_BODY, tools, stream: true }));
  for (const chunk of chunks) expectForm('chunk', chunk);
  expect(chunks.flatMap(({ choices }) => choices[0]!.delta['tool_calls'] ?? [])).toEqual([
    { index: 0, id: CALL_ID, type: 'custom', custom: { name: 'run', input: '' } },
    { index: 0, custom: { input: 'print("' } },
    { index: 0, custom: { input: 'hi")' } },
  ]);
});

test('a custom tool can be chosen, alone or among those that are allowed, and its calls come back in the history', async () => {
  const app = createTestApp();
  const tools = [tool({ name: 'f' }), custom({ name: 'run' })];
  const chosen = { type: 'custom', custom: { name: 'run' } };
  expect(await app.received({ tools, tool_choice: chosen })).toMatchObject({ toolChoice: { name: 'run' } });
  const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [chosen] } };
  const { tools: offered } = await app.received({ tools, tool_choice: allowed });
  expect(offered.map(({ name }) => name)).toEqual(['run']);
  const call = { id: 'call_1', type: 'custom', custom: { name: 'run', input: '' } };
  const messages = [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: '42' },
  ];
  expect((await app.received({ tools, messages })).messages[0]).toEqual({
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'call_1', name: 'run', arguments: '', custom: true }],
  });
  const broken = [{ ...messages[0], tool_calls: [{ ...call, custom: { name: 'run' } }] }];
  expect(await readError(await app.chat({ ...GOOD_BODY, messages: broken }))).toMatchObject({
    code: 'missing_required_parameter',
    param: 'messages[0].tool_calls[0].custom.input',
  });
});

test('malformed tools get a 4xx or a 200, never a 5xx', async () => {
  const app = createTestApp();
  const names = ['name', 'description', 'format', 'type', 'grammar', 'syntax', 'definition'];
  const failing = await findServerError(names, (fields) =>
    app.chat({
      ...GOOD_BODY,
      tools: [
        { type: 'custom', custom: { name: 'f', ...fields } },
        custom({ name: 'g', format: { type: 'grammar', syntax: 'regex', ...fields } }),
      ],
    }),
  );
  expect(failing).toBeNull();
}, 300_000);
