import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';
import { regexpStepCounter } from '../support/count-regexp-steps.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

/** Characters of each text. If the steps grew with the square of the length, there would be millions. */
const LENGTH = 2000;
/** A multiple of what the present expressions take. */
const MAX_STEPS = 50 * LENGTH;

/** Repeated in the texts, beside the characters that an expression itself contains. */
const PIECES = [
  ' ',
  '\n',
  '\0',
  '\u{1f600}',
  '\ud800',
  'a',
  'A',
  '1',
  '.',
  ',',
  '/',
  '\\',
  '(',
  '[',
  '(?:',
  'a|',
  '\\k<a>',
];

/** Returns the regular expressions in a TypeScript source. */
function regexpsIn(source: string): readonly RegExp[] {
  const found: RegExp[] = [];
  // This visits every node of the syntax tree.
  JSON.stringify(
    parseAst(source, { lang: 'ts' }),
    (_, node: { readonly regex?: { pattern: string; flags: string } }) => {
      if (node?.regex) found.push(new RegExp(node.regex.pattern, node.regex.flags));
      return typeof node === 'bigint' ? null : node;
    },
  );
  return found;
}

const REGEXPS = ['src/service-worker', 'src/shared'].flatMap((folder) =>
  readdirSync(join(PROJECT_FOLDER, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => regexpsIn(readFileSync(join(PROJECT_FOLDER, folder, name), 'utf8'))),
);

function pump(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length));
}

/** Texts that make a careless expression backtrack: one piece over and over, then perhaps another one. */
function pumpedTexts({ source }: RegExp): readonly string[] {
  const pieces = [...new Set([...PIECES, ...source.replaceAll(/\\[a-z]|[^a-z\d\-:;"'/+ ]/gi, '')])];
  return pieces.flatMap((one) => [
    pump(one, LENGTH),
    ...pieces.map((other) => pump(one, LENGTH / 2) + pump(other, LENGTH / 2)),
  ]);
}

test('no regular expression of the service worker backtracks without bound', async () => {
  const count = await regexpStepCounter(MAX_STEPS);
  // The counter sees backtracking, with one quantifier and with nested ones.
  for (const careless of [/a+b/, /^(a+)+$/])
    expect(count(careless, `${'a'.repeat(LENGTH)}c`)).toBeGreaterThan(MAX_STEPS);
  expect(REGEXPS.length).toBeGreaterThan(30);
  const slow = REGEXPS.flatMap((regexp) => {
    const text = pumpedTexts(regexp).find((text) => count(regexp, text) > MAX_STEPS);
    return text === undefined ? [] : [`${String(regexp)} on ${JSON.stringify(text.slice(0, 10))}…`];
  });
  expect(slow).toEqual([]);
}, 120_000);

test.each([
  ['a class of 19 MB', `[${'a'.repeat(19_000_000)}]`, 'is longer than 10000 characters'],
  ['a pattern of 10,001 characters', 'a'.repeat(10_001), 'is longer than 10000 characters'],
  ['backreferences in nested groups', `${'(?:'.repeat(41)}\\k<a>${')'.repeat(41)}`, 'more than 40 levels deep'],
])('%s is refused as a pattern', async (_name, pattern, reason) => {
  const json_schema = { name: 'n', schema: { type: 'string', pattern } };
  const response = await createTestApp().chat({ ...GOOD_BODY, response_format: { type: 'json_schema', json_schema } });
  const error = await readError(response);
  expect(error).toMatchObject({ status: 400, code: 'invalid_value', param: 'response_format.json_schema.schema' });
  expect(error.message).toContain(reason);
});

test('a pattern of 10,000 characters is accepted', async () => {
  const schema = { type: 'string', pattern: 'a'.repeat(10_000) };
  const json_schema = { name: 'n', schema };
  expect(
    (await createTestApp().chat({ ...GOOD_BODY, response_format: { type: 'json_schema', json_schema } })).status,
  ).toBe(200);
});
