import { expect, test } from 'vitest';
import { printEbnf } from '../../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compileSchema } from '../../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { matchesPattern } from '../../../src/engine-worker/grammar/regular-language/matches-pattern.ts';
import { findSchemaProblem } from '../../../src/service-worker/json-schema/find-schema-problem.ts';
import { provePattern } from '../../schema-proof/prove-pattern.ts';
import { Random } from '../../schema-proof/random.ts';
import { randomLimitedPattern } from '../../schema-proof/random-patterns.ts';
import { compileEbnf } from '../../schema-proof/xgrammar.ts';

/** Returns all texts of at most `length` of these characters. */
function textsOf(characters: string, length: number): readonly string[] {
  const longest = length === 0 ? [''] : textsOf(characters, length - 1);
  const last = longest.filter((text) => text.length === length - 1);
  return [...longest, ...last.flatMap((text) => Array.from(characters, (one) => text + one))];
}

test.each([
  { pattern: '^a+b*$', minLength: 2, maxLength: 4 },
  { pattern: 'ab', maxLength: 4 },
  { pattern: 'ab', minLength: 5 },
  { pattern: 'a$', minLength: 3, maxLength: 5 },
  { pattern: '^(ab)+$', maxLength: 5 },
  { pattern: '^a(?!b)', minLength: 1, maxLength: 3 },
  { pattern: '^(?:a|"b?)*$', maxLength: 5 },
  { pattern: '^[ab]{2,4}$', maxLength: 100 },
  { pattern: '^[ab]{2,4}$', maxLength: 5 },
  { pattern: '^(?:a|bb|"{3}){1,4}$', maxLength: 5 },
  { pattern: '^[ab]{2,4}$', minLength: 3 },
  { pattern: '^(a|b"+)$', maxLength: 5 },
  { anyOf: [{ pattern: '^a+$', maxLength: 2 }, { pattern: '^b', maxLength: 4 }, { pattern: '^ab*$' }] },
  { anyOf: [{ maxLength: 2 }, { pattern: '^b', maxLength: 5 }] },
])('of all short texts, %j allows exactly the valid ones', async (keywords) => {
  const compiled = await compileEbnf(printEbnf(compileSchema({ type: 'string', ...keywords })));
  const allowed = textsOf('ab"', 6).filter((text) => compiled.accepts(JSON.stringify(text)));
  expect(allowed).toEqual(textsOf('ab"', 6).filter((text) => isValid(text, keywords)));
  compiled.dispose();
});

interface Keywords {
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly Keywords[];
}

function isValid(text: string, { pattern = '', minLength = 0, maxLength = Infinity, anyOf }: Keywords): boolean {
  const isOwn = new RegExp(pattern, 'u').test(text) && text.length >= minLength && text.length <= maxLength;
  return isOwn && (anyOf?.some((one) => isValid(text, one)) ?? true);
}

test.each([
  ['^https?://', 2048, 'https://', 'é', ''],
  ['^[a-z ]+$', 100_000, '', 'a', ''],
  ['\\S', 1000, '  x', ' ', ''],
  ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 254, 'ann@', 'b', '.example'],
  ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 100, 'a-', 'b', '-c'],
  ['\\.ts$', 260, '', 'a', '.ts'],
])(
  '%s with maxLength %i allows texts of this length, and none that are longer',
  async (pattern, maxLength, ...parts) => {
    const [start, filler, end] = parts;
    const textOf = (length: number) => JSON.stringify(start + filler.repeat(length - start.length - end.length) + end);
    const compiled = await compileEbnf(printEbnf(compileSchema({ type: 'string', pattern, maxLength })));
    const lengths = [maxLength - 1, maxLength, maxLength + 1, maxLength + 20];
    expect(lengths.filter((length) => compiled.accepts(textOf(length)))).toEqual([maxLength - 1, maxLength]);
    compiled.dispose();
  },
);

function sentence(length: number): string {
  return JSON.stringify(`${`${'ab '.repeat(length / 3)}abc`.slice(0, length - 2)}c.`);
}

test('a pattern that needs too many states together with a length leaves out only long texts', async () => {
  const schema = { type: 'string', pattern: '^(\\w+ )*\\w+\\.$', maxLength: 100_000 };
  const compiled = await compileEbnf(printEbnf(compileSchema(schema)));
  const lengths = [2, 10, 500, 1000, 100_001];
  expect(lengths.filter((length) => compiled.accepts(sentence(length)))).toEqual([2, 10, 500, 1000]);
  compiled.dispose();
});

test.each([
  { pattern: '^(?=.{1,253}$)([a-z](?:[a-z-]{0,61}[a-z])?\\.)+[a-z]{2,63}$', valid: 'a-b.c.de', invalid: 'a-.de' },
  { pattern: '^([a-z]{1,100}x){1,90}$', valid: 'abxcx', invalid: 'abc' },
  { pattern: '^(?!(?:a{0,80}b){80}).(?:[ab]{0,90}c){0,70}$', valid: 'aabacc', invalid: 'b'.repeat(80) },
])('$pattern, which needs too many states, allows short texts', async ({ pattern, valid, invalid }) => {
  const compiled = await compileEbnf(printEbnf(compileSchema({ type: 'string', pattern })));
  expect([valid, invalid].filter((text) => new RegExp(pattern, 'u').test(text))).toEqual([valid]);
  expect([valid, invalid].filter((text) => compiled.accepts(JSON.stringify(text)))).toEqual([valid]);
  compiled.dispose();
});

test.each([
  ['\\p{Lu}\\p{Ll}+', ['Ärger', 'Ωmega'], ['ärger', 'ÄRGER']],
  ['^[\\P{L}_]$', ['1', '_', '-'], ['a', 'ß', 'я']],
  ['^\\p{Script=Greek}{2}$', ['αβ'], ['ab', 'α']],
  ['^ann\\@\\"\\_\\-$', ['ann@"_-'], ['ann\\@']],
  ['^[\\@\\-\\#]{2}]$', ['@-]', '##]'], ['\\@]', '@-']],
  ['^{[a-z]+}$', ['{ab}'], ['ab', '{}']],
])('the pattern %s allows the texts that it matches', async (pattern, valid, invalid) => {
  expect(findSchemaProblem({ type: 'string', pattern })).toBeNull();
  const compiled = await compileEbnf(printEbnf(compileSchema({ type: 'string', pattern })));
  expect([...valid, ...invalid].filter((text) => compiled.accepts(JSON.stringify(text)))).toEqual(valid);
  expect([...valid, ...invalid].filter((text) => matchesPattern(pattern, text))).toEqual(valid);
  compiled.dispose();
});

test.each([
  { pattern: '^(\\w+ )*\\w+\\.$', minLength: 50_000 },
  { pattern: '^([a-z]{1,45}x){1,45}$', minLength: 3, maxLength: 500 },
  { pattern: '^(ab)+$', minLength: 3, maxLength: 3 },
])('%j is refused with its pattern and its lengths', (keywords) => {
  const { pattern: _, ...lengths } = keywords;
  const named = Object.entries(lengths).map(([keyword, length]) => `${keyword} ${length}`);
  expect(() => compileSchema({ type: 'string', ...keywords })).toThrow(
    expect.objectContaining({
      path: '/pattern',
      message: expect.stringContaining(`together with ${named.join(' and ')}`),
    }),
  );
});

test.each([['^(.*a.{14})$'], [`^${'a?'.repeat(200)}$`], ['^(.*a.{30}){1,9}$']])(
  '%s is refused, because its automaton is too large',
  (pattern) => {
    expect(() => compileSchema({ type: 'string', pattern })).toThrow(expect.objectContaining({ path: '/pattern' }));
  },
);

test('random patterns with random lengths are followed or refused, and what is followed is valid', async () => {
  const followed: unknown[] = [];
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const given = randomLimitedPattern(random);
    const { refused, violations } = await provePattern(given, 2, random);
    expect({ given, violations }).toEqual({ given, violations: [] });
    if (refused === null) followed.push(given);
  }
  expect(followed.length).toBeGreaterThan(6);
});
