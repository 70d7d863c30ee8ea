import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hub } from '../../../src/command-line/commands/hub.ts';

const library = vi.hoisted(() => ({ folder: '' }));
vi.mock(import('../../../src/command-line/project-folders.ts'), async (original) => ({
  ...(await original()),
  get LIBRARY_FOLDER() {
    return library.folder;
  },
}));

let folder: string;
let options: string;

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  folder = mkdtempSync(join(tmpdir(), 'tabserve-hub-'));
  library.folder = join(folder, 'library');
  options = join(folder, 'hub/tabserve-hub.json');
  mkdirSync(join(library.folder, 'models'), { recursive: true });
  for (const name of ['hub.html', 'hub.js', 'hub-page.html', 'hub-page.js', 'engine-worker.js'])
    writeFileSync(join(library.folder, `tabserve-${name}`), '');
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]) =>
  hub(
    [join(folder, 'hub'), '--site', 'https://a.test', ...words],
    {} as Parameters<typeof hub>[1],
    new AbortController().signal,
  );

test('a hub that is made again, for one more site, keeps the options that were written into its file', async () => {
  await run('--no-model-hosts');
  const written = JSON.parse(readFileSync(options, 'utf8'));
  writeFileSync(options, JSON.stringify({ ...written, default: 'large', catalogue: false }));
  await run('--site', 'https://b.test');
  expect(JSON.parse(readFileSync(options, 'utf8'))).toEqual({ default: 'large', catalogue: false });
});

test('options that cannot be read are not overwritten', async () => {
  await run();
  writeFileSync(options, '{ "default": ');
  await expect(run()).rejects.toThrow('tabserve-hub.json has options that cannot be read');
  expect(readFileSync(options, 'utf8')).toBe('{ "default": ');
});

test('a hub that is made again of a newer version has no older files of llama.cpp and its model beside them', async () => {
  const files = ['tabserve-llama-cpp/llama.wasm', 'models/pocket.gguf', 'tabserve-engine-worker.js'];
  const write = (version: string) => {
    mkdirSync(join(library.folder, 'tabserve-llama-cpp'), { recursive: true });
    for (const name of files) writeFileSync(join(library.folder, name), version);
  };
  write('1');
  await run('--gguf');
  write('2');
  await run();
  expect(files.map((name) => readFileSync(join(folder, 'hub', name), 'utf8'))).toEqual(['2', '2', '2']);
  expect(JSON.parse(readFileSync(options, 'utf8'))).toEqual({ gguf: true });
});
