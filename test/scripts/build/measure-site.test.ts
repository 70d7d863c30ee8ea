import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { measureSite } from '../../../scripts/build/measure-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabserve-sizes-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('each file of a site is counted in exactly one group', () => {
  const files = {
    'index.html':
      '<script type="module" crossorigin src="/assets/index-1.js"></script><link rel="modulepreload" crossorigin href="/assets/shared-2.js">',
    'assets/index-1.js': 'import("./lazy-3.js")',
    'assets/shared-2.js': 'x'.repeat(1000),
    'assets/lazy-3.js': 'y',
    'assets/early-parts-9.js': 'import"./index-1.js";import{a}from"./part-10.js";import("./lazy-3.js")'.padEnd(90),
    'assets/part-10.js': 'p'.repeat(10),
    'assets/index-4.css': 'b{}',
    'site-service-worker.js': 's'.repeat(500),
    'tabserve-upstreams.js': 'u'.repeat(300),
    'models/pocket/weights.bin': 'w'.repeat(2000),
    'models/pocket/pocket.gguf': 'g'.repeat(500),
    'models/pocket-embed/weights.bin': 'v'.repeat(300),
    'assets/engine-worker-5.js': 'import("./webllm-6.js")'.padEnd(3000),
    'assets/webllm-6.js': 'e'.repeat(4000),
    'assets/llama-cpp-7/wllama.js': 'l'.repeat(200),
    'tabserve-document-reader/document-worker.js': 'd'.repeat(50),
    'tabserve-document-reader/pdf-cmaps/UniGB-UCS2-H.bcmap': 'c'.repeat(100),
    'icons/icon.svg': '<svg/>',
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const parts = measureSite(folder);
  expect(Object.fromEntries(parts.map(({ name, files, raw }) => [name, [files, raw]]))).toEqual({
    'service worker': [1, 500],
    'service worker, where there are upstreams': [1, 300],
    'page scripts before lazy parts': [2, files['assets/index-1.js'].length + 1000],
    'page scripts that every chat loads next': [2, 100],
    'page scripts loaded when needed': [1, 1],
    'engine worker with WebLLM': [2, 7000],
    'llama.cpp': [1, 200],
    'CMaps of PDFs': [1, 100],
    'reader of documents': [1, 50],
    'page and styles': [2, files['index.html'].length + 3],
    'built-in embedding model': [1, 300],
    'built-in chat model, without WebGPU': [1, 500],
    'built-in chat model': [1, 2000],
    'everything else': [1, 6],
  });
  // A thousand equal letters are tiny when compressed: the limit applies to compressed sizes.
  expect(parts[1]!.gzip).toBeLessThan(200);
});
