import { expect, test } from 'vitest';
import { calculate } from '../../../src/chat/tools/calculate.ts';

test.each([
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['2^3^2', 512],
  ['-2^2', -4],
  ['2^-1', 0.5],
  ['2 ** 10', 1024],
  ['7 − 10 ÷ 4 × 2', 2],
  ['0.1 + 0.2', 0.3],
  ['.5 + 1.e3', 1000.5],
  ['10 % 4', 2],
  ['15% * 80', 12],
  ['50%', 0.5],
  ['--3', 3],
  ['sqrt(2)^2', 2],
  ['max(1, 2 + 3, 4) - min(7, 8)', -2],
  ['round(2 * PI)', 6],
  ['log(1000) + ln(e)', 4],
  ['1234567 * 7654321', 9449772114007],
  ['1234 times 77', 95018],
  ['3 x (4 · 5)', 60],
  ['9 divided by 2 Plus 1 minus 0.5', 5],
  ['2 to the power of 3 multiplied by 50 percent', 4],
])('%s is %d', (expression, value) => {
  expect(calculate(expression)).toBeCloseTo(value, 9);
});

test.each([
  '',
  '1 +',
  '1 2',
  '(1',
  '1)',
  'sqrt 4',
  'sqrt(1, 2)',
  '1 / 0',
  'sqrt(-1)',
  'alert(1)',
  'constructor',
  '__proto__',
  'toString(1)',
  '1; 2',
  '2a',
  'times 3',
  'x',
  '(((('.repeat(400),
])('%s is refused with words', (expression) => {
  expect(() => calculate(expression)).toThrow(/\w+ \w+/);
});

test.each([
  ['1\0', '"\\u0000" cannot stand at place 2.'],
  ['2 $ 3', '"$" cannot stand at place 3.'],
  ['😀', '"😀" cannot stand at place 1.'],
])('the character at fault in %j is named whole and visibly', (expression, words) => {
  expect(() => calculate(expression)).toThrow(words);
});
