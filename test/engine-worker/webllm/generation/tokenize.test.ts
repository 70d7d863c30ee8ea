import { expect, test } from 'vitest';
import type { TokenizeInput } from '../../../../src/shared/engine/tokenization.ts';
import { ask, loadedEngine, requestOf } from '../support/test-engine.ts';

const text = (content: string, options: Partial<TokenizeInput> = {}): TokenizeInput =>
  ({ type: 'text', text: content, prefix: false, markers: true, ...options }) as TokenizeInput;
const START = { template: { system_prefix_token_ids: [261] } };

test.each<[string, TokenizeInput, number[], string]>([
  ['a text', text('Hé'), [72, 0xc3, 0xa9], 'Hé'],
  ['nothing', text(''), [], ''],
  ['a text after the prefix', text('H', { prefix: true }), [261, 72], '<s>H'],
  ['a control marker', text('<|end|>'), [256], '<|end|>'],
  ['a control marker that is plain text', text('<s>', { markers: false }), [60, 115, 62], '<s>'],
])('%s', async (_name, input, tokens, shown) => {
  const { engine } = await loadedEngine({ replies: [['ok']], ...START });
  expect(await engine.tokenize(input)).toEqual(tokens);
  expect(engine.detokenize(tokens)).toBe(shown);
});

test.each([{}, START, { template: { system_prefix_token_ids: [65] } }])(
  'a conversation is tokenized as it is prefilled (%j)',
  async (options) => {
    const { engine, runs, tokenizer } = await loadedEngine({ replies: [['ok']], ...options });
    const request = requestOf('Hi <|end|>');
    const { usage } = await ask(engine, request);
    const tokens = await engine.tokenize({ type: 'conversation', request, reply: true });
    expect(tokens).toHaveLength(usage.promptTokens);
    expect(tokenizer.show(tokens)).toBe(runs[0]?.prompt);
    const without = await engine.tokenize({ type: 'conversation', request, reply: false });
    expect(`${tokenizer.show(without)}«<|assistant|>»`).toBe(runs[0]?.prompt);
  },
);

test('an unknown token has no text', async () => {
  const { engine, entry } = await loadedEngine({ replies: [['ok']] });
  expect(() => engine.detokenize([entry.vocabularySize])).toThrow(/has the tokens 0 to \d+, but \d+ was given/);
});
