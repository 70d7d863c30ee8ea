import { expect, test } from 'vitest';
import { expandRepeats } from '../../src/pocket/build/expand-template.ts';

test('a template repeats lines with the index in place of the name', () => {
  expect(expandRepeats('// repeat r 2\nlet row_{r} = {r};\n// end', {})).toBe('let row_0 = 0;\nlet row_1 = 1;');
});

test('repeats may be nested; constants may be their counts, and be added to their indices', () => {
  const template = '// repeat t TILE\n  // repeat r 2\n{t}.{r}.{r+HALF}\n  // end\n// end';
  expect(expandRepeats(template, { TILE: 2, HALF: 4 })).toBe('0.0.4\n0.1.5\n1.0.4\n1.1.5');
});

test('other braces and lines of a template stay unchanged', () => {
  expect(expandRepeats('fn main() { return; }', {})).toBe('fn main() { return; }');
});

test('the error for an invalid template names the mistake', () => {
  expect(() => expandRepeats('// repeat r 2\nno end', {})).toThrow('has no end');
  expect(() => expandRepeats('// repeat r ROWS\n// end', {})).toThrow('unknown constant ROWS');
});
