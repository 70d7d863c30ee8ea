import { expect, test } from 'vitest';
import { expandRepeats } from '../../src/pocket/build/expand-template.ts';

test('repeats lines with the index in place of the name', () => {
  expect(expandRepeats('// repeat r 2\nlet row_{r} = {r};\n// end', {})).toBe('let row_0 = 0;\nlet row_1 = 1;');
});

test('nests, takes counts from constants and adds constants', () => {
  const template = '// repeat t TILE\n  // repeat r 2\n{t}.{r}.{r+HALF}\n  // end\n// end';
  expect(expandRepeats(template, { TILE: 2, HALF: 4 })).toBe('0.0.4\n0.1.5\n1.0.4\n1.1.5');
});

test('leaves other braces and lines alone', () => {
  expect(expandRepeats('fn main() { return; }', {})).toBe('fn main() { return; }');
});

test('names the mistake in a template', () => {
  expect(() => expandRepeats('// repeat r 2\nno end', {})).toThrow('has no end');
  expect(() => expandRepeats('// repeat r ROWS\n// end', {})).toThrow('unknown constant ROWS');
});
