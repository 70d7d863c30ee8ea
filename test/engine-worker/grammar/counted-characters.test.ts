import { expect, test } from 'vitest';
import { printEbnf } from '../../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compileSchema } from '../../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { compileEbnf } from '../../schema-proof/xgrammar.ts';

const LENGTHS = [
  0, 1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 66, 100, 255, 256, 257, 271, 272, 500, 512, 4095, 4096, 4097,
];

test.each([
  [0, 0],
  [0, 1],
  [0, 15],
  [0, 16],
  [0, 17],
  [1, 48],
  [16, 16],
  [17, 33],
  [0, 255],
  [0, 256],
  [15, 272],
  [0, 64],
  [0, 65],
  [31, 500],
  [256, 4096],
  [257, Infinity],
])('the grammar of a string with %i to %i characters accepts exactly these lengths', async (minLength, maxLength) => {
  const limit = maxLength === Infinity ? {} : { maxLength };
  const compiled = await compileEbnf(printEbnf(compileSchema({ type: 'string', minLength, ...limit })));
  expect(LENGTHS.filter((length) => compiled.accepts(textOf(length)))).toEqual(
    LENGTHS.filter((length) => length >= minLength && length <= maxLength),
  );
  compiled.dispose();
});

const CHARACTERS = ['a', 'é', '"', '\n', '😀'];

/** Returns the JSON text of a string of `count` characters, some of which are escaped or take several bytes. */
function textOf(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => CHARACTERS[index % CHARACTERS.length]).join(''));
}
