// Runs in the page: the unmodified WebLLM, its private low-level parts, and counters of WebGPU use.

import type { MLCEngine } from '@mlc-ai/web-llm';

interface Disposable { dispose(): void }
interface Tensor extends Disposable {
  shape: number[];
  copyFrom(data: Tensor | number[]): Tensor;
  copyFromRawBytes(data: Uint8Array): Tensor;
  toArray(): Float32Array | Int32Array;
}
interface TensorArray extends Disposable { get(index: number): Tensor }
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
  makeShapeTuple(shape: number[]): unknown;
}

/** The parts of WebLLM's pipeline that the tests reach into. */
export interface Pipeline {
  tvm: Runtime;
  device: { sync(): Promise<void> };
  kvCache: unknown;
  filledKVCacheLength: number;
  vm: { getFunction(name: string): PackedFunction };
  resetChat(): void;
  embedAndForward(chunks: number[][], length: number): Promise<Tensor>;
}

/** What the page has asked of WebGPU so far. */
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

export async function load(model: string, chatOptions?: object): Promise<MLCEngine> {
  const webLlm = await import('/web-llm.js' as string) as typeof import('@mlc-ai/web-llm');
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
      model_list: [{ model: modelUrl, model_id: model, model_lib: `${modelUrl}library.wasm` }],
    },
  });
  await engine.reload(model, chatOptions);
  const pipelines = (engine as unknown as { loadedModelIdToPipeline: Map<string, Pipeline> })
    .loadedModelIdToPipeline;
  pipeline = pipelines.get(model)!;
  return engine;
}

export function getEngine(): MLCEngine {
  return engine;
}

export function getPipeline(): Pipeline {
  return pipeline;
}

/** Logits after each chunk of tokens, continuing from what the cache holds. */
export async function forward(chunks: number[][]): Promise<number[][]> {
  const logits: number[][] = [];
  for (const chunk of chunks) {
    pipeline.tvm.beginScope();
    logits.push([...await read(await pipeline.embedAndForward([chunk], chunk.length))]);
    pipeline.tvm.endScope();
  }
  return logits;
}

/** Like `forward`, from an empty cache. */
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

/** Content of a GPU tensor. */
export async function read(tensor: Tensor, dtype = 'float32'): Promise<Float32Array | Int32Array> {
  const { tvm } = pipeline;
  tvm.beginScope();
  const copy = tvm.empty(tensor.shape, dtype, tvm.cpu()).copyFrom(tensor);
  await pipeline.device.sync();
  const values = copy.toArray();
  tvm.endScope();
  return values;
}

/** Calls a function of the model library with values made by `prepare`, within its own scope. */
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

export type { Tensor, TensorArray };
