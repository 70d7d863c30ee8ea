import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findFirefox } from '../../../src/command-line/browser/find-firefox.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-firefox-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test.skipIf(process.platform === 'win32').for([
  ['is too old', 'echo "Mozilla Firefox 140.2.0esr"', /Firefox 140.2.0esr is too old .* 141 or newer/],
  ['lacks a library', 'exit 127', /does not start/],
  ['is another program', 'echo "Chromium 156.0.8000.1"', /is not a Firefox/],
] as const)('reports that the browser of FIREFOX_PATH %s', ([, script, message]) => {
  const path = join(folder, 'firefox');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  vi.stubEnv('FIREFOX_PATH', path);
  expect(findFirefox).toThrow(message);
});

test('reports that FIREFOX_PATH names no file', () => {
  vi.stubEnv('FIREFOX_PATH', join(folder, 'nothing'));
  expect(findFirefox).toThrow(/does not start/);
});
