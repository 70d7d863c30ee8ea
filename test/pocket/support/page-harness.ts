// Runs in the page: the unmodified WebLLM, its private low-level parts, and counters of WebGPU use.

import type * as WebLlm from '@mlc-ai/web-llm';
import type { MLCEngine } from '@mlc-ai/web-llm';

interface Disposable {
  dispose(): void;
}
interface Tensor extends Disposable {
  shape: number[];
  copyFrom(data: Tensor | number[]): Tensor;
  copyFromRawBytes(data: Uint8Array): Tensor;
  toArray(): Float32Array | Int32Array;
}
interface TensorArray extends Disposable {
  get(index: number): Tensor;
}
type PackedFunction = ((...args: unknown[]) => unknown) & Disposable;
interface Runtime {
  memory: { memory: WebAssembly.Memory };
  beginScope(): void;
  endScope(): void;
  cpu(): unknown;
  webgpu(): unknown;
  empty(shape: number[], dtype: string, device: unknown): Tensor;
  getGlobalFunc(name: string): PackedFunction;
  scalar(value: number, dtype: string): unknown;
  sampleTopPFromLogits(logits: Tensor, temperature: number, topP: number): number;
  sampleTopPFromProb(probabilities: Tensor, topP: number): number;
  applySoftmaxWithTemperature(logits: Tensor, temperature: number): void;
  applyRepetitionPenalty(logits: Tensor, tokens: Tensor, penalty: number): void;
  applyPresenceAndFrequencyPenalty(
    logits: Tensor,
    tokens: Tensor,
    counts: Tensor,
    presence: number,
    frequency: number,
  ): void;
  rng: { randomFloat(): number };
}

/** The members of WebLLM's pipeline that the tests use. */
export interface Pipeline {
  tvm: Runtime;
  device: { sync(): Promise<void> };
  tokenizer: { encode(text: string): Int32Array };
  kvCache: unknown;
  filledKVCacheLength: number;
  vm: { getFunction(name: string): PackedFunction };
  resetChat(): void;
  embedAndForward(chunks: number[][], length: number): Promise<Tensor>;
  exportPromptCheckpoint(logits: unknown, storeLogits: boolean): Promise<Checkpoint>;
  importPromptCheckpoint(checkpoint: Checkpoint): Promise<void>;
}

export interface Checkpoint {
  processedSeqLen: number;
  metadata: Record<string, unknown>;
  pageGroups: { groupId: number; data: Uint8Array }[];
}

/** Counts of the page's WebGPU calls so far. */
export const counters = { buffers: 0, bytes: 0, created: 0, dispatches: 0, submits: 0 };

const sizes = new WeakMap<GPUBuffer, number>();
const { createBuffer } = GPUDevice.prototype;
GPUDevice.prototype.createBuffer = function count(descriptor) {
  const buffer = createBuffer.call(this, descriptor);
  sizes.set(buffer, descriptor.size);
  counters.buffers += 1;
  counters.created += 1;
  counters.bytes += descriptor.size;
  return buffer;
};
const { destroy } = GPUBuffer.prototype;
GPUBuffer.prototype.destroy = function count() {
  counters.buffers -= 1;
  counters.bytes -= sizes.get(this) ?? 0;
  return destroy.call(this);
};
const { dispatchWorkgroups } = GPUComputePassEncoder.prototype;
GPUComputePassEncoder.prototype.dispatchWorkgroups = function count(...args) {
  counters.dispatches += 1;
  return dispatchWorkgroups.apply(this, args);
};
const { submit } = GPUQueue.prototype;
GPUQueue.prototype.submit = function count(commands) {
  counters.submits += 1;
  return submit.call(this, commands);
};

/** Messages of WebGPU validation errors, which WebLLM only logs. */
export const gpuErrors: string[] = [];

let engine: MLCEngine;
let pipeline: Pipeline;

/** @param modelType WebLLM's number for the kind of model; 1 for an embedding model. */
export async function load(model: string, chatOptions?: object, modelType = 0): Promise<MLCEngine> {
  const webLlm = (await import('/web-llm.js' as string)) as typeof WebLlm;
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function listen(descriptor) {
    const device = await requestDevice.call(this, descriptor);
    device.addEventListener('uncapturederror', (event) => gpuErrors.push(event.error.message));
    return device;
  };
  const modelUrl = `${location.origin}/${model}/`;
  engine = new webLlm.MLCEngine({
    logLevel: 'WARN',
    appConfig: {
      model_list: [{ model: modelUrl, model_id: model, model_lib: `${modelUrl}library.wasm`, model_type: modelType }],
    },
  });
  await engine.reload(model, chatOptions);
  const pipelines = (engine as unknown as { loadedModelIdToPipeline: Map<string, Pipeline> }).loadedModelIdToPipeline;
  pipeline = pipelines.get(model)!;
  return engine;
}

export function getEngine(): MLCEngine {
  return engine;
}

export function getPipeline(): Pipeline {
  return pipeline;
}

/** Returns the embeddings of texts or of lists of tokens, computed by WebLLM's engine. */
export async function embed(input: string[] | number[][]): Promise<number[][]> {
  const { data } = await engine.embeddings.create({ input });
  return data.map(({ embedding }) => embedding);
}

/** Returns the logits after each chunk of tokens, continuing from the KV cache. */
export async function forward(chunks: number[][]): Promise<number[][]> {
  const logits: number[][] = [];
  for (const chunk of chunks) {
    pipeline.tvm.beginScope();
    logits.push([...(await read(await pipeline.embedAndForward([chunk], chunk.length)))]);
    pipeline.tvm.endScope();
  }
  return logits;
}

/** Like `forward`, from an empty KV cache. */
export async function forwardAnew(chunks: number[][]): Promise<number[][]> {
  pipeline.resetChat();
  return forward(chunks);
}

export function toGpu(data: number[], shape: number[], dtype: 'float32' | 'int32'): Tensor {
  return pipeline.tvm.empty(shape, dtype, pipeline.tvm.webgpu()).copyFrom(data);
}

export function toCpu(data: number[], shape: number[], dtype: 'float32' | 'int32'): Tensor {
  return pipeline.tvm.empty(shape, dtype, pipeline.tvm.cpu()).copyFrom(data);
}

/** Returns the content of a GPU tensor. */
export async function read(tensor: Tensor, dtype = 'float32'): Promise<Float32Array | Int32Array> {
  const { tvm } = pipeline;
  tvm.beginScope();
  const copy = tvm.empty(tensor.shape, dtype, tvm.cpu()).copyFrom(tensor);
  await pipeline.device.sync();
  const values = copy.toArray();
  tvm.endScope();
  return values;
}

/** Calls a function of the model library, or a global one, within its own scope. */
export async function withLibrary<Result>(
  name: string,
  use: (called: PackedFunction) => Result | Promise<Result>,
): Promise<Result> {
  const { tvm, vm } = pipeline;
  tvm.beginScope();
  try {
    return await use(name.includes('.') ? tvm.getGlobalFunc(name) : vm.getFunction(name));
  } finally {
    tvm.endScope();
  }
}

/** Returns the two tensors of a result pair. */
export function items(pair: TensorArray): [Tensor, Tensor] {
  return [pair.get(0), pair.get(1)];
}

/** Sorts and samples as WebLLM does for a token. */
export async function sampleTopP(probabilities: number[], topP: number, uniform: number): Promise<number> {
  return withLibrary('sample_with_top_p', async (sample) => {
    const argsort = pipeline.vm.getFunction('argsort_probs');
    const [sorted, tokens] = items(argsort(toGpu(probabilities, [1, probabilities.length], 'float32')) as TensorArray);
    const sampled = sample(
      sorted,
      tokens,
      toGpu([uniform], [1], 'float32'),
      toGpu([0], [1], 'int32'),
      toGpu([topP], [1], 'float32'),
    ) as Tensor;
    return (await read(sampled, 'int32'))[0]!;
  });
}

/** Samples from the logits with the runtime's own functions and known random numbers. */
export function cpuSampling(logits: number[]) {
  const { tvm } = pipeline;
  tvm.beginScope();
  const fresh = () => toCpu(logits, [1, 1, logits.length], 'float32');
  const uniforms = [0.001, 0.2, 0.5, 0.77, 0.9999];
  const next = { at: 0 };
  tvm.rng.randomFloat = () => uniforms[next.at++ % uniforms.length]!;
  const probabilities = fresh();
  tvm.applySoftmaxWithTemperature(probabilities, 0.7);
  const repetition = fresh();
  tvm.applyRepetitionPenalty(repetition, toCpu([5, 80], [2], 'int32'), 1.5);
  const counts = fresh();
  tvm.applyPresenceAndFrequencyPenalty(counts, toCpu([5, 80], [2], 'int32'), toCpu([2, 3], [2], 'int32'), 0.4, 0.2);
  const result = {
    uniforms,
    softmax: [...probabilities.toArray()],
    fromLogits: uniforms.map(() => tvm.sampleTopPFromLogits(fresh(), 0.7, 0.9)),
    fromProbabilities: uniforms.map(() => tvm.sampleTopPFromProb(probabilities, 0.9)),
    repetition: [...repetition.toArray()],
    counts: [...counts.toArray()],
  };
  tvm.endScope();
  return result;
}

export async function exportCheckpoint(): Promise<Checkpoint> {
  return pipeline.exportPromptCheckpoint(undefined, false);
}

export async function importCheckpoint(checkpoint: Checkpoint): Promise<void> {
  return pipeline.importPromptCheckpoint(checkpoint);
}

/** Returns the counts that a memory leak would increase. */
export async function memoryUse() {
  await pipeline.device.sync();
  return { ...counters, linearMemory: pipeline.tvm.memory.memory.buffer.byteLength };
}
