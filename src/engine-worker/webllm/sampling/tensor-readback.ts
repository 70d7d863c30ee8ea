import type { DeviceContext, Member } from '../pipeline/webllm-pipeline.ts';

/** Size of an element of the tensors that can be read. */
const ELEMENT_BYTES = 4;

/** Members of WebLLM's object that {@link tensorReader} needs. */
export const READBACK_MEMBERS = [
  'tvm.lib.webGPUContext.device',
  'tvm.lib.webGPUContext.flushCommands',
  'tvm.lib.webGPUContext.gpuBufferFromPtr',
  'tvm.lib.webGPUContext.pendingEncoder',
  'tvm.lib.webGPUContext.pendingGPUToCPUCopy',
  'tvm.lib.webGPUContext.pendingGPUToCPUCopyIsQueueTail',
  'tvm.lib.webGPUContext.sync',
] as const satisfies readonly Member[];

/** A tensor on the GPU. Members are absent if this version of WebLLM does not expose them. */
interface ReadableTensor {
  readonly dtype?: string;
  readonly shape?: readonly number[];
  readonly byteOffset?: number;
  getDataPtr?(): number;
}

/**
 * Appends a copy of a tensor to the pending commands and submits them.
 * @returns its bytes when the CPU can read the copy; rejects if the device is lost.
 * @throws Error if the tensor is not of type float32 or int32.
 */
export type ReadTensor = (tensor: ReadableTensor) => Promise<ArrayBuffer>;

/**
 * Returns a function that reads tensors back faster than WebLLM: in the same submit as the dispatches that compute them,
 * and without a copy through the model library's memory. Each further call would leave the GPU idle while the browser's
 * GPU process handles it.
 */
export function tensorReader(context: DeviceContext): ReadTensor {
  /** Buffers that are not in use by a copy. */
  const free: GPUBuffer[] = [];
  const takeBuffer = (size: number) => {
    const index = free.findIndex((buffer) => buffer.size === size);
    if (index >= 0) return free.splice(index, 1)[0]!;
    // oxlint-disable-next-line no-bitwise -- flags
    return context.device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  };

  const read = async (buffer: GPUBuffer): Promise<ArrayBuffer> => {
    await buffer.mapAsync(GPUMapMode.READ);
    const bytes = buffer.getMappedRange().slice(0);
    buffer.unmap();
    free.push(buffer);
    return bytes;
  };

  return (tensor) => {
    const { shape, byteOffset, dtype } = tensor;
    const isKnown = dtype === 'float32' || dtype === 'int32';
    if (!isKnown || !shape || byteOffset === undefined || !tensor.getDataPtr)
      throw new Error('This tensor cannot be read back.');
    const size = shape.reduce((product, length) => product * length, ELEMENT_BYTES);
    const buffer = takeBuffer(size);
    const source = context.gpuBufferFromPtr(tensor.getDataPtr());
    context.pendingEncoder ??= context.device.createCommandEncoder();
    context.pendingEncoder.copyBufferToBuffer(source, byteOffset, buffer, 0, size);
    context.flushCommands();
    const reading = read(buffer);
    const before = context.pendingGPUToCPUCopy;
    context.pendingGPUToCPUCopy = before ? before.then(() => reading) : reading;
    context.pendingGPUToCPUCopyIsQueueTail = true;
    const bytes = context.sync().then(() => reading);
    // The caller gets the failure. If it does not wait, or if an earlier copy failed, these promises would be unhandled
    // rejections.
    for (const promise of [reading, bytes]) promise.catch(() => {});
    return bytes;
  };
}
