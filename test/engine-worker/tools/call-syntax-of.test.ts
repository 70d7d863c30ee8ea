import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callSyntaxOf } from '../../../src/engine-worker/tools/call-syntax/call-syntax-of.ts';
import { CALL_SYNTAXES } from '../../../src/engine-worker/tools/call-syntax/call-syntaxes.ts';
import { PUBLISHED_FAMILIES, readTemplates } from './published-templates.ts';
import { SHORT_TEMPLATES } from './short-templates.ts';

test('there is a template for each family', () => {
  const families = CALL_SYNTAXES.map(({ syntax }) => syntax.family);
  expect(Object.keys(SHORT_TEMPLATES).toSorted()).toEqual(families.toSorted());
});

test.each(Object.entries(SHORT_TEMPLATES))('a template that writes calls as %s is recognized', (family, template) => {
  expect(callSyntaxOf(template).family).toBe(family);
});

test.each([
  ['writes no calls', '{{ message.content }}<|im_end|>'],
  ['tells the model to write calls of Hermes', 'Return a JSON object within <tool_call></tool_call> XML tags'],
  ['is empty', ''],
])('a model whose template %s is asked to write calls of Hermes', (_what, template) => {
  expect(callSyntaxOf(template).family).toBe('Hermes');
});

test('the documentation lists each syntax', () => {
  const page = readFileSync(new URL('../../../docs/endpoint.md', import.meta.url), 'utf8');
  const [, section = ''] = /\n## Tool calls\n([^]*?)\n## /.exec(page) ?? [];
  const rows = Array.from(section.matchAll(/^\| ([^|]+) \| .* \| ([^|]+) \|$/gm), ([, name, kind]) => [name, kind]);
  const listed = new Map(rows.filter(([name]) => name !== 'syntax' && name !== '---') as [string, string][]);
  const isJson = CALL_SYNTAXES.map(({ syntax }) => [syntax.family, syntax.notation === undefined] as const);
  expect(Object.fromEntries([...listed].map(([name, kind]) => [name, kind === 'JSON']))).toEqual(
    Object.fromEntries(isJson),
  );
});

const folder = process.env['CHAT_TEMPLATES'];

test.runIf(folder !== undefined)(
  'the family of each published template is recognized (needs CHAT_TEMPLATES, the folder of the templates)',
  () => {
    const families = [...readTemplates(folder!)].map(([file, source]) => [file, callSyntaxOf(source).family] as const);
    const known = families.filter(([file]) => file in PUBLISHED_FAMILIES);
    expect(known.length).toBeGreaterThan(60);
    expect(Object.fromEntries(known)).toEqual(PUBLISHED_FAMILIES);
  },
);
