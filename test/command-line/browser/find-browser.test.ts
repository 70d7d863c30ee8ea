import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findBrowser } from '../../../src/command-line/browser/find-browser.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-browsers-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Creates an executable that prints what a browser would print. */
function browser(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test.skipIf(process.platform === 'win32')('uses the browser that CHROME_PATH names', () => {
  const path = browser('mine', 'echo "Chromium 124.0.6367.60 built on something 12.3"');
  vi.stubEnv('CHROME_PATH', path);
  expect(findBrowser()).toEqual({ path, version: 124 });
});

test.skipIf(process.platform === 'win32').for([
  ['is too old', 'echo "Google Chrome 123.0.6312.122"', /is version 123, but .* needs 124 or newer/],
  ['lacks a library', 'exit 127', /does not start/],
  ['is another program', 'echo "Hello"', /does not start/],
] as const)('reports that the browser of CHROME_PATH %s', ([, script, message]) => {
  vi.stubEnv('CHROME_PATH', browser('mine', script));
  expect(findBrowser).toThrow(message);
});

test('reports that CHROME_PATH names no file', () => {
  vi.stubEnv('CHROME_PATH', join(folder, 'nothing'));
  expect(findBrowser).toThrow(/there is no file: correct or unset it/);
});
