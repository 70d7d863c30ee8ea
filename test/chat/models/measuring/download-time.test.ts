import { afterEach, expect, test, vi } from 'vitest';
import { downloadTime, isMetered, rememberDownloadSpeed } from '../../../../src/chat/models/measuring/download-time.ts';

function connect(connection: object | undefined): void {
  const values = new Map<string, string>();
  vi.stubGlobal('navigator', { connection });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => values.set(name, value),
  });
}

afterEach(() => vi.unstubAllGlobals());

test.each([
  [undefined, false],
  [{ downlink: 10, saveData: false, type: 'wifi' }, false],
  [{ saveData: true }, true],
  [{ type: 'cellular' }, true],
])('a connection that the browser describes as %j is metered: %s', (connection, expected) => {
  connect(connection);
  expect(isMetered()).toBe(expected);
});

test.each([
  ['a browser without network information', undefined, 0, null],
  ['a slow connection', { downlink: 2, effectiveType: '3g' }, 0, 'about 8 min'],
  ["a figure that may be Chromium's default", { downlink: 1.55, effectiveType: '4g' }, 0, null],
  ['a connection that was measured', { downlink: 4, effectiveType: '4g' }, 0, 'about 4 min'],
  ["a connection at Chromium's upper limit, or faster", { downlink: 10, effectiveType: '4g' }, 0, 'at most 2 min'],
  ['an offline device', { downlink: 0 }, 0, null],
  ['a download that was measured, whatever the browser reports', { downlink: 10 }, 1e7, 'about 12\u00a0s'],
])('estimates the time of a download with %s', (_, connection, measured, expected) => {
  connect(connection);
  rememberDownloadSpeed(measured);
  expect(downloadTime(120e6)?.replace('\u00a0min', ' min') ?? null).toBe(expected);
});

test('the time of a download whose size is unknown is unknown', () => {
  connect({ downlink: 2 });
  expect(downloadTime(null)).toBeNull();
});
