import { expect, test } from 'vitest';
import { DECLINE } from '../../../../src/shared/models/built-in-models.ts';
import type { CompletionRequest } from '../../../../src/shared/engine/completion-request.ts';
import { ask, loadedEngine } from '../support/test-engine.ts';

const CALL = [...'<tool_call>\n{"name": "send_mail", "arguments": {}}\n</tool_call>'];
const DECLINING = { decline: DECLINE };

test.each<[string, readonly string[], string]>([
  ['a call after a text ends the answer before it', ['Sure', '.', '\n', ...CALL], 'Sure.\n'],
  ['an indented call also ends the answer', ['Sure.\n', '  ', ...CALL], 'Sure.\n  '],
  ['the marker within a line is text', ['Qwen writes `', ...CALL.slice(0, 11), '`.'], 'Qwen writes `<tool_call>`.'],
  ['a call in a block of code is text', ['```\n', ...CALL, '\n```\nDone.'], `\`\`\`\n${CALL.join('')}\n\`\`\`\nDone.`],
  ['a call after a block of code ends the answer', ['```\na\n```\n', ...CALL], '```\na\n```\n'],
  ['a partial marker is text', ['<', 'tool', 's', '>'], '<tools>'],
  ['a partial marker at the end of the answer is text', ['a\n<tool'], 'a\n<tool'],
])('%s', async (_name, reply, expected) => {
  const { engine, runs } = await loadedEngine({ replies: [reply] });
  expect((await ask(engine, 'Hello')).choices[0]).toMatchObject({ content: expected, reason: 'stop', toolCalls: [] });
  expect(runs).toHaveLength(1);
});

test('an answer that is only a call is generated again without the marker, and counts once', async () => {
  const { engine, runs } = await loadedEngine({ replies: [CALL, [...'No.']] });
  const { choices, usage } = await ask(engine, 'Send mail to Bob');
  expect(choices.map(({ content, reason }) => [content, reason])).toEqual([['No.', 'stop']]);
  expect(usage).toMatchObject({ completionTokens: 4, cachedTokens: 0 });
  expect(runs[1]?.config['response_format']).toMatchObject({ type: 'grammar' });
});

test.each<[string, readonly string[], string, number]>([
  ['only a call is generated again', [], 'Nothing here ', 2],
  ['a call after a text has this text', ['Sure.', '\n'], 'Sure.\n', 1],
])('an answer that the limit of tokens cuts in %s, and tells that it was cut', async (_name, text, expected, count) => {
  const { engine, runs } = await loadedEngine({ replies: [[...text, ...CALL], [...'Nothing here is sent']] });
  const { choices } = await ask(engine, { ...request('Send mail to Bob'), maxTokens: 13 });
  expect(choices[0]).toMatchObject({ content: expected, reason: 'length', toolCalls: [] });
  expect(runs).toHaveLength(count);
});

test('a raw completion may contain a call', async () => {
  const { engine } = await loadedEngine({ replies: [CALL] });
  const raw = { prompts: ['Once'], suffix: null, echo: false };
  expect((await ask(engine, { messages: [], raw })).choices[0]?.content).toBe(CALL.join(''));
});

test('an empty answer of a model stays empty', async () => {
  const { engine, runs } = await loadedEngine({ replies: [[], ['a']] });
  expect((await ask(engine, 'Hello')).choices[0]).toMatchObject({ content: '', reason: 'stop' });
  expect(runs).toHaveLength(1);
});

test.each<[string, readonly string[]]>([
  ['nothing', []],
  ['white space', ['\n', ' ']],
  ['only a call', CALL],
])('if a model that was trained to decline writes %s, it declines with its own sentence', async (_name, reply) => {
  const { engine } = await loadedEngine({ replies: [reply, [...DECLINE]], entry: DECLINING });
  const { choices } = await ask(engine, { ...request('remind me to buy milk'), choices: 1 });
  expect(choices[0]?.content.trimStart()).toBe(DECLINE);
});

test.each<[string, Partial<CompletionRequest>]>([
  ['a limit of tokens', { maxTokens: 1 }],
  ['a stop sequence', { stop: ['a'] }],
])('its answer that is empty because of %s stays empty', async (_name, options) => {
  const { engine, runs } = await loadedEngine({ replies: [[' ', 'a'], [...DECLINE]], entry: DECLINING });
  await ask(engine, { ...request('Hello'), ...options });
  expect(runs).toHaveLength(1);
});

function request(content: string): Partial<CompletionRequest> {
  return { messages: [{ role: 'user', content }] };
}
