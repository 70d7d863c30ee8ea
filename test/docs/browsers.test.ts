import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('README and page name the same minimum version of Chrome, in either language', () => {
  const pages = [
    'README.md',
    'src/chat/strings/unsupported-strings.ts',
    'src/chat/strings/german/unsupported-strings.ts',
  ];
  const versions = pages.map((path) => /Chrome (?:or|oder) Edge (?:ab Version )?(\d+)/.exec(read(path))?.[1]);
  expect(new Set(versions)).toEqual(new Set(['124']));
});
