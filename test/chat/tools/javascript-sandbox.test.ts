import { expect, test } from 'vitest';
import { openSandbox } from '../../../src/chat/tools/javascript/open-sandbox.ts';
import type { ProgramOutcome } from '../../../src/chat/tools/javascript/program-outcome.ts';

async function run(program: string): Promise<ProgramOutcome> {
  return (await openSandbox())(program);
}

test.each([
  ['27 * 35', '945'],
  ["'two words'", 'two words'],
  ['let last = 4;\nlast', '4'],
  ['({ list: [1, "b", null], at: new Date(0) })', '{"list":[1,"b",null],"at":"1970-01-01T00:00:00.000Z"}'],
  [
    '({ a: [NaN, undefined, 2n, -Infinity], b: () => 1, c: /x/g })',
    '{"a":["NaN","undefined","2n","-Infinity"],"b":"() => 1","c":"/x/g"}',
  ],
  ['[new Map([["a", new Set([1])]]), new Uint8Array(2), new TypeError("no")]', '[[["a",[1]]],[0,0],"TypeError: no"]'],
  ['const self = {}; self.self = self; self', '[object Object]'],
  ['NaN', 'NaN'],
  ['null', 'null'],
  ['Symbol("s")', 'Symbol(s)'],
  ['(async () => 7)()', '7'],
  ['const [a, b] = await Promise.all([1, 2]); a + b', '3'],
  ['console.log("a", 1, [2]); console.error({ b: 3 })', 'a 1 [2]\n{"b":3}'],
  ['console.log("a\\0b", Symbol("\\0")); console.log("c"); "d\\0e"', 'a\\u0000b Symbol(\\u0000)\nc\nValue: d\\u0000e'],
  [
    'console.group("G"); console.time("t"); console.assert(1 < 2); console.assert(1 > 2, "no"); console.groupEnd(); console.timeEnd("t"); console.count(); 4',
    'G\nAssertion failed: no\ndefault: 1\nValue: 4',
  ],
  ['for (const n of [1, 2]) console.log(n); 3', '1\n2\nValue: 3'],
  ['const quiet = 1;', 'The program printed nothing and has no value.'],
  ['const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1)); deep(1000)', '1000'],
])('the program %s returns %s', async (program, told) => {
  expect(await run(program)).toEqual({ failed: false, text: told });
});

test.each([
  ['1;\n\nlost.name', "ReferenceError: 'lost' is not defined (line 3)"],
  ['const a = 1;\nconst b = ;', "SyntaxError: unexpected token in expression: ';' (line 2)"],
  ['\nfunction fail() {\n  throw new RangeError("too far");\n}\nfail();', 'RangeError: too far (line 3)'],
  ['throw "words"', 'Uncaught words'],
  ['throw { code: 4 }', 'Uncaught: {"code":4}'],
  ['throw new Error("outer", { cause: new Error("inner") })', 'Error: outer (line 1)'],
  ['throw { name: { toString: 1 }, message: null, stack: 1 }', '{"toString":1}: null'],
  ['throw new Proxy({}, { get() { throw 1 } })', 'Uncaught '],
  ['return 4', 'SyntaxError: return not in a function (line 1)'],
  [
    'console.log("so far"); null.x',
    "TypeError: cannot read property 'x' of null (line 1)\nBefore that it printed:\nso far",
  ],
  ['await Promise.reject(new Error("late"))', 'Error: late (line 1)'],
])('the program %s fails with %s', async (program, words) => {
  expect(await run(program)).toEqual({ failed: true, text: words });
});
