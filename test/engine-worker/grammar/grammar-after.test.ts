import { expect, test, vi } from 'vitest';
import { printEbnf } from '../../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compilePattern } from '../../../src/engine-worker/grammar/json-schema/compile-pattern.ts';
import { compileSchema } from '../../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { grammarAfter, TooComplexRest } from '../../../src/engine-worker/grammar/expressions/grammar-after.ts';
import { matchesGrammar } from '../../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import { parseGbnf } from '../../../src/engine-worker/grammar/expressions/parse-gbnf.ts';
import { printGbnf } from '../../../src/engine-worker/grammar/expressions/print-gbnf.ts';
import { Random } from '../../schema-proof/random.ts';
import { randomSchema } from '../../schema-proof/random-schemas.ts';
import { readGbnf } from '../../schema-proof/read-gbnf.ts';
import { GrammarSampler } from '../../schema-proof/sample-grammar.ts';
import { compileEbnf } from '../../schema-proof/xgrammar.ts';

// xgrammar reports every class that excludes characters.
vi.spyOn(console, 'warn').mockImplementation(() => {});

const STARS = compileSchema({
  type: 'object',
  properties: { stars: { type: 'integer', minimum: 1, maximum: 5 } },
  required: ['stars'],
});

test.each([
  ['a beginning inside an object', STARS, '{ "stars": ', ['4}', '5 }'], ['6}', '{"stars":4}', '']],
  ['a whole answer', STARS, '{"stars":4}', [''], ['}', ' ']],
  ['no beginning', compilePattern('a|b'), '', ['a', 'b'], ['', 'ab']],
  ['a pattern', compilePattern('Hello (there|world)!*'), 'Hello th', ['ere', 'ere!!'], ['world', 'there']],
  ['limited repetitions', compilePattern('[ab]{2,4}'), 'ab', ['', 'a', 'bb'], ['aaa', 'c']],
  ['parts that may be empty', compilePattern('a?b?c?d'), 'b', ['d', 'cd'], ['bd', 'ad', '']],
  ['characters beyond 16 bits', compilePattern('🐕+ab'), '🐕', ['ab', '🐕ab'], ['b', '']],
  [
    'overlapping ways',
    parseGbnf('root ::= "a" [a-m] "x" root? | "a" [h-z] "y" root?'),
    'a',
    ['bx', 'hx', 'hy', 'zyahx'],
    ['zx', 'by', 'zyazx'],
  ],
  [
    'ways with the same text',
    parseGbnf('root ::= "a" (("," | "ab") "y" | "ab" "z") root?'),
    'a',
    [',y', 'aby', 'abzaabz'],
    [',z', 'abzaa,z'],
  ],
  [
    'ways that begin with the same text after recursion',
    parseGbnf('root ::= "(" root ")" "c" ("," | "ab") "y" | "(" root ")" "cabz" | "x"'),
    '(x)c',
    [',y', 'aby', 'abz'],
    [',z'],
  ],
  [
    'ways that begin with overlapping classes after recursion',
    parseGbnf('root ::= "(" root ")" "c" ([a-d] | "xb") "y" | "(" root ")" "c" ([c-e] | "xb") "z" | "x"'),
    '(x)c',
    ['ay', 'cy', 'cz', 'ez', 'xby', 'xbz'],
    ['az', 'ey'],
  ],
  [
    'ways that begin with recursion',
    parseGbnf('root ::= "<" pair "x" | "<" pair "y"\npair ::= "(" pair ")" | [ab]'),
    '<',
    ['ax', '(b)y'],
    ['(bx', 'a'],
  ],
  ['recursion', parseGbnf('root ::= "(" root ")" | "x"'), '((', ['x))', '(x)))'], ['x)', 'x']],
] as const)('the rest of an answer follows the grammar after %s', async (_name, grammar, beginning, yes, no) => {
  const rest = grammarAfter(grammar, beginning)!;
  const compiled = await compileEbnf(printEbnf(rest));
  const forLlama = readGbnf(printGbnf(rest));
  for (const [texts, expected] of [[yes, true] as const, [no, false] as const]) {
    for (const text of texts) {
      const allowed = [compiled.accepts(text), matchesGrammar(forLlama, text), matchesGrammar(rest, text)];
      expect({ text, allowed }).toEqual({ text, allowed: [expected, expected, expected] });
    }
  }
  compiled.dispose();
});

/** Rules of which each uses the next one twice. */
const DOUBLED = [
  'root ::= r0',
  ...Array.from({ length: 30 }, (_, index) => `r${index} ::= r${index + 1} "x" | r${index + 1} "y"`),
  'r30 ::= "(" root ")" | "a"',
].join('\n');

const OPERATORS = ['?', '|', '&', '=', '<', '+', '*', '^', '.'];
/** The operators of a language, from the weakest to the strongest. */
const PRECEDENCES = [
  'root ::= e0',
  ...OPERATORS.map((operator, index) => `e${index} ::= e${index + 1} | e${index + 1} "${operator}" e${index}`),
  'e9 ::= [0-9]+ | "(" e0 ")"',
].join('\n');

test.each([
  [
    'rules that begin alike',
    DOUBLED,
    '(',
    `a${'x'.repeat(30)})${'y'.repeat(30)}`,
    `a${'x'.repeat(29)})${'y'.repeat(30)}`,
  ],
  ['operators with precedences', PRECEDENCES, '1', '2+3*(4.5^6)', '2+'],
  ['nested operators with precedences', PRECEDENCES, '(1+(2*', '3)?4)', '3)?4'],
  [
    'nesting that may end anywhere',
    'root ::= "a" root | "a" root "b" | "c"',
    'a'.repeat(40),
    `c${'b'.repeat(30)}`,
    `c${'b'.repeat(41)}`,
  ],
])('an ambiguous grammar can be followed after its beginning: %s', async (_name, source, beginning, yes, no) => {
  const rest = grammarAfter(parseGbnf(source), beginning)!;
  expect([matchesGrammar(rest, yes), matchesGrammar(rest, no)]).toEqual([true, false]);
  const compiled = await compileEbnf(printEbnf(rest));
  expect([compiled.accepts(yes), compiled.accepts(no)]).toEqual([true, false]);
  compiled.dispose();
});

test.each([
  [STARS, '{"star '],
  [STARS, '{"stars":6'],
  [compilePattern('Hello.*'), 'Good'],
  [compilePattern('ab'), 'abc'],
  [compilePattern('.*'), '\uD800'],
])('there is no grammar after what no answer begins with', (grammar, beginning) => {
  expect(grammarAfter(grammar, beginning)).toBeNull();
});

test.each([
  ['a rule for each way through nested rules', DOUBLED, '('.repeat(5)],
  ['too many rules', 'root ::= "a" root | "a" root "b" | "c"', 'a'.repeat(5000)],
  ['too many steps', 'root ::= "a" root root root | "a" root root | "a" | "b" root root', 'ab'.repeat(2500)],
])('a beginning after which a grammar needs %s is refused', (_name, source, beginning) => {
  expect(() => grammarAfter(parseGbnf(source), beginning)).toThrow(TooComplexRest);
});

test('a text follows the grammar after its beginning if the whole text follows the grammar', () => {
  let compared = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const random = new Random(seed);
    const grammar = compiled(seed);
    if (grammar === null) continue;
    const sampler = new GrammarSampler(grammar);
    for (let index = 0; index < 5; index++) {
      const characters = [...sampler.sample(random)];
      const at = random.below(Math.min(60, characters.length + 1));
      const beginning = characters.slice(0, at).join('');
      const rest = grammarAfter(grammar, beginning)!;
      const where = `${seed} ${JSON.stringify(beginning)}`;
      const following = characters.slice(at).join('');
      expect(matchesGrammar(rest, following), `${where} ${following}`).toBe(true);
      const others = [
        following.slice(0, random.below(following.length + 1)) + random.of(['}', '1', '"', ' ', '']),
        [...sampler.sample(random)].slice(at).join(''),
      ];
      for (const other of others) {
        expect(matchesGrammar(rest, other), `${where} ${other}`).toBe(matchesGrammar(grammar, beginning + other));
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(100);
});

function compiled(seed: number) {
  try {
    return compileSchema(randomSchema(seed));
  } catch {
    return null;
  }
}
