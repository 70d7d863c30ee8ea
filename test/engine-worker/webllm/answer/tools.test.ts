import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tool, ToolChoice } from '../../../../src/shared/engine/completion-request.ts';
import { ToolCallParser } from '../../../../src/engine-worker/answer/tool-call-parser.ts';
import { toolCallText } from '../../../../src/engine-worker/tools/tool-syntax.ts';
import { anyAllowed } from '../support/any-allowed.ts';
import { ask, loadedEngine, type Choice } from '../support/test-engine.ts';

const weather: Tool = {
  name: 'weather',
  description: 'Tells the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string', maxLength: 5 } }, required: ['city'] },
};
const clock: Tool = { name: 'clock', description: null, parameters: null };
const tools = [weather, clock];
const ROME = toolCallText('weather', '{"city": "Rome"}');
const OSLO = toolCallText('weather', '{"city": "Oslo"}');
const CLOCK = toolCallText('clock', '{}');
/** Splits a text into pieces of at most five characters, as tokens are. No piece extends beyond the end of a tag. */
const inPieces = (text: string) => text.split(/(?<=>)/).flatMap((part) => part.match(/.{1,5}/gs) ?? []);

function shown({ content, toolCalls, reason }: Choice) {
  return { content, calls: toolCalls.map((call) => [call.name, JSON.parse(call.arguments) as unknown]), reason };
}

test.each<[string, ToolChoice, boolean, string, { content: string; calls: unknown[]; reason: string }]>([
  ['text', 'auto', true, 'It rains.', { content: 'It rains.', calls: [], reason: 'stop' }],
  ['a call', 'auto', true, ROME, { content: '', calls: [['weather', { city: 'Rome' }]], reason: 'tool_calls' }],
  [
    'text, then a call',
    'auto',
    true,
    `Let me see.\n\n${ROME}`,
    { content: 'Let me see.', calls: [['weather', { city: 'Rome' }]], reason: 'tool_calls' },
  ],
  [
    'two calls',
    'auto',
    true,
    `${ROME}\n${CLOCK}\n`,
    {
      content: '',
      calls: [
        ['weather', { city: 'Rome' }],
        ['clock', {}],
      ],
      reason: 'tool_calls',
    },
  ],
  [
    'two calls where one is allowed',
    'auto',
    false,
    `${ROME}\n${CLOCK}`,
    { content: '', calls: [['weather', { city: 'Rome' }]], reason: 'tool_calls' },
  ],
  [
    'text after a call',
    'auto',
    true,
    `${ROME} and so on ${CLOCK}`,
    { content: '', calls: [['weather', { city: 'Rome' }]], reason: 'tool_calls' },
  ],
  [
    'the same call again',
    'auto',
    true,
    `${ROME}\n${ROME}\n${OSLO}`,
    { content: '', calls: [['weather', { city: 'Rome' }]], reason: 'tool_calls' },
  ],
  [
    'an incomplete call',
    'auto',
    true,
    'a <tool_cal b <tool',
    { content: 'a <tool_cal b <tool', calls: [], reason: 'stop' },
  ],
  [
    'two calls, required',
    'required',
    true,
    `${OSLO}\n${ROME}`,
    {
      content: '',
      calls: [
        ['weather', { city: 'Oslo' }],
        ['weather', { city: 'Rome' }],
      ],
      reason: 'tool_calls',
    },
  ],
  ['a named function', { name: 'clock' }, true, CLOCK, { content: '', calls: [['clock', {}]], reason: 'tool_calls' }],
])('%s (%j, parallel %j)', async (_name, toolChoice, parallelToolCalls, text, expected) => {
  const { engine } = await loadedEngine({ replies: [inPieces(text), ['next']] });
  const { choices } = await ask(engine, { tools, toolChoice, parallelToolCalls });
  expect(shown(choices[0] as Choice)).toEqual(expected);
  expect((await ask(engine, 'again')).choices[0]).toMatchObject({ content: 'next', toolCalls: [] });
});

test('a call is streamed in pieces: first its id and name, then its arguments', async () => {
  const { engine } = await loadedEngine({ replies: [inPieces(`${ROME}\n${CLOCK}`)] });
  const { events } = await ask(engine, { tools });
  const deltas = events.flatMap((event) => (event.type === 'delta' ? (event.toolCalls ?? []) : []));
  expect(deltas[0]).toEqual({
    index: 0,
    id: expect.stringMatching(/^call_[A-Za-z0-9]{24,}$/),
    name: 'weather',
    arguments: '',
  });
  const ofFirst = deltas.filter(({ index }) => index === 0).slice(1);
  expect(ofFirst.length).toBeGreaterThan(1);
  for (const delta of ofFirst) expect(Object.keys(delta)).toEqual(['index', 'arguments']);
  expect(ofFirst.map((delta) => delta.arguments).join('')).toBe('{"city": "Rome"}');
  const ids = deltas.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(2);
});

test('ids are never reused', async () => {
  const { engine } = await loadedEngine({ replies: [inPieces(CLOCK)] });
  const answers = [await ask(engine, { tools, choices: 2 }), await ask(engine, { tools })];
  const ids = answers.flatMap(({ choices }) => choices.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)));
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
});

test('an answer whose call is cut by the token limit ends with the partial call', async () => {
  const text = `Well. ${ROME}\n${OSLO}`;
  const { engine } = await loadedEngine({ replies: [inPieces(text)] });
  const told: string[][] = [];
  for (let maxTokens = 1; ; maxTokens++) {
    const [choice] = (await ask(engine, { tools, maxTokens })).choices;
    if (choice?.reason !== 'length') break;
    expect('Well. ').toContain(choice?.content);
    const calls = choice?.toolCalls.map(({ name, arguments: args }) => `${name} ${args}`) ?? [];
    const whole = ['weather {"city": "Rome"}', 'weather {"city": "Oslo"}'];
    for (const [index, call] of calls.entries()) expect(whole[index]).toContain(call);
    expect(calls.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, calls.length - 1)));
    told.push(calls);
  }
  const lengths = told.map((calls) => calls.join('').length);
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
  expect(new Set(lengths).size).toBeGreaterThan(5);
});

test('a call is streamed while it is written, and a repeated one never', () => {
  const parser = new ToolCallParser({ tools, most: Number.POSITIVE_INFINITY });
  const told = (text: string) =>
    parser.push({ text, logprobs: [] }).toolCalls.map(({ index, name, arguments: args }) => [index, name, args]);
  expect(told('<tool_call>\n{"name": "weather", "argum')).toEqual([]);
  expect(told('ents": {"ci')).toEqual([
    [0, 'weather', ''],
    [0, undefined, '{"ci'],
  ]);
  expect(told('ty": "Oslo"}')).toEqual([[0, undefined, 'ty": "Oslo"}']]);
  expect(told('}\n</tool_call>')).toEqual([]);
  expect(told('\n<tool_call>\n{"name": "weather", "arguments": {"city": "O')).toEqual([]);
  expect(told('rk')).toEqual([
    [1, 'weather', ''],
    [1, undefined, '{"city": "O'],
    [1, undefined, 'rk'],
  ]);
  expect(told('"}}\n</tool_call>')).toEqual([[1, undefined, '"}']]);
  expect(told(`\n${ROME}`).map(([index]) => index)).toEqual([2, 2]);
  expect(parser.over).toBe(false);
  expect(told(`\n${OSLO}`)).toEqual([]);
  expect(parser.over).toBe(true);
});

test('the functions are appended to the system message of the request', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']] });
  await ask(engine, {
    tools,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
  });
  const prompt = runs[0]?.prompt ?? '';
  expect(prompt).toMatch(/^«<\|system\|>»Be brief\.\n\n# Tools\n/);
  expect(prompt).toContain(JSON.stringify({ type: 'function', function: weather }));
  expect(prompt).toContain('"name":"clock"');
});

test("the template's own system message is kept beside the tools", async () => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']], template: { system_message: 'Be kind.' } });
  await ask(engine, { tools });
  expect(runs[0]?.prompt).toMatch(/^«<\|system\|>»Be kind\.\n\n# Tools\n/);
});

test('tool_choice none removes the tools from prompt and answer', async () => {
  const { engine, runs } = await loadedEngine({ replies: [inPieces(CLOCK)] });
  const { choices } = await ask(engine, { tools, toolChoice: 'none' });
  expect(runs[0]?.prompt).not.toContain('clock');
  expect(choices[0]).toMatchObject({ content: CLOCK, toolCalls: [], reason: 'stop' });
});

test.each<[ToolChoice, boolean]>([
  ['required', true],
  ['required', false],
  [{ name: 'weather' }, true],
  ['auto', true],
  ['auto', false],
])('nonsense output is constrained to valid calls (%j, parallel %j)', async (toolChoice, parallelToolCalls) => {
  for (const seed of [1, 2]) {
    const { engine } = await loadedEngine({ sampler: anyAllowed(seed, '<tool_call>') });
    const { choices } = await ask(engine, { tools, toolChoice, parallelToolCalls, maxTokens: 1500 });
    const { toolCalls, content, reason } = choices[0] as Choice;
    expect(reason).toBe('tool_calls');
    expect(content).toBe('');
    expect(toolCalls.length).toBeGreaterThan(0);
    expect(toolCalls.length).toBeLessThanOrEqual(parallelToolCalls ? Number.POSITIVE_INFINITY : 1);
    for (const call of toolCalls) {
      expect(typeof toolChoice === 'object' ? [toolChoice.name] : ['weather', 'clock']).toContain(call.name);
      const args = JSON.parse(call.arguments) as Record<string, unknown>;
      expect(Object.keys(args)).toEqual(call.name === 'weather' ? ['city'] : []);
    }
  }
});

test.each([
  ['a call', CLOCK, { content: '', calls: [['clock', {}]], reason: 'tool_calls' }],
  ['an answer', '{"ok": true}', { content: '{"ok": true}', calls: [], reason: 'stop' }],
])('with a JSON format the model may choose between a call and JSON: %s', async (_name, text, expected) => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  const { engine } = await loadedEngine({ replies: [inPieces(text)] });
  const { choices } = await ask(engine, { tools, responseFormat: { type: 'json_schema', schema }, maxTokens: 70 });
  expect(shown(choices[0] as Choice)).toEqual(expected);
});

test('with a JSON format nonsense output is constrained to a call or that JSON', async () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  for (const seed of [1, 2, 3]) {
    const { engine } = await loadedEngine({ sampler: anyAllowed(seed, 'It rains.') });
    const { choices } = await ask(engine, { tools, responseFormat: { type: 'json_schema', schema }, maxTokens: 1500 });
    const { content, toolCalls, reason } = choices[0] as Choice;
    const said =
      reason === 'tool_calls' ? toolCalls.map(({ name }) => name) : Object.keys(JSON.parse(content) as object);
    expect([['weather'], ['clock'], ['ok']]).toContainEqual(said);
  }
});

test.each(['a"b', 'ä\\n', 'x</tool_call>y'])('a function may be named %j', async (name) => {
  const text = toolCallText(name, '{}');
  const { engine } = await loadedEngine({ replies: [inPieces(text)] });
  const { choices } = await ask(engine, { tools: [{ name, description: null, parameters: null }] });
  expect(shown(choices[0] as Choice).calls).toEqual([[name, {}]]);
});

test('parameters of a strict tool that are not a schema are refused, and the engine stays usable', async () => {
  const { engine } = await loadedEngine({ replies: [['ok']] });
  const parameters = { type: 'object', properties: { city: { type: 'hiccup' } }, required: ['city'] };
  const broken = { ...weather, parameters, strict: true } as const;
  await expect(ask(engine, { tools: [broken] })).rejects.toMatchObject({ code: 'invalid_value', param: 'tools' });
  expect((await ask(engine, { tools })).choices[0]?.content).toBe('ok');
});

const part = fc.constantFrom(
  'Hi ',
  '\n',
  ROME,
  OSLO,
  CLOCK,
  '<tool_call>',
  '</tool_call>',
  '<',
  '{"a": "}"}',
  toolCallText('w', '{"a": ["}\\"]", {"b": "</tool_call>"}]}'),
);

test('property: text and calls are the same however the text is split', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (parts, sizes) => {
      const whole = parts.join('');
      const pieces: string[] = [];
      for (
        let rest = whole, size = sizes.next().value as number;
        rest !== '';
        rest = rest.slice(size), size = sizes.next().value as number
      ) {
        pieces.push(rest.slice(0, size));
      }
      expect(parse(pieces)).toEqual(parse([whole]));
    }),
  );
});

function parse(pieces: readonly string[]) {
  const parser = new ToolCallParser({ tools: [...tools, { ...clock, name: 'w' }], most: Number.POSITIVE_INFINITY });
  const outputs = [
    ...pieces.map((text) => parser.push({ text, logprobs: [] })),
    { content: parser.end(false), toolCalls: [] },
  ];
  const calls: { name: string; arguments: string }[] = [];
  for (const { index, name, arguments: args } of outputs.flatMap(({ toolCalls }) => toolCalls)) {
    if (name !== undefined) calls[index] = { name, arguments: args };
    else if (calls[index]) calls[index].arguments += args;
  }
  return { content: outputs.flatMap(({ content }) => content.map(({ text }) => text)).join(''), calls };
}
