import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

/** Milliseconds: a multiple of the normal ten seconds, a fraction of what a quadratic check takes. */
const BOUND = 180_000;

test(
  'no field and no header blocks the service worker by backtracking in a regular expression',
  () => {
    const script = fileURLToPath(new URL('../support/send-pumped-inputs.ts', import.meta.url));
    const tsx = createRequire(import.meta.url).resolve('tsx');
    const { signal, stdout, stderr } = spawnSync(process.execPath, ['--import', tsx, script], {
      encoding: 'utf8',
      timeout: BOUND,
    });
    expect(stderr).toBe('');
    expect(signal, 'it ended by itself').toBeNull();
    const { answered, broken } = JSON.parse(stdout) as { answered: number; broken: number };
    expect(answered).toBeGreaterThan(3000);
    expect(broken).toBe(0);
  },
  BOUND + 10_000,
);

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
