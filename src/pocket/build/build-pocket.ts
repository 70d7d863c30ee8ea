// Builds the libraries of the built-in models, and the chat model as a GGUF file, from their packages:
// `npm run build:pocket`.

import { readFile, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compileEncoderLibrary, compileLibrary } from './compile-library.ts';
import { readModelShape } from './model-shape.ts';
import { listEncoderParameters, listParameters, type Parameter } from './list-parameters.ts';
import { pocketGguf } from './gguf/pocket-gguf.ts';

interface TensorCache {
  records: { dataPath: string; records: { name: string; shape: number[]; dtype: string }[] }[];
}

const TEXTS = ['mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json'];

await build('pocket', listParameters, compileLibrary);
await build('pocket-embed', listEncoderParameters, compileEncoderLibrary);
await buildGguf();

/** Writes the library into the package's folder in `public/models/`, and prints the package's size. */
async function build(id: string, list: typeof listParameters, compile: typeof compileLibrary): Promise<void> {
  const folder = new URL(`../../../public/models/${id}/`, import.meta.url);
  const readJson = async (name: string): Promise<unknown> => JSON.parse(await readFile(new URL(name, folder), 'utf8'));
  const config = (await readJson('mlc-chat-config.json')) as { model_config: Record<string, unknown> };
  const tensorCache = (await readJson('tensor-cache.json')) as TensorCache;
  const shape = readModelShape(config.model_config);
  checkParameters(tensorCache, list(shape));
  await writeFile(new URL(`${id}.wasm`, folder), await compile(shape));
  const shards = tensorCache.records.map(({ dataPath }) => dataPath);
  await printSizes(id, folder, [`${id}.wasm`, ...TEXTS, ...shards]);
}

/** Writes `pocket.gguf` beside the package of Pocket. */
async function buildGguf(): Promise<void> {
  const folder = new URL('../../../public/models/pocket/', import.meta.url);
  const read = (name: string) => readFile(new URL(name, folder));
  const readJson = async (name: string): Promise<unknown> => JSON.parse((await read(name)).toString());
  const file = await pocketGguf({
    config: await readJson('mlc-chat-config.json'),
    weights: await readJson('tensor-cache.json'),
    tokenizer: await readJson('tokenizer.json'),
    shard: async (name) => new Uint8Array(await read(name)).buffer,
  });
  await writeFile(new URL('pocket.gguf', folder), new Uint8Array(await file.arrayBuffer()));
  await printSizes('pocket', folder, ['pocket.gguf']);
}

/** Fails early and clearly if the package's tensors do not match its shape. */
function checkParameters(cache: TensorCache, parameters: Parameter[]): void {
  const stored = new Map(cache.records.flatMap(({ records }) => records).map((record) => [record.name, record]));
  for (const { name, shape, dtype } of parameters) {
    const found = stored.get(name);
    const wanted = `${dtype} [${shape.join(', ')}]`;
    const given = found ? `${found.dtype} [${found.shape.join(', ')}]` : 'missing';
    if (given !== wanted) throw new Error(`tensor-cache.json: ${name} is ${given}, not ${wanted}`);
  }
}

async function printSizes(id: string, folder: URL, names: string[]): Promise<void> {
  let total = 0;
  for (const name of names) {
    const { size } = await stat(fileURLToPath(new URL(name, folder)));
    total += size;
    console.log(`${name.padEnd(24)} ${kilobytes(size)}`);
  }
  console.log(`${`${id} in all`.padEnd(24)} ${kilobytes(total)}`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(12);
}
