// Runs in the page: measures the speed of WebLLM with the loaded model, in total and by kernel.

import { counters, embed, getEngine, getPipeline, load } from './page-harness.ts';

interface Launch {
  name: string;
  pipeline: GPUComputePipeline;
  bindings: GPUBindGroup;
  grid: [number, number, number];
}

/** The time of a kernel, and how often it is dispatched. */
export interface KernelTime {
  readonly name: string;
  readonly grid: string;
  readonly launches: number;
  /** Of one dispatch. */
  readonly microseconds: number;
}

/** The form in which WebLLM calls `setBindGroup`. */
type SetBindGroup = (this: GPUComputePassEncoder, index: number, bindings: GPUBindGroup) => undefined;

const names = new WeakMap<GPUComputePipeline, string>();
const passes = new WeakMap<GPUComputePassEncoder, Pick<Launch, 'pipeline' | 'bindings'>>();
let launches: Launch[] | undefined;
let device: GPUDevice;

const { requestDevice } = GPUAdapter.prototype;
GPUAdapter.prototype.requestDevice = async function remember(descriptor) {
  device = await requestDevice.call(this, descriptor);
  return device;
};
const { createComputePipelineAsync } = GPUDevice.prototype;
GPUDevice.prototype.createComputePipelineAsync = async function remember(descriptor) {
  const pipeline = await createComputePipelineAsync.call(this, descriptor);
  names.set(pipeline, descriptor.compute.entryPoint ?? '');
  return pipeline;
};
const { setPipeline, dispatchWorkgroups } = GPUComputePassEncoder.prototype;
const setBindGroup = GPUComputePassEncoder.prototype.setBindGroup as SetBindGroup;
GPUComputePassEncoder.prototype.setPipeline = function remember(pipeline) {
  passes.set(this, { pipeline, bindings: undefined as never });
  return setPipeline.call(this, pipeline);
};
const rememberBindings: SetBindGroup = function remember(index, bindings) {
  passes.get(this)!.bindings = bindings;
  return setBindGroup.call(this, index, bindings);
};
GPUComputePassEncoder.prototype.setBindGroup = rememberBindings;
GPUComputePassEncoder.prototype.dispatchWorkgroups = function remember(x, y = 1, z = 1) {
  const pass = passes.get(this)!;
  launches?.push({ ...pass, name: names.get(pass.pipeline) ?? '', grid: [x, y, z] });
  return dispatchWorkgroups.call(this, x, y, z);
};

/** Loads the model. @returns the milliseconds that this took. */
export async function timeLoading(model: string, modelType = 0): Promise<number> {
  const start = performance.now();
  await load(model, undefined, modelType);
  return performance.now() - start;
}

/** Generates one answer of `tokens` tokens with WebLLM's engine, and measures it. */
export async function timeAnswer(prompt: string, tokens: number, temperature: number) {
  const engine = getEngine();
  await engine.resetChat();
  const before = { ...counters };
  const start = performance.now();
  let first = 0;
  let last = 0;
  let promptTokens = 0;
  const stream = await engine.chat.completions.create({
    messages: [{ role: 'user', content: prompt }],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: tokens,
    temperature,
    ignore_eos: true,
  });
  for await (const { choices, usage } of stream) {
    if (choices.length > 0) last = performance.now();
    first ||= last;
    if (usage) promptTokens = usage.prompt_tokens;
  }
  return {
    promptTokens,
    firstToken: first - start,
    tokensPerSecond: ((tokens - 1) / (last - first)) * 1000,
    dispatches: (counters.dispatches - before.dispatches) / tokens,
    submits: (counters.submits - before.submits) / tokens,
  };
}

/** Splits a text into pieces of `length` tokens; the rest is dropped. */
export function cutText(text: string, length: number): number[][] {
  const tokens = [...getPipeline().tokenizer.encode(text)];
  return Array.from({ length: Math.floor(tokens.length / length) }, (_, index) =>
    tokens.slice(index * length, (index + 1) * length),
  );
}

/** Returns the milliseconds that the embeddings of texts or of lists of tokens take. */
export async function timeEmbedding(texts: string[] | number[][]): Promise<number> {
  const start = performance.now();
  await embed(texts);
  return performance.now() - start;
}

/** Returns the milliseconds of JavaScript and WebAssembly per forward pass, without waiting for the GPU. */
export async function timeScripting(rounds: number): Promise<number> {
  const pipeline = getPipeline();
  pipeline.resetChat();
  let total = 0;
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    pipeline.tvm.beginScope();
    await pipeline.embedAndForward([[i % 100]], 1);
    pipeline.tvm.endScope();
    total += performance.now() - start;
    await pipeline.device.sync();
  }
  return total / rounds;
}

/** Replays each kernel of a prompt and an answer of two tokens, and measures count and time of its dispatches. */
export async function timeKernels(prompt: string) {
  return replayKernels(() => timeAnswer(prompt, 2, 0.3));
}

/** Replays and measures each kernel of a batch of texts. */
export async function timeEncoderKernels(texts: number[][]) {
  return replayKernels(() => timeEmbedding(texts));
}

async function replayKernels(run: () => Promise<unknown>): Promise<KernelTime[]> {
  launches = [];
  await run();
  const recorded = launches;
  launches = undefined;
  const kernels = new Map(recorded.map((launch) => [launch.name, launch]));
  const rows: KernelTime[] = [];
  for (const [name, launch] of kernels) {
    const few = await fastest(() => replay(launch, 5));
    const many = await fastest(() => replay(launch, 25));
    const count = recorded.filter((other) => other.name === name).length;
    const microseconds = ((many - few) / 20) * 1000;
    rows.push({ name, grid: launch.grid.join(' × '), launches: count, microseconds });
  }
  return rows;
}

async function fastest(run: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < 5; i++) least = Math.min(least, await run());
  return least;
}

async function replay({ pipeline, bindings, grid }: Launch, times: number): Promise<number> {
  const start = performance.now();
  const encoder = device.createCommandEncoder();
  for (let i = 0; i < times; i++) {
    const pass = encoder.beginComputePass();
    setPipeline.call(pass, pipeline);
    setBindGroup.call(pass, 0, bindings);
    dispatchWorkgroups.apply(pass, grid);
    pass.end();
  }
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
  return performance.now() - start;
}
