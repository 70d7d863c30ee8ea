import { expect, test, vi } from 'vitest';
import type { ChatMessage } from '../../../../src/shared/engine/completion-request.ts';
import { TOKENIZER_CACHE } from '../../../../src/engine-worker/webllm/extensions/tokenizer-cache.ts';
import { applyExtension } from '../support/apply-extension.ts';
import { ask, loadedEngine } from '../support/test-engine.ts';
import { TestTokenizer } from '../support/test-tokenizer.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });

async function newTokenizer() {
  const read: string[] = [];
  const tokenizer = {
    encode(text: string): ArrayLike<number> {
      read.push(text.slice(0, 3));
      return Array.from(text.slice(0, 3), (character) => character.charCodeAt(0));
    },
    decode: () => '',
  };
  await applyExtension({ tokenizer }, TOKENIZER_CACHE);
  return { tokenizer, read };
}

test('a repeated text is not tokenized again', async () => {
  const { tokenizer, read } = await newTokenizer();
  const all = ['one', 'two', 'one', '', 'two', ''].map((text) =>
    String.fromCharCode(...Array.from(tokenizer.encode(text))),
  );
  expect(all).toEqual(['one', 'two', 'one', '', 'two', '']);
  expect(read).toEqual(['one', 'two', '']);
});

test('the most recently used texts are kept', async () => {
  const { tokenizer, read } = await newTokenizer();
  for (const name of ['one', 'two', 'one', 'new', 'one', 'two']) tokenizer.encode(name.padEnd(2 ** 17, '.'));
  expect(read).toEqual(['one', 'two', 'new', 'two']);
});

test('a text that exceeds the whole cache evicts nothing', async () => {
  const { tokenizer, read } = await newTokenizer();
  const long = 'all'.padEnd(2 ** 18 + 1, '.');
  for (const text of ['one', long, 'one', long]) tokenizer.encode(text);
  expect(read).toEqual(['one', 'all', 'all']);
});

test('of a continued conversation only the new turns are tokenized', async () => {
  const encode = vi.spyOn(TestTokenizer.prototype, 'encode');
  const { engine } = await loadedEngine({ replies: [['Yes.']] });
  await ask(engine, { messages: [user('One?')] });
  encode.mockClear();
  await ask(engine, { messages: [user('One?'), { role: 'assistant', content: 'Yes.', toolCalls: [] }, user('Two?')] });
  expect(encode.mock.calls.flat()).toEqual(['<|assistant|>Yes.<|end|>', '<|user|>Two?<|end|>']);
});
