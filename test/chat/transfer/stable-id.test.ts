import { expect, test } from 'vitest';
import { stableId } from '../../../src/chat/transfer/stable-id.ts';

test('a hundred thousand similar texts have ids of their own, each always the same', () => {
  const ids = new Set<string>();
  for (let number = 0; number < 100_000; number += 1) ids.add(stableId(`chat ${number}`));
  expect(ids.size).toBe(100_000);
  expect(stableId('chat 5')).toBe(stableId('chat 5'));
  expect([...ids].every((id) => /^[\da-f]{32}$/.test(id))).toBe(true);
});

test.each([
  ['', ' '],
  ['a', 'a\0'],
  ['ab', 'ba'],
  ['x'.repeat(1000), 'x'.repeat(1001)],
  ['\ud800', '\ud801'],
  [`${'x'.repeat(1000)}a`, `${'x'.repeat(1000)}b`],
])('texts that differ little have ids that differ much', (one, other) => {
  const [first, second] = [stableId(one), stableId(other)];
  const same = [...first].filter((digit, at) => digit === second[at]).length;
  expect(same).toBeLessThan(12);
});
