import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SiteLogs } from '../../../src/engine-worker/hub/site-logs.ts';

const SITE = 'https://app.test/';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['stored at once', 0, 1],
  ['stored at the second attempt', 1, 2],
  ['never stored', Infinity, 5],
])('a log that is %s is sent until then', async (_, failures, sent) => {
  const send = vi.fn<ConstructorParameters<typeof SiteLogs>[0]>((site, id) => {
    if (send.mock.calls.length > failures) logs.stored(site, id);
  });
  const logs = new SiteLogs(send);
  logs.add(SITE, 'answer', [{ type: 'begun', created: 1 }]);
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(send).toHaveBeenCalledTimes(sent);
});

test('a log of a site whose permission was revoked is not sent again', async () => {
  const send = vi.fn<ConstructorParameters<typeof SiteLogs>[0]>();
  const logs = new SiteLogs(send);
  logs.add(SITE, 'answer', []);
  logs.delete(SITE);
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(send).toHaveBeenCalledTimes(1);
});
