export interface GraphicsSpeed {
  /** Bytes of weights that the GPU reads per second. */
  readonly bytesPerSecond: number;
  readonly secondsPerDispatch: number;
  /** Whether llama.cpp can use the GPU. That needs 16-bit numbers on the GPU, and JSPI in the browser. */
  readonly runsGguf: boolean;
}

/** Bytes of weights that are read: as many as every WebGPU device can bind, and more than most caches hold. */
const WEIGHT_BYTES = 128 * 2 ** 20;

/** Bytes of weights that a workgroup reads. */
const GROUP_BYTES = 64 * 2 ** 10;

/** Number of workgroups in a dispatch that reads hardly anything, by which the overhead of dispatches is measured. */
const FEW_GROUPS = 8;

/** Number of dispatches in that measurement: about as many as one token of a language model takes. */
const DISPATCHES = 300;

/** Seconds of one measurement of reading: much longer than the overhead of a submit. */
const DURATION = 0.03;

/** Milliseconds after which no further measurement starts. */
const TIME_LIMIT = 700;

/** Number of measurements. The fastest one counts, because other programs may disturb the others. */
const MEASUREMENTS = 3;

/** `GPUBufferUsage.STORAGE`. */
const STORAGE_BUFFER = 0x80;

const SHADER = `
@group(0) @binding(0) var<storage, read> weights: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var sum = vec4f();
  let end = (group.x + 1) * ${GROUP_BYTES / 16}u;
  for (var at = group.x * ${GROUP_BYTES / 16}u + lane; at < end; at += 64u) { sum += weights[at] * 0.5; }
  sums[group.x * 64 + lane] = sum.x + sum.y + sum.z + sum.w;
}`;

/**
 * Measures the adapter that WebLLM would choose, in less than a second. Returns null if the adapter is too slow for
 * that, or fails.
 */
export async function measureGraphics(): Promise<GraphicsSpeed | null> {
  let device: GPUDevice | undefined;
  try {
    const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
    device = await adapter?.requestDevice();
    if (!device) return null;
    const measured = await measure(device);
    const runsGguf = adapter!.features.has('shader-f16') && 'Suspending' in WebAssembly;
    return measured && { ...measured, runsGguf };
  } catch {
    return null;
  } finally {
    device?.destroy();
  }
}

async function measure(device: GPUDevice): Promise<Omit<GraphicsSpeed, 'runsGguf'> | null> {
  const limit = performance.now() + TIME_LIMIT;
  const groups = WEIGHT_BYTES / GROUP_BYTES;
  const run = prepare(device, groups);
  const fastest = async (workgroups: number, dispatches: number): Promise<number> => {
    let seconds = Infinity;
    for (let measurement = 0; measurement < MEASUREMENTS && performance.now() < limit; measurement++)
      seconds = Math.min(seconds, await run(workgroups, dispatches));
    return seconds;
  };
  // Compiles the shader and clears the weights.
  await run(groups, 1);
  const alone = await fastest(FEW_GROUPS, 1);
  const many = await fastest(FEW_GROUPS, DISPATCHES);
  const once = await run(groups, 1);
  const repeats = Math.min(100, Math.max(1, Math.round(DURATION / once)));
  const reading = await fastest(groups, repeats);
  if (!Number.isFinite(reading)) return null;
  return {
    bytesPerSecond: (WEIGHT_BYTES * repeats) / Math.max(reading - alone, reading / 2),
    secondsPerDispatch: Math.max(0, many - alone) / DISPATCHES,
  };
}

/**
 * Returns a function that runs the given number of dispatches, each with the given number of workgroups, and resolves
 * to the seconds that they took.
 */
function prepare(device: GPUDevice, groups: number): (workgroups: number, dispatches: number) => Promise<number> {
  const buffers = [WEIGHT_BYTES, groups * 64 * 4].map((size) => device.createBuffer({ size, usage: STORAGE_BUFFER }));
  const module = device.createShaderModule({ code: SHADER });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  const bindings = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  return async (workgroups, dispatches) => {
    const begun = performance.now();
    const encoder = device.createCommandEncoder();
    for (let dispatch = 0; dispatch < dispatches; dispatch++) {
      // Each dispatch has its own compute pass, as in WebLLM.
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(workgroups);
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
    // Firefox polls the GPU at every submit, otherwise only every 100 ms (bug 1870699).
    const polling = setInterval(() => device.queue.submit([]), 1);
    await device.queue.onSubmittedWorkDone();
    clearInterval(polling);
    return (performance.now() - begun) / 1000;
  };
}
