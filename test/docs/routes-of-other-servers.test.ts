import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readError } from '../service-worker/support/read-error.ts';
import { createTestApp } from '../service-worker/support/test-app.ts';

const page = readFileSync(new URL('../../docs/endpoint.md', import.meta.url), 'utf8');
const [, section = ''] = /^## Routes of other local servers$(.*?)^## /ms.exec(page) ?? [];
const quoted = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

/** The rows of the table: a route, and what its message names. */
const ROWS = Array.from(section.matchAll(/^\| [\w-]+(?: Studio)? +\| (`.*?) +\| (.*?) +\|$/gm)).flatMap(
  ([, routes = '', uses = '']) => quoted(routes).map((route) => ({ route, uses: quoted(uses) })),
);

test('the table has the routes of four servers', () => {
  expect(ROWS.length).toBeGreaterThan(25);
});

test.each(ROWS)('$route is a 404 for every method, and its message names $uses', async ({ route, uses }) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const { message, ...error } = await readError(await createTestApp().send(route, { method }));
    expect(error).toMatchObject({ status: 404, code: 'unknown_url', param: null });
    expect(message).toMatch(/^`\/v1\/[\w/-]+` is not offered here\. [A-Z][^{}]+\.$/);
    for (const use of uses) expect(message).toContain(use);
  }
});
