import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { host } from '../../../src/command-line/commands/host.ts';
import { CommandFailure } from '../../../src/command-line/run-command.ts';
import { MODEL_HOSTS, securityHeaders } from '../../../src/shared/security/security-headers.ts';

const SCRIPT = 'addEventListener("fetch", () => {});\n';

let folder: string;

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  folder = mkdtempSync(join(tmpdir(), 'tabserve-host-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'site-service-worker.js'), SCRIPT);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]) =>
  host([folder, ...words], {} as Parameters<typeof host>[1], new AbortController().signal);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Reads rules as Netlify and Cloudflare Pages do. */
function readHeadersFile(text: string): Readonly<Record<string, Record<string, string>>> {
  const rules: Record<string, Record<string, string>> = {};
  let rule: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, name, value] = /^ +([\w-]+): (.*)$/.exec(line) ?? [];
    if (name === undefined && line !== '' && !line.startsWith('#')) rules[line] = rule = {};
    else if (name !== undefined) rule[name] = value!;
  }
  return rules;
}

test.each([
  { words: [], path: '/', headers: securityHeaders() },
  { words: ['--path', '/tabserve'], path: '/tabserve/', headers: securityHeaders() },
  {
    words: ['--model-host', 'https://models.example.org/x'],
    path: '/',
    headers: securityHeaders([...MODEL_HOSTS, 'https://models.example.org']),
  },
  { words: ['--no-model-hosts'], path: '/', headers: securityHeaders([]) },
])('with $words, every sample sends the headers of `tabserve serve` at $path', async ({ words, path, headers }) => {
  await run(...words);
  expect(readHeadersFile(read('_headers'))).toEqual({
    [`${path}*`]: headers,
    [`${path}assets/*`]: { 'cache-control': 'public, max-age=31536000, immutable' },
  });
  const caddy = read('hosting/Caddyfile');
  const nginx = read('hosting/nginx.conf');
  for (const [name, value] of Object.entries(headers)) {
    expect(caddy).toContain(`header ${name} \`${value}\`\n`);
    // Both blocks of nginx have each header.
    expect(nginx.split(`add_header ${name} '${value.replaceAll("'", String.raw`\'`)}' always;`)).toHaveLength(3);
  }
  expect(nginx).toContain(`location ${path}assets/ {`);
  // A header without a question mark would replace that of the hashed files.
  expect(caddy).toMatch(/header @hashed cache-control ".*immutable"\n\t+header \?cache-control "no-cache"\n/);
  // Neither keeps the 404 of a file that a new build is just bringing.
  expect(caddy).toMatch(/@hashed \{\n\t+path \/assets\/\*\n\t+file\n\t+\}\n/);
  expect(nginx).toContain("add_header cache-control 'public, max-age=31536000, immutable';");
  expect(caddy.includes('handle_path /tabserve/* {')).toBe(path === '/tabserve/');
  expect(caddy.includes('redir /tabserve /tabserve/\n')).toBe(path === '/tabserve/');
  expect(nginx.includes('location = /tabserve { return 301 /tabserve/; }\n')).toBe(path === '/tabserve/');
  expect(read('hosting/github-pages.yml')).toContain('actions/deploy-pages@');
  expect(read('.nojekyll')).toBe('');
});

test('the service worker of the chat page is told the model hosts, also by a later run', async () => {
  await run('--no-model-hosts');
  expect(read('site-service-worker.js')).toBe(
    `self.tabserve = {"modelHosts":false};  // written by tabserve host\n${SCRIPT}`,
  );
  await run('--model-host', 'https://models.example.org');
  expect(read('site-service-worker.js')).toBe(
    `self.tabserveHosts = "https://models.example.org";  // written by tabserve host\n${SCRIPT}`,
  );
  await run();
  expect(read('site-service-worker.js')).toBe(SCRIPT);
});

test.each([
  { names: ['index-BxYz12ab.js', 'index-d41d8c.css', 'parts-7ed43c/worker.js', '.DS_Store'], keeps: true },
  { names: ['page-abcdef.js', 'page-abcdef.js.map', 'photo.d41d8c98.png'], keeps: true },
  { names: ['index-BxYz12ab.js', 'hero-picture.png'], keeps: false },
  { names: ['index-BxYz12ab.js', 'Inter-Regular.woff2'], keeps: false },
  { names: ['index-BxYz12ab.js', 'bootstrap.bundle.min.js'], keeps: false },
  { names: ['index-BxYz12ab.js', 'blog-images/1.jpg'], keeps: false },
  { names: ['index-BxYz12ab.js', 'logo.svg'], keeps: false },
  { names: ['index-BxYz12ab.js', 'hero-image-2.png'], keeps: false },
  { names: ['index-BxYz12ab.js', 'icon-192x192.png', 'icon-512x512.png'], keeps: false },
  { names: ['index-BxYz12ab.js', 'my-photo-20240101.jpg'], keeps: false },
  { names: ['index-BxYz12ab.js', 'photos-20240101/a.jpg'], keeps: false },
  { names: ['index-BxYz12ab.js', 'IMG-20240101_Paris.jpg'], keeps: false },
  { names: ['index-BxYz12ab.js', 'Report-Version2.pdf'], keeps: false },
  { names: ['index-BxYz12ab.js', 'Map-Paris_2024.png'], keeps: false },
  { names: ['photo-Bx-z12ab.png', 'logo-3XKQZ7AB.svg', 'parts-1234a6/worker.js'], keeps: true },
  { names: ['i18n/en.json'], keeps: false },
])('browsers may keep `assets` for ever: $keeps, with $names', async ({ names, keeps }) => {
  for (const name of names) {
    mkdirSync(dirname(join(folder, 'assets', name)), { recursive: true });
    writeFileSync(join(folder, 'assets', name), '');
  }
  await run();
  const samples = ['_headers', 'hosting/Caddyfile', 'hosting/nginx.conf'];
  expect(samples.map((name) => read(name).includes('immutable'))).toEqual(samples.map(() => keeps));
});

test.each(['\n', '\r\n'])(
  'the rules that a site has in its own `_headers` stay, also in a later run (%j)',
  async (end) => {
    const own = ['/*', '  x-frame-options: DENY', '/old/*', '  x-robots-tag: noindex', ''];
    writeFileSync(join(folder, '_headers'), own.join(end));
    await run('--path', '/first/');
    await run();
    const others = { '/*': { 'x-frame-options': 'DENY' }, '/old/*': { 'x-robots-tag': 'noindex' } };
    expect(readHeadersFile(read('_headers'))).toMatchObject(others);
    expect(read('_headers').split('content-security-policy:')).toHaveLength(2);
    expect(read('_headers')).not.toContain('/first/');
    const once = read('_headers');
    await run();
    expect(read('_headers')).toBe(once);
  },
);

const START = '# The rules of Tabserve. Its next run replaces them.\n';
const END = '# The end of the rules of Tabserve.\n';

test.each([
  ['without their end mark', (written: string) => written.replace(END, '')],
  ['without their start mark', (written: string) => written.replace(START, '')],
  ['whose marks have changed places', (written: string) => END + written.replace(END, '')],
  ['that were copied', (written: string) => written + written],
])('rules of an earlier run %s are not written beside new ones', async (_what, edit) => {
  await run();
  const edited = edit(`${read('_headers')}/old/*\n  x-robots-tag: noindex\n`);
  writeFileSync(join(folder, '_headers'), edited);
  const failure = await run('--path', '/tabserve/').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CommandFailure);
  expect(String(failure)).toContain(join(folder, '_headers'));
  expect(read('_headers')).toBe(edited);
});

test.each([
  [['--path', '/a b/'], 'not "/a b/"'],
  [['more'], 'one folder'],
  [['--no-model-hosts', '--model-host', 'https://a.example'], 'cannot stand beside'],
] as const)('%j is refused', async ([...words], says) => {
  await expect(run(...words)).rejects.toThrow(says);
});

test('a folder that is no built site is refused', async () => {
  mkdirSync(join(folder, 'empty'));
  const words = [join(folder, 'empty')];
  await expect(host(words, {} as Parameters<typeof host>[1], new AbortController().signal)).rejects.toThrow(
    CommandFailure,
  );
});
