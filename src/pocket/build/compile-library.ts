import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main as compile } from 'assemblyscript/asc';
import { MAX_BATCH, planEncoderKernels } from './plan-encoder-kernels.ts';
import { planKernels } from './plan-kernels.ts';
import type { ModelShape } from './model-shape.ts';
import { listEncoderParameters, listParameters, type Parameter } from './list-parameters.ts';
import type { KernelPlan } from './specialise-kernel.ts';

const root = fileURLToPath(new URL('../library', import.meta.url));

/** Parts of a library for one kind of model: its entry file in `library/`, kernels and tensors. */
interface LibraryPlan extends KernelPlan {
  entry: string;
  parameters: Parameter[];
  /** Fields of `_metadata` that depend on the kind of model. */
  metadata: Record<string, unknown>;
}

export function compileLibrary(shape: ModelShape): Promise<Uint8Array<ArrayBuffer>> {
  return assembleLibrary(shape, {
    entry: 'chat-library.ts',
    ...planKernels(shape),
    parameters: listParameters(shape),
    metadata: { model_type: 'llama', kv_state_kind: 'kv_cache', max_batch_size: 1 },
  });
}

/**
 * Compiles the library for embedding models of this shape. It needs one layer, as many key-value heads as heads, and a
 * prefill chunk as long as the context.
 */
export function compileEncoderLibrary(shape: ModelShape): Promise<Uint8Array<ArrayBuffer>> {
  return assembleLibrary(shape, {
    entry: 'embedding-library.ts',
    ...planEncoderKernels(shape),
    parameters: listEncoderParameters(shape),
    metadata: { model_type: 'encoder', kv_state_kind: 'none', max_batch_size: MAX_BATCH },
  });
}

async function assembleLibrary(shape: ModelShape, plan: LibraryPlan): Promise<Uint8Array<ArrayBuffer>> {
  const data = packageData(shape, plan);
  let compiled: Uint8Array | undefined;
  const { error, stderr } = await compile(
    [
      plan.entry,
      '--outFile',
      'library.wasm',
      '--baseDir',
      root,
      '--runtime',
      'minimal',
      // WebLLM does not provide the import `abort`, and calls `_initialize` itself.
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

/** Source of the module `package-data` that the library imports: the model's shape and texts. */
function packageData(shape: ModelShape, plan: LibraryPlan): string {
  const { kernels, numbers: launches, parameters } = plan;
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
    PARAMETERS: parameters.length,
    ...launches,
    KERNEL_COUNT: kernels.length,
    ...Object.fromEntries(kernels.map(({ name }, index) => [`KERNEL_${name.toUpperCase()}`, index])),
  };
  const table = Object.fromEntries(kernels.map(({ name, description }) => [name, description]));
  const texts = [
    JSON.stringify(makeMetadata(shape, plan)),
    JSON.stringify(table),
    ...kernels.flatMap(({ name, description, code }) => [name, JSON.stringify(description), code]),
  ];
  return [
    ...Object.entries(numbers).map(([name, value]) => `export const ${name}: i32 = ${value};`),
    `export const ROPE_THETA: f64 = ${shape.ropeTheta};`,
    `export const GLOBAL_HEADS: StaticArray<i32> = [${globalHeads(shape).join(', ')}];`,
    `export const TEXTS: usize = memory.data<u8>([${lengthPrefixed(texts).join(',')}]);`,
  ].join('\n');
}

/** Returns, for each layer, the number of query heads that see all positions. */
function globalHeads({ layers, heads, keyValueHeads, globalKeyValueHeads }: ModelShape): number[] {
  return Array.from({ length: layers }, (_, layer) => ((globalKeyValueHeads[layer] ?? 0) * heads) / keyValueHeads);
}

/**
 * Returns the result of the library's function `_metadata`, from which WebLLM reads the parameters, the chunk size and
 * the kind of cache.
 */
function makeMetadata(shape: ModelShape, { metadata, parameters }: LibraryPlan): Record<string, unknown> {
  return {
    ...metadata,
    quantization: `q${shape.weightBits}f32`,
    context_window_size: shape.contextWindow,
    sliding_window_size: -1,
    attention_sink_size: -1,
    prefill_chunk_size: shape.prefillChunk,
    tensor_parallel_shards: 1,
    params: parameters,
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
