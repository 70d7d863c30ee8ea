import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hub } from '../../../src/command-line/commands/hub.ts';
import { LIBRARY_FOLDER } from '../../../src/command-line/project-folders.ts';
import { hubHeaders, securityHeaders } from '../../../src/shared/security/security-headers.ts';

let folder: string;

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  folder = mkdtempSync(join(tmpdir(), 'tabserve-hub-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]) => hub(words, {} as Parameters<typeof hub>[1], new AbortController().signal);

test.each([
  [[], 'hub takes one folder'],
  [['a', 'b'], 'hub takes one folder'],
  [['hub'], 'Say which sites may use the hub'],
  [['hub', '--site', 'app.example.org'], '--site takes an origin'],
  [['hub', '--site', "https://a.test/ 'unsafe-inline'"], '--site takes an origin'],
  [['hub', '--site', 'https://a.test', '--path', '/a b/'], '--path takes a path'],
])('the words %j are refused with an explanation', async (words, message) => {
  await expect(run(...words)).rejects.toThrow(message);
});

test('the headers let the named sites alone show the frame', () => {
  const { 'content-security-policy': policy, 'cross-origin-resource-policy': resources } = hubHeaders([
    'https://app.example.org',
  ]);
  expect(policy).toMatch(/; frame-ancestors 'self' https:\/\/app\.example\.org$/);
  expect(resources).toBe('cross-origin');
});

test('the headers of a site let it show its hub, and no other site', () => {
  const headers = securityHeaders([], 'https://hub.example.org/models/');
  expect(headers['content-security-policy']).toContain('; frame-src https://hub.example.org;');
  expect(headers['connection-allowlist']).toContain('"https://hub.example.org/*"');
  expect(securityHeaders([])['content-security-policy']).not.toContain('frame-src');
});

test.runIf(existsSync(LIBRARY_FOLDER))(
  'a hub consists of its page, its frame, the engine worker, the models and headers (if the library is built)',
  async () => {
    await run(folder, '--site', 'https://*.Example.org/', '--site', 'https://other.test:8443');
    const names = ['index.html', 'tabserve-hub.html', 'tabserve-engine-worker.js', 'models/pocket'];
    expect(names.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
    expect(readFileSync(join(folder, '_headers'), 'utf8')).toContain(
      "frame-ancestors 'self' https://*.example.org https://other.test:8443",
    );
  },
);
