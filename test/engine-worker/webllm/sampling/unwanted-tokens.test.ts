import { expect, test } from 'vitest';
import { unwantedTokens, type AddedToken } from '../../../../src/engine-worker/answer/unwanted-tokens.ts';
import type { CompletionRequest } from '../../../../src/shared/engine/completion-request.ts';
import { ask, loadedEngine, type TestEngineOptions } from '../support/test-engine.ts';

const TOOLS: CompletionRequest['tools'] = [{ name: 'search', description: null, parameters: null }];

/** Returns the bias that WebLLM receives for these tokens; null for a token without one. */
async function biasOf(request: Partial<CompletionRequest>, texts: readonly string[], options: TestEngineOptions = {}) {
  const { engine, runs, tokenizer } = await loadedEngine({ replies: [['ok']], ...options });
  await ask(engine, request);
  const bias = runs[0]?.config['logit_bias'] as Record<string, number> | null;
  return texts.map((text) => bias?.[tokenizer.id(text)] ?? null);
}

test('a control token cannot be sampled, the end-of-turn token can', async () => {
  expect(await biasOf({}, ['<|assistant|>', '<|user|>', '<s>', '<|end|>', 'a'])).toEqual([
    -100,
    -100,
    -100,
    null,
    null,
  ]);
});

test("a request's bias for a control token has no effect; one for another token is kept", async () => {
  const { engine, runs, tokenizer } = await loadedEngine({ replies: [['ok']] });
  const marker = tokenizer.id('<|assistant|>');
  await ask(engine, { logitBias: { [marker]: 100, 65: 3 } });
  expect(runs[0]?.config['logit_bias']).toMatchObject({ [marker]: -100, 65: 3 });
});

test('a raw completion may contain control tokens', async () => {
  const raw = { prompts: ['Once'], suffix: null, echo: false };
  expect(await biasOf({ messages: [], raw }, ['<|assistant|>'])).toEqual([null]);
});

test('a stop sequence of the template ends the answer, even if it is not a stop token', async () => {
  const { engine } = await loadedEngine({
    replies: [['Yes', '<|user|>', 'and more']],
    template: { seps: ['<|end|>', '<|user|>'] },
  });
  expect((await ask(engine, 'Hello')).choices[0]).toMatchObject({ content: 'Yes', reason: 'stop' });
});

test('with a grammar control tokens cannot be sampled either', async () => {
  expect(
    await biasOf({ responseFormat: { type: 'json_object' } }, ['<|assistant|>'], { replies: [['{', '}']] }),
  ).toEqual([-100]);
});

const QWEN: readonly AddedToken[] = [
  { id: 1, text: '<|im_start|>', special: true },
  { id: 2, text: '<|im_end|>', special: true },
  { id: 3, text: '<tool_call>', special: false },
  { id: 4, text: '</tool_call>', special: false },
  { id: 5, text: '<think>', special: false },
  { id: 6, text: '<|vision_start|>', special: true },
];

test.each<[string, readonly AddedToken[], boolean, readonly number[]]>([
  ['without tools, call markers are banned', QWEN, false, [1, 3, 4, 6]],
  ['with tools, call markers are allowed', QWEN, true, [1, 6]],
  [
    'thinking markers are allowed, even if they are control tokens',
    [
      { id: 7, text: '<|channel|>', special: true },
      { id: 8, text: '[THINK]', special: true },
      { id: 9, text: '<|START_THINKING|>', special: true },
    ],
    false,
    [],
  ],
  ['runs of white space are allowed', [{ id: 7, text: '    ', special: false }], false, []],
  [
    'a call marker counts as one even if it is a control token',
    [{ id: 7, text: '[TOOL_CALLS]', special: true }],
    false,
    [7],
  ],
])('%s', (_name, added, mayCall, expected) => {
  expect(unwantedTokens(added, mayCall, ({ text }) => text === '<|im_end|>')).toEqual(expected);
});

test.each<[string, Partial<CompletionRequest>, number | null]>([
  ['no tools', {}, -100],
  ['tools that must not be called', { tools: TOOLS, toolChoice: 'none' }, -100],
  ['tools', { tools: TOOLS }, null],
])('with %s the token that begins a call is allowed or banned', async (_name, request, expected) => {
  expect(await biasOf(request, ['<tool_call>'], { added: ['<tool_call>'] })).toEqual([expected]);
});
