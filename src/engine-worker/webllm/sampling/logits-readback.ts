import type { DeviceContext, Logits, Member } from '../pipeline/webllm-pipeline.ts';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Members of WebLLM's object that {@link logitsReader} needs. */
export const READBACK_MEMBERS = [
  'tvm.lib.webGPUContext.device',
  'tvm.lib.webGPUContext.flushCommands',
  'tvm.lib.webGPUContext.gpuBufferFromPtr',
  'tvm.lib.webGPUContext.pendingEncoder',
  'tvm.lib.webGPUContext.pendingGPUToCPUCopy',
  'tvm.lib.webGPUContext.pendingGPUToCPUCopyIsQueueTail',
  'tvm.lib.webGPUContext.sync',
] as const satisfies readonly Member[];

/** A pending copy of logits from the GPU. */
export interface LogitsReadback {
  /** The logits on the GPU. */
  readonly logits: Logits;
  /** Resolves to the values of the logits; rejects if the device is lost. */
  values(): Promise<Float32Array>;
}

/**
 * Appends a copy of the logits to the pending commands and submits them. The CPU can then read the copy.
 * @throws Error if the logits are not float32.
 */
export type ReadLogits = (logits: Logits) => LogitsReadback;

/**
 * Returns a function that reads logits back faster than WebLLM: in the same submit as the dispatches that compute them,
 * and without a copy through the model library's memory. Each further call would leave the GPU idle while the browser's
 * GPU process handles it.
 */
export function logitsReader(context: DeviceContext): ReadLogits {
  /** Buffers that are not in use by a copy. */
  const free: GPUBuffer[] = [];
  const takeBuffer = (size: number) => {
    const index = free.findIndex((buffer) => buffer.size === size);
    if (index >= 0) return free.splice(index, 1)[0]!;
    // oxlint-disable-next-line no-bitwise -- flags
    return context.device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  };

  const read = async (buffer: GPUBuffer): Promise<Float32Array> => {
    await buffer.mapAsync(GPUMapMode.READ);
    const values = new Float32Array(buffer.getMappedRange().slice(0));
    buffer.unmap();
    free.push(buffer);
    return values;
  };

  return (logits) => {
    const { shape, byteOffset, dtype } = logits;
    if (dtype !== 'float32' || !shape || byteOffset === undefined || !logits.getDataPtr)
      throw new Error('These logits cannot be read back.');
    const size = shape.reduce((product, length) => product * length, FLOAT_BYTES);
    const buffer = takeBuffer(size);
    const source = context.gpuBufferFromPtr(logits.getDataPtr());
    context.pendingEncoder ??= context.device.createCommandEncoder();
    context.pendingEncoder.copyBufferToBuffer(source, byteOffset, buffer, 0, size);
    context.flushCommands();
    const reading = read(buffer);
    const before = context.pendingGPUToCPUCopy;
    context.pendingGPUToCPUCopy = before ? before.then(() => reading) : reading;
    context.pendingGPUToCPUCopyIsQueueTail = true;
    const values = context.sync().then(() => reading);
    // The caller of values() gets the failure. If an earlier copy failed, these two promises would be unhandled
    // rejections.
    for (const promise of [reading, values]) promise.catch(() => {});
    return { logits, values: () => values };
  };
}
