import { MLCEngine } from '@mlc-ai/web-llm';
import { engineLibraryUrl, engineModelUrl } from '../../../src/engine-worker/models/package/package-address.ts';
import { createWebLlmEngine } from '../../../src/engine-worker/webllm/create-webllm-engine.ts';
import {
  FEWER_GPU_CALLS,
  FEWER_GPU_CALLS_FOR_EMBEDDINGS,
} from '../../../src/engine-worker/webllm/gpu-calls/fewer-gpu-calls.ts';
import { applyExtensions } from '../../../src/engine-worker/webllm/pipeline/apply-extensions.ts';
import type { Extension, ExtendedModel } from '../../../src/engine-worker/webllm/pipeline/extension.ts';
import type { WebLlmPipeline } from '../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';
import { builtInModels } from '../../../src/shared/models/built-in-models.ts';

/** WebGPU calls that reach the browser. */
export interface GpuCalls {
  readonly groups: number;
  readonly passes: number;
  readonly uniformWrites: number;
}

const calls = { groups: 0, passes: 0, uniformWrites: 0 };
const { createBindGroup } = GPUDevice.prototype;
GPUDevice.prototype.createBindGroup = function count(descriptor) {
  calls.groups++;
  return createBindGroup.call(this, descriptor);
};
const { beginComputePass } = GPUCommandEncoder.prototype;
GPUCommandEncoder.prototype.beginComputePass = function count(descriptor) {
  calls.passes++;
  return beginComputePass.call(this, descriptor);
};
const { writeBuffer } = GPUQueue.prototype;
GPUQueue.prototype.writeBuffer = function count(...parameters: Parameters<GPUQueue['writeBuffer']>) {
  // oxlint-disable-next-line no-bitwise -- a flag
  if (parameters[0].usage & GPUBufferUsage.UNIFORM) calls.uniformWrites++;
  return writeBuffer.apply(this, parameters);
};

interface EmbeddingPipeline {
  embedStep(texts: readonly (readonly number[])[]): Promise<readonly (readonly number[])[]>;
}

/** Loads a built-in model into an engine of its own, and so on a device of its own. Its methods are WebLLM's own. */
async function load<Pipeline extends object>(
  entry: (typeof MODELS)[number],
  extension?: Extension<string, unknown, never>,
): Promise<Pipeline> {
  const { id, modelUrl, libraryUrl } = entry;
  // Puts the model's files into the caches where WebLLM looks for them.
  const adapter = createWebLlmEngine();
  await adapter.load(entry, () => {}, new AbortController().signal);
  await adapter.unload();
  const record = {
    model: engineModelUrl(modelUrl),
    model_id: id,
    model_lib: engineLibraryUrl(libraryUrl),
    model_type: entry.embedding ? 1 : 0,
  };
  const engine = new MLCEngine({ logLevel: 'WARN', appConfig: { model_list: [record], cacheBackend: 'cache' } });
  await engine.reload(id);
  const { loadedModelIdToPipeline } = engine as unknown as { loadedModelIdToPipeline: Map<string, Pipeline> };
  const pipeline = loadedModelIdToPipeline.get(id)!;
  if (extension !== undefined) {
    const { extensions } = await applyExtensions(pipeline, [extension], { entry } as ExtendedModel);
    if (extensions[0]?.off !== null) throw new Error(extensions[0]?.off);
  }
  return pipeline;
}

const MODELS = builtInModels(`${location.origin}/`);

/** Returns the logits after these tokens, which follow those that the KV cache has. */
async function forward(pipeline: WebLlmPipeline, tokens: readonly number[]): Promise<Float32Array> {
  pipeline.tvm.beginScope();
  try {
    const copy = pipeline.updateLogitsOnCPU(await pipeline.embedAndForward([tokens], tokens.length));
    await pipeline.device.sync();
    return Float32Array.from(copy.toArray());
  } finally {
    pipeline.tvm.endScope();
  }
}

function removeLast(pipeline: WebLlmPipeline, count: number): void {
  const { kvCache, tvm } = pipeline;
  const pop = pipeline.getKVCheckpointFunc('vm.builtin.kv_state_popn');
  pop(kvCache, tvm.scalar(0, 'int64'), tvm.scalar(count, 'int64'));
  pipeline.filledKVCacheLength -= count;
}

function empty(pipeline: WebLlmPipeline): void {
  pipeline.resetKVCache();
  pipeline.filledKVCacheLength = 0;
}

function likeliest(logits: Float32Array): number {
  return logits.indexOf(logits.reduce((most, logit) => Math.max(most, logit)));
}

const prompt = (length: number, first: number) =>
  Array.from({ length }, (_, index) => 300 + ((first + index * 37) % 900));

/**
 * Computes the same in a model with the extension, in a second one, and in one without: prompts, answers of 100 tokens,
 * prompts that share a prefix with the last one, and prompts that were given up. The three models take turns.
 *
 * @returns the number of compared steps, and those in which a bit of the logits differed.
 */
export async function compareLogits(): Promise<{ readonly steps: number; readonly different: readonly string[] }> {
  const alone = await load<WebLlmPipeline>(MODELS[0]);
  const extended = [
    await load<WebLlmPipeline>(MODELS[0], FEWER_GPU_CALLS),
    await load<WebLlmPipeline>(MODELS[0], FEWER_GPU_CALLS),
  ];
  const all = [alone, ...extended];
  const different: string[] = [];
  let steps = 0;
  const step = async (name: string, tokens: readonly number[]) => {
    const right = await forward(alone, tokens);
    for (const pipeline of extended) {
      const logits = await forward(pipeline, tokens);
      steps++;
      if (!right.every((logit, index) => Object.is(logit, logits[index]))) different.push(`${name}, step ${steps}`);
    }
    return likeliest(right);
  };
  const answer = async (name: string, tokens: readonly number[], length: number) => {
    let token = await step(name, tokens);
    for (let count = 0; count < length; count++) token = await step(name, [token]);
  };
  for (const pipeline of all) empty(pipeline);
  await answer('the first answer', prompt(40, 0), 100);
  for (const pipeline of all) removeLast(pipeline, 110);
  await answer('after a common prefix', prompt(50, 5), 100);
  for (const pipeline of all) {
    empty(pipeline);
    // Encoded and never awaited, like the chunk of a prompt that is aborted.
    pipeline.tvm.beginScope();
    await pipeline.embedAndForward([prompt(30, 9)], 30);
    pipeline.tvm.endScope();
    empty(pipeline);
  }
  await answer('after a prompt that was given up', prompt(7, 3), 20);
  return { steps, different };
}

/** Embeds batches of several shapes with and without the extension. @returns the batches whose vectors differ. */
export async function compareEmbeddings(): Promise<readonly number[]> {
  const alone = await load<EmbeddingPipeline>(MODELS[1]);
  const extended = await load<EmbeddingPipeline>(MODELS[1], FEWER_GPU_CALLS_FOR_EMBEDDINGS);
  const different: number[] = [];
  for (const [index, lengths] of [[5], [40, 3], [5], [200], [40, 3], [5, 5, 5]].entries()) {
    const texts = lengths.map((length) => prompt(length, index));
    const [right, vectors] = [await alone.embedStep(texts), await extended.embedStep(texts)];
    if (JSON.stringify(right) !== JSON.stringify(vectors)) different.push(index);
  }
  return different;
}

/** Decodes with the extension. @returns the calls of each of the last tokens. */
export async function callsOfDecoding(): Promise<readonly GpuCalls[]> {
  const pipeline = await load<WebLlmPipeline>(MODELS[0], FEWER_GPU_CALLS);
  empty(pipeline);
  let token = likeliest(await forward(pipeline, prompt(40, 0)));
  const counts: GpuCalls[] = [];
  for (let step = 0; step < 20; step++) {
    Object.assign(calls, { groups: 0, passes: 0, uniformWrites: 0 });
    token = likeliest(await forward(pipeline, [token]));
    if (step >= 10) counts.push({ ...calls });
  }
  return counts;
}
