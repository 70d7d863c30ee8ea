import { expect, test } from 'vitest';
import { faultOf } from './fault-of.ts';

test.each([
  ['\n', 'empty'],
  ['Sure!<|assistant|>', 'marker'],
  ['<tool_call>\n{"name": "a"}', 'marker'],
  ['Qwen writes `<tool_call>` then.', null],
  ['varied land '.repeat(200), 'loop'],
  ['Paris.', null],
] as const)('the answer %j has the expected fault: %s', (answer, fault) => {
  expect(faultOf(answer, false)).toBe(fault);
});

test('a loop that the endpoint has ended is not a fault', () => {
  expect(faultOf('varied land '.repeat(200), true)).toBeNull();
});
