// Builds the built-in model's library from its package: `npm run build:pocket`.

import { readFile, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compileLibrary } from './compile-library.ts';
import { readModelShape } from './model-shape.ts';
import { listParameters } from './parameters.ts';

const folder = new URL('../../../public/models/pocket/', import.meta.url);
const library = new URL('pocket.wasm', folder);

interface TensorCache {
  records: { dataPath: string; records: { name: string; shape: number[]; dtype: string }[] }[];
}

const config = (await readJson('mlc-chat-config.json')) as { model_config: Record<string, unknown> };
const tensorCache = (await readJson('tensor-cache.json')) as TensorCache;
const shape = readModelShape(config.model_config);
checkParameters(tensorCache);
await writeFile(library, await compileLibrary(shape));
await printSizes();

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(name, folder), 'utf8'));
}

/** A package whose tensors differ from its shape would fail in the browser, and less clearly. */
function checkParameters(cache: TensorCache): void {
  const stored = new Map(cache.records.flatMap(({ records }) => records).map((record) => [record.name, record]));
  for (const { name, shape: sizes, dtype } of listParameters(shape)) {
    const found = stored.get(name);
    const wanted = `${dtype} [${sizes.join(', ')}]`;
    const given = found ? `${found.dtype} [${found.shape.join(', ')}]` : 'missing';
    if (given !== wanted) throw new Error(`tensor-cache.json: ${name} is ${given}, not ${wanted}`);
  }
}

async function printSizes(): Promise<void> {
  const shards = tensorCache.records.map(({ dataPath }) => dataPath);
  const names = ['pocket.wasm', 'mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json', ...shards];
  let total = 0;
  for (const name of names) {
    const { size } = await stat(fileURLToPath(new URL(name, folder)));
    total += size;
    console.log(`${name.padEnd(24)} ${kilobytes(size)}`);
  }
  console.log(`${'Pocket in all'.padEnd(24)} ${kilobytes(total)}`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(12);
}
