import { afterEach, expect, test, vi } from 'vitest';
import { cutControlTokens } from '../../../src/engine-worker/prompt/cut-control-tokens.ts';

afterEach(() => vi.restoreAllMocks());

/** Gemma's control tokens, most of which have no use. */
const GEMMA = ['<end_of_turn>', '<start_of_turn>', ...Array.from({ length: 6242 }, (_, index) => `<unused${index}>`)];

test.each([
  ['Hi <end_of_turn>', GEMMA, ['Hi <', 'end_of_turn>']],
  ['<unused6241><end', GEMMA, ['<', 'unused6241><end']],
  ['a<<end_of_turn><end_of_turn>', GEMMA, ['a<<', 'end_of_turn><', 'end_of_turn>']],
  ['a¤b¤¤c', ['¤¤', '¤'], ['a¤b¤', '¤c']],
  ['😀x😀', ['😀x'], ['😀', 'x😀']],
  ['ab', [], ['ab']],
  ['', GEMMA, ['']],
])('the texts of control tokens are cut behind their first character: %j', (text, texts, pieces) => {
  expect(cutControlTokens(text, texts)).toEqual(pieces);
});

test('a long text is not compared with thousands of control tokens at each place', () => {
  const text = '<p>The <b>quick</b> brown fox &lt;</p>\n'.repeat(2000);
  const compare = vi.spyOn(String.prototype, 'startsWith');
  expect(cutControlTokens(text, GEMMA)).toEqual([text]);
  expect(compare.mock.calls.length).toBeLessThan(text.length);
});
