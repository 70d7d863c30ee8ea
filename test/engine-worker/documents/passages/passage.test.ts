import { expect, test } from 'vitest';
import { estimateTokens } from '../../../../src/engine-worker/documents/passages/estimate-tokens.ts';
import { DEFAULT_LIMITS } from '../../../../src/engine-worker/documents/passages/passage.ts';
import { splitPassages } from '../../../../src/engine-worker/documents/passages/split-passages.ts';

test.each([
  ['', 0],
  [' \n\u3000', 0],
  ['four', 1],
  ['fives', 2],
  ['a b', 2],
  ['don’t!', 4],
  ['Häuser', 2],
  ['2026-11-28', 5],
  ['東京', 2],
  ['😀', 2],
])('%j is estimated to have %d tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test('by default a passage has at most about 200 English words', () => {
  const text = 'The endpoint answers each request on the device itself, so no word of it leaves the page. '.repeat(40);
  const [first] = splitPassages(text, DEFAULT_LIMITS);
  const words = text.slice(first!.start, first!.end).split(' ').length;
  expect(words).toBeGreaterThan(160);
  expect(words).toBeLessThan(220);
});
