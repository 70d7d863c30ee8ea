import { expect, test } from 'vitest';
import { compilePattern } from '../../../src/engine-worker/grammar/json-schema/compile-pattern.ts';
import {
  choice,
  repeat,
  rule,
  sequence,
  text,
  type Expression,
} from '../../../src/engine-worker/grammar/expressions/grammar.ts';
import { printGbnf } from '../../../src/engine-worker/grammar/expressions/print-gbnf.ts';

const printed: Record<string, readonly [Expression, string]> = {
  'a text with characters that are special in GBNF': [
    text('a "\\[\n]é漢😀'),
    String.raw`"a \x22\x5c\x5b\x0a\x5d\xe9\u6f22\U0001f600"`,
  ],
  'a set of characters': [
    {
      kind: 'set',
      set: [
        [0, 0x1f],
        [0x5d, 0x5d],
        [0xe000, 0x10_ff_ff],
      ],
    },
    String.raw`[\x00-\x1f\x5d\ue000-\U0010ffff]`,
  ],
  'options within a sequence': [sequence(rule('a_b'), choice(text('x'), text(''))), 'r-a-b ("x" | "")'],
  'zero or more': [repeat(text('x'), 0, Infinity), '("x")*'],
  'one or more': [repeat(text('x'), 1, Infinity), '("x")+'],
  'at most one': [repeat(text('x'), 0, 1), '("x")?'],
  'two to five': [repeat(text('x'), 2, 5), '("x"){2,5}'],
  'two or more': [repeat(text('x'), 2, Infinity), '("x"){2,}'],
  'a reference to the root': [sequence(text('('), rule('start'), text(')')), String.raw`"\x28" root "\x29"`],
};

for (const [what, [expression, expected]] of Object.entries(printed)) {
  test(`${what} is printed for llama.cpp`, () => {
    expect(printGbnf({ root: 'start', rules: new Map([['start', expression]]) })).toBe(`root ::= ${expected}\n`);
  });
}

test('each rule of a compiled pattern is printed on a line of its own', () => {
  const lines = printGbnf(compilePattern('a+b')).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/^[a-zA-Z\d-]+ ::= ./);
  expect(lines.some((line) => line.startsWith('root ::='))).toBe(true);
});
