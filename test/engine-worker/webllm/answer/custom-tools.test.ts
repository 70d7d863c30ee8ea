import { expect, test } from 'vitest';
import type { Tool, ToolChoice } from '../../../../src/shared/engine/completion-request.ts';
import { ToolCallParser } from '../../../../src/engine-worker/answer/tool-call-parser.ts';
import { toolCallText } from '../../../../src/engine-worker/tools/tool-syntax.ts';
import { anyAllowed } from '../support/any-allowed.ts';
import { ask, loadedEngine } from '../support/test-engine.ts';

const run: Tool = { name: 'run', description: 'Runs code.', parameters: null, custom: { pattern: null } };
const dial: Tool = { name: 'dial', description: null, parameters: null, custom: { pattern: '[0-9]{3}-"[a-c]+"' } };
const clock: Tool = { name: 'clock', description: null, parameters: null };
const CODE = 'print("<hi> {")\n</tool_call\n\tend\\n';
const RUN = toolCallText('run', CODE, true);
const inPieces = (text: string) => text.match(/.{1,5}/gs) ?? [];

test.each<[ToolChoice, boolean]>([
  ['auto', true],
  ['auto', false],
  ['required', true],
  [{ name: 'run' }, false],
])(
  'the input of a custom tool is text as the model writes it (%j, parallel %j)',
  async (toolChoice, parallelToolCalls) => {
    const { engine } = await loadedEngine({ replies: [inPieces(RUN)] });
    const { choices, events } = await ask(engine, { tools: [clock, run], toolChoice, parallelToolCalls });
    expect(choices[0]).toMatchObject({
      content: '',
      reason: 'tool_calls',
      toolCalls: [{ name: 'run', arguments: CODE }],
    });
    const deltas = events.flatMap((event) => (event.type === 'delta' ? (event.toolCalls ?? []) : []));
    expect(deltas.length).toBeGreaterThan(3);
    for (const delta of deltas) expect(delta.custom).toBe(true);
  },
);

test('calls of functions and of custom tools can stand beside one another', async () => {
  const text = [RUN, toolCallText('clock', '{}'), toolCallText('run', '', true)].join('\n');
  const { engine } = await loadedEngine({ replies: [inPieces(text)] });
  const { choices } = await ask(engine, { tools: [clock, run] });
  expect(choices[0]?.toolCalls.map((call) => [call.name, call.arguments])).toEqual([
    ['run', CODE],
    ['clock', '{}'],
    ['run', ''],
  ]);
});

test.each([1, 2, 3])('nonsense output is constrained to the pattern of the input', async (seed) => {
  const { engine } = await loadedEngine({ sampler: anyAllowed(seed, '<tool_call>') });
  const { choices } = await ask(engine, {
    tools: [dial],
    toolChoice: 'required',
    parallelToolCalls: false,
    maxTokens: 500,
  });
  expect(choices[0]).toMatchObject({ content: '', reason: 'tool_calls' });
  expect(choices[0]?.toolCalls[0]?.arguments).toMatch(/^[0-9]{3}-"[a-c]+"$/);
});

test('custom tools are described to the model with their call syntax', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']] });
  const messages = [
    { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'run', arguments: CODE, custom: true }] },
    { role: 'tool', content: '42', toolCallId: 'call_1' },
  ] as const;
  await ask(engine, { tools: [run, dial], messages });
  await ask(engine, { tools: [clock] });
  const [prompt, without] = runs.map((run) => run.prompt);
  expect(prompt).toContain(
    '{"type":"custom","custom":{"name":"run","description":"Runs code.","format":{"type":"text"}}}',
  );
  expect(prompt).toContain('"definition":"[0-9]{3}-\\"[a-c]+\\""');
  expect(prompt).toContain('{"name": <tool-name>}\n<input-text>');
  expect(prompt).toContain(RUN);
  expect(without).not.toContain('custom');
});

test('an input is streamed as it is written, except what may be its end', () => {
  const parser = new ToolCallParser({ tools: [run], most: Number.POSITIVE_INFINITY });
  const told = (text: string) => parser.push({ text, logprobs: [] }).toolCalls.map((call) => call.arguments);
  expect(told('<tool_call>\n{"name": "run"}')).toEqual([]);
  expect(told('\nab\n</')).toEqual(['', 'ab']);
  expect(told('b>\n')).toEqual(['\n</b>']);
  expect(told('</tool_call>')).toEqual([]);
  expect(told('\n<tool_call>\n{"name": "run"}\nab')).toEqual([]);
  expect(told('\n</tool_call>')).toEqual(['', 'ab']);
  expect(parser.over).toBe(false);
  expect(told('\n<tool_call>\n{"name": "run"}\nab\n</tool_call>')).toEqual([]);
  expect(parser.over).toBe(true);
});
