import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { missingIn } from './missing-members.ts';

const bundle = readFileSync(fileURLToPath(import.meta.resolve('@mlc-ai/web-llm')), 'utf8');

test('the pinned WebLLM has every member that the adapter needs', () => {
  expect(missingIn(bundle)).toEqual(new Map());
});

test.each([
  'embedAndForward',
  'filledKVCacheLength',
  'device.sync',
  'embedding.embedStep',
  'engine.unload',
  'tokenizer.encode',
  'tvm.scalar',
  'tvm.lib.webGPUContext.pendingEncoder',
  'tvm.rng.randomFloat',
])('a WebLLM in which %s is renamed is reported to lack it', (path) => {
  const name = path.split('.').at(-1)!;
  const renamed = bundle.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}Renamed`);
  expect([...missingIn(renamed).values()].flat()).toContain(path);
});
