import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  FORMAT_PATTERNS,
  FORMATS_OF_ANY_TEXT,
  NUMBER_FORMATS,
} from '../../src/engine-worker/grammar/json-schema/formats/formats.ts';
import { KEYWORDS } from '../../src/shared/json-schema/keywords.ts';

const DOCUMENTED = readFileSync('docs/endpoint.md', 'utf8');

test('the documented keywords of JSON Schema are those that the grammar compiler follows or refuses', () => {
  const [, table = ''] = /^\| keyword \|.*\n([^]*?)\n\n/m.exec(DOCUMENTED) ?? [];
  const rows = [...table.matchAll(/^\| `(.+)` \| (followed|refused) \| (.*) \|$/gm)].map(([, ...cells]) => cells);
  const restricting = [...KEYWORDS].filter(([, { support }]) => support !== 'annotation');
  expect(rows.map(([keyword, support]) => [keyword, support])).toEqual(
    restricting.map(([keyword, { support }]) => [keyword, support]),
  );
  expect(rows.flatMap(([, support, note]) => (support === 'refused' ? [note] : []))).toEqual(
    restricting.flatMap(([, { support, note }]) => (support === 'refused' ? [note] : [])),
  );
});

test('the documented formats are those that the grammar compiler knows', () => {
  const formats = [...Object.keys(FORMAT_PATTERNS), ...FORMATS_OF_ANY_TEXT, ...Object.keys(NUMBER_FORMATS)];
  const line = `Formats: ${formats.map((format) => `\`${format}\``).join(', ')}.`;
  expect(DOCUMENTED.replaceAll(/\s+/g, ' ')).toContain(line);
});
