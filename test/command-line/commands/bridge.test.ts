import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bridge } from '../../../src/command-line/commands/bridge.ts';
import { serve } from '../../../src/command-line/commands/serve.ts';
import { listen } from '../../../src/command-line/http-server/listen.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-bridging-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

/** Writes a program in place of a browser, which writes its process id to a file when it starts, and then hangs. */
function hangingBrowser() {
  const path = join(folder, 'browser');
  const pidFile = join(folder, 'pid');
  writeFileSync(path, `#!/bin/sh\necho $$ > ${pidFile}\nexec sleep 100\n`, { mode: 0o755 });
  return { path, pid: () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0) };
}

function run(words: readonly string[], path: string, signal = new AbortController().signal): Promise<void> {
  const installation = {
    endpointSite: async () => ({ folder, page: '' }),
    findBrowser: () => ({ path, version: 1 }) as never,
  };
  return bridge(words, installation, signal);
}

test.each([
  [['9000'], 'bridge takes options only, not "9000"'],
  [['--host', ''], '--host takes a name or an address, but it is empty'],
  [['--port', ''], '--port takes a number'],
])('the words %j are refused before a browser starts', async (words, message) => {
  const browser = hangingBrowser();
  await expect(run(['--port', '0', ...words], browser.path)).rejects.toThrow(message);
  expect(browser.pid()).toBe(0);
});

test.each([
  [['another'], 'serve takes one folder'],
  [['--host', ''], '--host takes a name or an address, but it is empty'],
])('the words %j beside a folder are refused by `serve`', async (words, message) => {
  const { signal } = new AbortController();
  await expect(serve([folder, '--port', '0', ...words], {} as never, signal)).rejects.toThrow(message);
});

test('a port that is taken is told before a browser starts', async () => {
  const other = createServer();
  const { port } = new URL(await listen(other, 0, '127.0.0.1'));
  const browser = hangingBrowser();
  await expect(run(['--port', port], browser.path)).rejects.toThrow(`Port ${port} is taken`);
  expect(browser.pid()).toBe(0);
  other.close();
});

test.skipIf(process.platform === 'win32')(
  'an interrupt ends a browser that hangs while it starts',
  async () => {
    const browser = hangingBrowser();
    const interruption = new AbortController();
    const ended = run(['--port', '0'], browser.path, interruption.signal);
    ended.catch(() => {});
    await vi.waitUntil(() => browser.pid() > 0, 10_000);
    interruption.abort(new Error('interrupted'));
    await expect(ended).rejects.toThrow('interrupted');
    // A signal of 0 only asks whether the process is there.
    await vi.waitFor(() => expect(() => process.kill(browser.pid(), 0)).toThrow('ESRCH'));
  },
  20_000,
);
