import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ThinkingSplitter } from '../../../../src/engine-worker/answer/thinking-splitter.ts';
import { toolCallText } from '../../../../src/engine-worker/tools/tool-syntax.ts';
import type { CompletionRequest } from '../../../../src/shared/engine/completion-request.ts';
import { anyAllowed } from '../support/any-allowed.ts';
import { ask, loadedEngine } from '../support/test-engine.ts';

const THINKING = { open: '<think>', close: '</think>' };
const entry = { thinking: THINKING };
const U = '«<|user|>»';
const HEAD = '«<|end|>»«<|assistant|>»';

test.each<[string, readonly string[], string, string]>([
  ['thinking and an answer', ['<think>', '\nHm', '.\n', '</think>', '\n\n', 'Yes', '.\n'], 'Hm.', 'Yes.\n'],
  ['markers over several tokens', ['<', 'th', 'ink>Hm', '</thi', 'nk>Yes'], 'Hm', 'Yes'],
  ['an empty thinking block', ['<think>\n\n</think>\n\n', 'Yes'], '', 'Yes'],
  ['no thought', ['Yes ', '<b>', ' <'], '', 'Yes <b> <'],
  ['white space first, without thinking', [' ', '\n', 'Yes'], '', ' \nYes'],
  ['a marker within a line', ['Use `', '<think>', '` tags', '.'], '', 'Use `<think>` tags.'],
  ['two thoughts', ['<think>a</think>b\n<think>c</think>\nd'], 'ac', 'b\nd'],
  ['thinking that never ends', ['<think>', 'a', ' </thin'], 'a </thin', ''],
  ['only thinking', ['<think>a</think>\n'], 'a', ''],
])('%s', async (_name, tokens, reasoning, content) => {
  const { engine } = await loadedEngine({ replies: [tokens], entry });
  const { choices } = await ask(engine, 'x');
  expect(choices[0]).toMatchObject({ reasoning, content, reason: 'stop' });
  expect(choices[0]?.pieces).not.toContain('');
});

test('a model without thinking markers may write them', async () => {
  const { engine } = await loadedEngine({ replies: [['<think>a</think>b']] });
  expect((await ask(engine, 'x')).choices[0]).toMatchObject({ reasoning: '', content: '<think>a</think>b' });
});

test('the token limit includes thinking, and thinking tokens are counted', async () => {
  const { engine } = await loadedEngine({ replies: [['<think>', 'a', 'b', '</think>', 'c', 'd']], entry });
  const { choices, usage } = await ask(engine, { maxTokens: 5 });
  expect(choices[0]).toMatchObject({ reasoning: 'ab', content: 'c', reason: 'length' });
  expect(usage).toMatchObject({ completionTokens: 5, reasoningTokens: 3 });
});

test('stop sequences apply to the answer and not to the thinking', async () => {
  const { engine } = await loadedEngine({ replies: [['<think>', 'one. two', '</think>', 'three', '. four']], entry });
  expect((await ask(engine, { stop: ['.'] })).choices[0]).toMatchObject({ reasoning: 'one. two', content: 'three' });
});

test('with thinking off, the prompt ends with an empty thinking block that is neither sent nor counted', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['Yes', '!']], entry });
  const { choices, usage } = await ask(engine, { thinking: false, maxTokens: 2 });
  expect(runs[0]?.prompt).toBe(`${U}Hello${HEAD}<think>\n\n</think>\n\n`);
  expect(choices[0]).toMatchObject({ reasoning: '', content: 'Yes!', reason: 'length' });
  expect(usage).toMatchObject({ completionTokens: 2, reasoningTokens: 0 });
});

test('a marker after the given beginning of an answer is text', async () => {
  const { engine } = await loadedEngine({ replies: [['<think>', ' begins a thought']], entry });
  const { choices } = await ask(engine, { answerPrefix: 'The tag ' });
  expect(choices[0]).toMatchObject({ reasoning: '', content: '<think> begins a thought' });
});

test('a template that opens the thinking block itself is supported', async () => {
  const template = { role_empty_sep: '<think>\n' };
  const { engine, runs } = await loadedEngine({ replies: [['Hm', '</think>', 'Yes']], entry, template });
  expect((await ask(engine, 'x')).choices[0]).toMatchObject({ reasoning: 'Hm', content: 'Yes' });
  await ask(engine, { thinking: false });
  expect(runs.map(({ prompt }) => prompt)).toEqual([
    `${U}x${HEAD}<think>\n`,
    `${U}Hello${HEAD}<think>\n\n</think>\n\n`,
  ]);
});

const TOOLS = [{ name: 'clock', description: null, parameters: null }];
const CALL = toolCallText('clock', '{}');
const THOUGHT = 'Is it <tool_call> or {"a": 1}?';

test.each<[string, Partial<CompletionRequest>, answer: string, content: string, calls: readonly string[]]>([
  ['JSON', { responseFormat: { type: 'json_object' } }, '{}', '{}', []],
  ['text where tools are offered', { tools: TOOLS }, 'Noon.', 'Noon.', []],
  ['a call', { tools: TOOLS }, CALL, '', ['clock']],
  ['text and a call', { tools: TOOLS }, `So:\n${CALL}`, 'So:', ['clock']],
  ['a required call', { tools: TOOLS, toolChoice: 'required' }, CALL, '', ['clock']],
  ['a call in place of JSON', { tools: TOOLS, responseFormat: { type: 'json_object' } }, CALL, '', ['clock']],
])('a thinking model thinks before %s', async (_what, request, answer, content, calls) => {
  const prompts = [
    { template: {}, written: `<think>${THOUGHT}</think>\n\n${answer}` },
    { template: { role_empty_sep: '<think>\n' }, written: `${THOUGHT}</think>\n\n${answer}` },
  ];
  for (const { template, written } of prompts) {
    const { engine, runs } = await loadedEngine({ replies: [[...written]], entry, template });
    const { choices } = await ask(engine, request);
    expect(choices[0]).toMatchObject({ reasoning: THOUGHT, content });
    expect(choices[0]?.toolCalls.map(({ name }) => name)).toEqual(calls);
    expect(runs[0]?.prompt).not.toContain('</think>');
  }
});

test('nonsense of a thinking model ends in an answer of the schema', async () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  const { engine } = await loadedEngine({ sampler: anyAllowed(1, '<think>a</think>\n\nb'), entry });
  const { choices } = await ask(engine, { responseFormat: { type: 'json_schema', schema }, maxTokens: 500 });
  expect(choices[0]).toMatchObject({ reasoning: 'a', content: expect.stringMatching(/^\{\s*"ok"/) });
});

test('with thinking off, a grammar applies from the first token', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['{', '}']], entry });
  const { choices } = await ask(engine, { responseFormat: { type: 'json_object' }, thinking: false });
  expect(runs[0]?.prompt).toContain('<think>\n\n</think>');
  expect(choices[0]?.content).toBe('{}');
});

test('property: thinking and answer are the same however the text is split', () => {
  const text = fc
    .array(fc.constantFrom('<think>', '</think>', '<', 'th', 'a', ' ', '\n', '`', '```\n', '🙂'), { maxLength: 20 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 5 })), fc.boolean(), (whole, sizes, open) => {
      expect(split(cut(whole, sizes), open)).toEqual(split([whole], open));
    }),
  );
});

function split(pieces: readonly string[], open: boolean) {
  const splitter = new ThinkingSplitter(THINKING, { open });
  const thoughts = [...pieces.flatMap((text) => [...splitter.push({ text, logprobs: [] })]), ...splitter.end()];
  const channel = (name: string) =>
    thoughts
      .filter((thought) => thought.channel === name)
      .flatMap((thought) => thought.pieces.map((piece) => piece.text))
      .join('');
  return { reasoning: channel('reasoning'), content: channel('content') };
}

function cut(text: string, sizes: Iterable<number>): string[] {
  const pieces: string[] = [];
  let rest = text;
  for (const size of sizes) {
    if (rest === '') break;
    pieces.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return pieces;
}
