import { expect, test } from 'vitest';
import { systemBrowserCandidates } from '../../../src/command-line/browser/browser-candidates.ts';

test.for([
  ['linux', { PATH: '/opt/mine:/usr/bin' }, '/opt/mine/chromium'],
  ['linux', {}, '/usr/bin/google-chrome'],
  ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium'],
  ['win32', { 'ProgramFiles(x86)': 'C:\\Programs' }, 'C:\\Programs\\Google\\Chrome\\Application\\chrome.exe'],
] as const)('on %s with %o one candidate is %s', ([platform, environment, expected]) => {
  expect(systemBrowserCandidates({ platform, environment })).toContain(expected);
});

test('a folder on the PATH comes before the usual ones, and none occurs twice', () => {
  const candidates = systemBrowserCandidates({ platform: 'linux', environment: { PATH: '/opt/mine:/usr/bin' } });
  expect(candidates[0]).toMatch(/^\/opt\/mine\//);
  expect(new Set(candidates).size).toBe(candidates.length);
});

test('on Windows a folder that the environment does not name is left out', () => {
  expect(systemBrowserCandidates({ platform: 'win32', environment: {} })).toEqual([]);
});
