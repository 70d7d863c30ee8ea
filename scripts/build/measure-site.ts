import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The measured size of a part of the built site. */
export interface PartSize {
  readonly name: string;
  readonly files: number;
  /** Bytes on disk. */
  readonly raw: number;
  /** Sum of the files' compressed sizes in bytes. */
  readonly gzip: number;
  readonly limit?: SizeLimit;
}

interface SizeLimit {
  readonly of: 'raw' | 'gzip';
  readonly bytes: number;
}

interface Part {
  readonly name: string;
  readonly limit?: SizeLimit;
  /** Whether the file belongs to this part. Paths are relative to the site's root, with `/`. */
  has(path: string): boolean;
}

/** Measures the parts of a built site. Every file counts in exactly one part. */
export function measureSite(folder: string): PartSize[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    );
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const firstScripts = scriptsLoadedAtOnce(read('index.html'));
  const scripts = files.filter((path) => path.endsWith('.js'));
  const engineScripts = scriptsFrom(/(^|\/)engine-worker-/, scripts, read, (text, name) => text.includes(name));
  const nextScripts = scriptsFrom(/(^|\/)(early|lazy)-parts-/, scripts, read, importsAtOnce);
  const parts: Part[] = [
    {
      name: 'service worker',
      limit: { of: 'gzip', bytes: 64_000 },
      has: (path) => path === 'site-service-worker.js',
    },
    {
      name: 'page scripts before lazy parts',
      limit: { of: 'gzip', bytes: 60_000 },
      has: (path) => firstScripts.has(path),
    },
    {
      // Web Awesome, which menus and dialogs load, would exceed the limit.
      name: 'page scripts that every chat loads next',
      limit: { of: 'gzip', bytes: 75_000 },
      has: (path) => nextScripts.has(path),
    },
    { name: 'llama.cpp', has: (path) => path.startsWith('assets/llama-cpp-') },
    { name: 'CMaps of PDFs', has: (path) => path.startsWith('tabserve-document-reader/pdf-cmaps/') },
    { name: 'reader of documents', has: (path) => path.startsWith('tabserve-document-reader/') },
    { name: 'engine worker with WebLLM', has: (path) => engineScripts.has(path) },
    {
      name: 'service worker, where there are upstreams',
      limit: { of: 'gzip', bytes: 12_000 },
      has: (path) => path === 'tabserve-upstreams.js',
    },
    { name: 'page scripts loaded when needed', has: (path) => path.endsWith('.js') },
    { name: 'page and styles', has: (path) => /\.(html|css)$/.test(path) },
    {
      name: 'built-in embedding model',
      limit: { of: 'raw', bytes: 4_000_000 },
      has: (path) => path.startsWith('models/pocket-embed/'),
    },
    {
      name: 'built-in chat model, without WebGPU',
      limit: { of: 'raw', bytes: 8_000_000 },
      has: (path) => path === 'models/pocket/pocket.gguf',
    },
    { name: 'built-in chat model', limit: { of: 'raw', bytes: 6_000_000 }, has: (path) => path.startsWith('models/') },
    { name: 'everything else', has: () => true },
  ];
  const sorted = files.map((path) => ({ path, part: parts.find((part) => part.has(path)) }));
  return parts.map((part) => {
    const contents = sorted.filter((file) => file.part === part).map(({ path }) => readFileSync(join(folder, path)));
    return {
      name: part.name,
      files: contents.length,
      raw: sum(contents.map((content) => content.length)),
      gzip: sum(contents.map((content) => gzipSync(content).length)),
      ...(part.limit ? { limit: part.limit } : {}),
    };
  });
}

/** Returns the scripts that load before the page shows anything: the entry and its static imports. */
function scriptsLoadedAtOnce(html: string): Set<string> {
  const tags = html.match(/<script\b[^>]*>|<link\b[^>]*rel="modulepreload"[^>]*>/g) ?? [];
  const addresses = tags.flatMap((tag) => /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? []);
  return new Set(addresses.map((address) => address.replace(/^\.?\//, '')));
}

/**
 * Returns some scripts and those that they load, directly or indirectly.
 * @param loads Whether a script with this text loads the script of this name.
 */
function scriptsFrom(
  start: RegExp,
  scripts: readonly string[],
  read: (path: string) => string,
  loads: (text: string, name: string) => boolean,
): Set<string> {
  const found = new Set(scripts.filter((path) => start.test(path)));
  for (const path of found) {
    const text = read(path);
    for (const other of scripts) if (loads(text, basename(other))) found.add(other);
  }
  return found;
}

function importsAtOnce(text: string, name: string): boolean {
  return text.includes(`from"./${name}"`) || text.includes(`import"./${name}"`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
