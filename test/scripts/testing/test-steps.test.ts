import { expect, test, vi } from 'vitest';
import { siteTest } from '../../../scripts/testing/test-steps.ts';

test('a check of the built site that fails repeats the end of its output as a remark', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const result = await siteTest('Check', 'echo one failure: a tab hangs && exit 1').run('inherit');
  expect(result).toEqual({
    succeeded: false,
    counts: { passed: 0, failed: 1, skipped: 0 },
    remarks: ['failed, and printed last:\none failure: a tab hangs'],
  });
});

test('a check of the built site that succeeds has no remark', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const result = await siteTest('Check', 'echo fine').run('inherit');
  expect(result).toEqual({ succeeded: true, counts: { passed: 1, failed: 0, skipped: 0 } });
});
