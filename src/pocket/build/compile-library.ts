import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main as compile } from 'assemblyscript/asc';
import { planKernels, type KernelPlan } from './kernels.ts';
import type { ModelShape } from './model-shape.ts';
import { listParameters } from './parameters.ts';

const root = fileURLToPath(new URL('../library', import.meta.url));

/** Compiles the model library for models of this shape. */
export async function compileLibrary(shape: ModelShape): Promise<Uint8Array<ArrayBuffer>> {
  const data = packageData(shape, planKernels(shape));
  let compiled: Uint8Array | undefined;
  const { error, stderr } = await compile(
    [
      'index.ts',
      '--outFile',
      'library.wasm',
      '--baseDir',
      root,
      '--runtime',
      'minimal',
      // WebLLM links nothing but a handful of its own functions and calls `_initialize` itself.
      '--use',
      'abort=',
      '--exportStart',
      '_initialize',
      '--optimizeLevel',
      '3',
      '--shrinkLevel',
      '1',
      '--noAssert',
    ],
    {
      readFile: async (name) => {
        if (name === 'package-data.ts') return data;
        return readFile(join(root, name), 'utf8').catch(() => null);
      },
      writeFile: (name, contents) => {
        if (name === 'library.wasm') compiled = contents as unknown as Uint8Array;
      },
      listFiles: () => [],
    },
  );
  if (error || !compiled) throw new Error(`AssemblyScript failed: ${stderr.toString()}`);
  return new Uint8Array(compiled);
}

/** The module `package-data` that the library imports: the model's shape and its texts. */
function packageData(shape: ModelShape, { kernels, numbers: launches }: KernelPlan): string {
  const numbers = {
    LAYERS: shape.layers,
    HIDDEN: shape.hidden,
    HEADS: shape.heads,
    KEY_VALUE_HEADS: shape.keyValueHeads,
    HEAD_DIMENSION: shape.headDimension,
    INTERMEDIATE: shape.intermediate,
    VOCABULARY: shape.vocabulary,
    CONTEXT: shape.contextWindow,
    PREFILL_CHUNK: shape.prefillChunk,
    WEIGHTS_SCALED: shape.weightBits === 32 ? 0 : 1,
    ...launches,
    KERNEL_COUNT: kernels.length,
    ...Object.fromEntries(kernels.map(({ name }, index) => [`KERNEL_${name.toUpperCase()}`, index])),
  };
  const table = Object.fromEntries(kernels.map(({ name, description }) => [name, description]));
  const texts = [
    JSON.stringify(makeMetadata(shape)),
    JSON.stringify(table),
    ...kernels.flatMap(({ name, description, code }) => [name, JSON.stringify(description), code]),
  ];
  return [
    ...Object.entries(numbers).map(([name, value]) => `export const ${name}: i32 = ${value};`),
    `export const ROPE_THETA: f64 = ${shape.ropeTheta};`,
    `export const TEXTS: usize = memory.data<u8>([${lengthPrefixed(texts).join(',')}]);`,
  ].join('\n');
}

/** What `_metadata` answers: WebLLM reads the parameters, the chunk size and the kind of cache. */
function makeMetadata(shape: ModelShape): Record<string, unknown> {
  return {
    model_type: 'llama',
    quantization: `q${shape.weightBits}f32`,
    kv_state_kind: 'kv_cache',
    context_window_size: shape.contextWindow,
    sliding_window_size: -1,
    attention_sink_size: -1,
    prefill_chunk_size: shape.prefillChunk,
    max_batch_size: 1,
    tensor_parallel_shards: 1,
    params: listParameters(shape),
  };
}

function lengthPrefixed(texts: string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}
