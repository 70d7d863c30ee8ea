import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keywordTable } from '../schema-proof/keyword-table.ts';

test('the documented keywords of JSON Schema are those that the grammar compiler supports or refuses', () => {
  const documented = readFileSync('docs/endpoint.md', 'utf8').replaceAll(/\s+/g, ' ');
  expect(documented).toContain(keywordTable().replaceAll(/\s+/g, ' '));
});
