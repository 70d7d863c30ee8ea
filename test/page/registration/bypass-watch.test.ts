import { afterEach, expect, test, vi } from 'vitest';
import { BypassWatch } from '../../../src/page/registration/bypass-watch.ts';
// The page loads it when requests bypass the worker. Here it is loaded before, because the clock is a fake.
import '../../../src/page/registration/control-failures.ts';

const SITE = 'https://site.test/';

afterEach(() => vi.unstubAllGlobals());

type Report = (list: { getEntries(): readonly object[] }) => void;

class FakeObserver {
  static report: Report = () => {};

  constructor(report: Report) {
    FakeObserver.report = report;
  }

  observe() {}
  disconnect() {}
}

/** Reports resource timings to a watch of a page whose requests the web server answers. @returns the errors' codes. */
async function codesAfter(...entries: readonly Partial<PerformanceResourceTiming>[]): Promise<readonly string[]> {
  vi.stubGlobal('PerformanceObserver', FakeObserver);
  vi.stubGlobal('navigator', { serviceWorker: { controller: {} } });
  vi.stubGlobal('location', new URL(SITE));
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  const codes: string[] = [];
  const watch = new BypassWatch(({ code }) => codes.push(code), new AbortController().signal);
  watch.begin('/v1');
  for (const entry of entries) {
    const timing = { name: `${SITE}v1/models`, startTime: Infinity, workerStart: 0, responseStatus: 404, ...entry };
    FakeObserver.report({ getEntries: () => [timing] });
  }
  await new Promise((resolve) => setTimeout(resolve));
  return codes;
}

test('a request that reached the web server is reported, also by a browser without statuses in its timings', async () => {
  expect(await codesAfter({})).toEqual(['reload_required']);
  expect(await codesAfter({ responseStatus: undefined as unknown as number })).toEqual(['reload_required']);
});

test('requests that the service worker received, that were aborted, or that others answer trigger no check', async () => {
  const quiet = [
    { workerStart: 1 },
    { responseStatus: 0 },
    { name: `${SITE}other` },
    { name: 'https://other.test/v1/x' },
  ];
  expect(await codesAfter(...quiet)).toEqual([]);
  expect(await codesAfter(...quiet, {})).toEqual(['reload_required']);
});
