import type { DeviceContext, Logits, Tensor } from '../pipeline/webllm-pipeline.ts';

/**
 * Three passes, without barriers, which are slow on a software device: in the first two each invocation finds the best
 * of its share, in the last one a single invocation finds the best of all. The lowest token wins a tie.
 */
const CODE = `
struct Parameters { size: u32, offset: u32, share: u32 }
struct Candidate { logit: f32, token: u32 }
@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(1) var<storage, read_write> candidates: array<Candidate>;
@group(0) @binding(2) var<storage, read_write> token: array<i32>;
@group(0) @binding(3) var<uniform> parameters: Parameters;

const NONE = Candidate(-3.4028234e38f, 0xffffffffu);

fn shares(count: u32) -> u32 {
  return (count + parameters.share - 1u) / parameters.share;
}

fn best(one: Candidate, other: Candidate) -> Candidate {
  if (other.logit > one.logit || (other.logit == one.logit && other.token < one.token)) {
    return other;
  }
  return one;
}

@compute @workgroup_size(64)
fn first(@builtin(global_invocation_id) id: vec3<u32>) {
  let width = shares(parameters.size);
  if (id.x >= width) {
    return;
  }
  var found = NONE;
  for (var index = id.x; index < parameters.size; index += width) {
    found = best(found, Candidate(logits[parameters.offset + index], index));
  }
  candidates[id.x] = found;
}

@compute @workgroup_size(64)
fn second(@builtin(global_invocation_id) id: vec3<u32>) {
  let count = shares(parameters.size);
  let width = shares(count);
  if (id.x >= width) {
    return;
  }
  var found = NONE;
  for (var index = id.x; index < count; index += width) {
    found = best(found, candidates[index]);
  }
  candidates[count + id.x] = found;
}

@compute @workgroup_size(1)
fn third() {
  let start = shares(parameters.size);
  var found = NONE;
  for (var index = start; index < start + shares(start); index++) {
    found = best(found, candidates[index]);
  }
  token[0] = i32(found.token);
}
`;

const WORKGROUP = 64;
const BYTES_PER_CANDIDATE = 8;
const BYTES_OF_PARAMETERS = 12;

/** Finds the most likely token on the GPU, and leaves it there. */
export class ArgMax {
  readonly #context: DeviceContext;
  readonly #size: number;
  /** Number of logits that an invocation of the first pass compares. */
  readonly #share: number;
  /** The passes and their numbers of workgroups. */
  readonly #passes: readonly (readonly [pipeline: GPUComputePipeline, workgroups: number])[];
  readonly #layout: GPUBindGroupLayout;
  readonly #candidates: GPUBuffer;
  readonly #parameters: GPUBuffer;

  /** @param size Number of logits. */
  constructor(context: DeviceContext, size: number) {
    this.#context = context;
    this.#size = size;
    this.#share = Math.ceil(Math.cbrt(size));
    const { device } = context;
    const types = ['read-only-storage', 'storage', 'storage', 'uniform'] as const;
    this.#layout = device.createBindGroupLayout({
      entries: types.map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
    });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [this.#layout] });
    const module = device.createShaderModule({ code: CODE });
    const first = Math.ceil(size / this.#share);
    const second = Math.ceil(first / this.#share);
    this.#passes = Object.entries({ first, second, third: 1 }).map(([entryPoint, invocations]) => [
      device.createComputePipeline({ layout, compute: { module, entryPoint } }),
      Math.ceil(invocations / WORKGROUP),
    ]);
    this.#candidates = device.createBuffer({
      size: (first + second) * BYTES_PER_CANDIDATE,
      usage: GPUBufferUsage.STORAGE,
    });
    // oxlint-disable-next-line no-bitwise -- flags
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#parameters = device.createBuffer({ size: BYTES_OF_PARAMETERS, usage });
  }

  /**
   * Appends the search to the pending commands. All earlier searches must have been submitted.
   * @param logits Logits of one position, float32.
   * @param token Receives the token, int32 [1]; −1 if no logit is a finite number.
   */
  encode(logits: Logits, token: Tensor): void {
    const context = this.#context;
    const { device } = context;
    const offset = (logits.byteOffset ?? 0) / Float32Array.BYTES_PER_ELEMENT;
    device.queue.writeBuffer(this.#parameters, 0, Uint32Array.of(this.#size, offset, this.#share).buffer);
    const buffers = [
      context.gpuBufferFromPtr(logits.getDataPtr!()),
      this.#candidates,
      context.gpuBufferFromPtr(token.getDataPtr()),
      this.#parameters,
    ];
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group = device.createBindGroup({ layout: this.#layout, entries });
    for (const [pipeline, workgroups] of this.#passes) {
      // Asked for anew, because the end of a pass may have submitted the encoder before.
      context.pendingEncoder ??= device.createCommandEncoder();
      const pass = context.pendingEncoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(workgroups);
      pass.end();
    }
  }
}
