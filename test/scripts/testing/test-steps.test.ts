import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { siteTest } from '../../../scripts/testing/test-steps.ts';

beforeEach(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true));
afterEach(() => vi.unstubAllEnvs());

const FAILURE = 'echo one failure: a tab hangs && exit 1';

test('a check of the built site that fails repeats the end of its output as a remark', async () => {
  vi.stubEnv('CI', undefined);
  expect(await siteTest('Check', FAILURE).run('inherit')).toEqual({
    succeeded: false,
    counts: { passed: 0, failed: 1, skipped: 0 },
    remarks: ['failed, and printed last:\none failure: a tab hangs'],
  });
});

test('a check of the built site that succeeds has no remark', async () => {
  expect(await siteTest('Check', 'echo fine').run('inherit')).toEqual({
    succeeded: true,
    counts: { passed: 1, failed: 0, skipped: 0 },
  });
});

test('in CI, a check of the built site that fails once succeeds with a remark', async () => {
  vi.stubEnv('CI', 'true');
  const mark = join(mkdtempSync(join(tmpdir(), 'tabserve-steps-')), 'tried');
  const failsOnce = `if [ -e ${mark} ]; then echo fine; else touch ${mark}; ${FAILURE}; fi`;
  expect(await siteTest('Check', failsOnce).run('inherit')).toEqual({
    succeeded: true,
    counts: { passed: 1, failed: 0, skipped: 0 },
    remarks: ['retried, and printed last:\none failure: a tab hangs'],
  });
});

test('in CI, a check of the built site that fails three times fails with all remarks', async () => {
  vi.stubEnv('CI', 'true');
  expect(await siteTest('Check', FAILURE).run('inherit')).toEqual({
    succeeded: false,
    counts: { passed: 0, failed: 1, skipped: 0 },
    remarks: [
      'retried, and printed last:\none failure: a tab hangs',
      'retried, and printed last:\none failure: a tab hangs',
      'failed, and printed last:\none failure: a tab hangs',
    ],
  });
});
