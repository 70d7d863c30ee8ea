import { afterEach, expect, test, vi } from 'vitest';
import { HubSites } from '../../../src/engine-worker/hub/hub-sites.ts';
import { HUB } from '../../support/fakes/hub-frame.ts';
import { MemoryHubRecords } from '../../support/fakes/memory-hub-records.ts';

const ONE = 'https://one.test';

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['is not changed', 0],
  ['is set back by an hour', -3_600_000],
  ['is set forward by an hour', 3_600_000],
])('the tokens of a minute are counted for a minute if the clock %s', async (_, change) => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const sites = new HubSites({ records: new MemoryHubRecords(), listModels: async () => [], onRevoked: () => {} });
  await sites.admit(ONE, 'given', HUB);
  await sites.change(ONE, { tokensPerMinute: 10 });
  const log = { events: [{ type: 'done', usage: { promptTokens: 6, completionTokens: 4 } }] };
  await sites.completed({ site: `hub ${ONE}`, log } as never);
  const isRefused = () => {
    try {
      sites.modelSite(`hub ${ONE}`, 'a');
      return false;
    } catch {
      return true;
    }
  };
  vi.advanceTimersByTime(30_000);
  vi.setSystemTime(Date.now() + change);
  const during = isRefused();
  vi.advanceTimersByTime(31_000);
  expect([during, isRefused()]).toEqual([true, false]);
});
