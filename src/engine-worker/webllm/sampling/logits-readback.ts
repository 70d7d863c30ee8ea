import { areFunctions } from '../extensions/are-functions.ts';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** What the model says of each token of the vocabulary, on the graphics device. */
export interface Logits {
  readonly dtype?: string;
  readonly shape?: readonly number[];
  /** Where they begin in their buffer, in bytes. */
  readonly byteOffset?: number;
  /** Tells the runtime which buffer they are in. */
  getDataPtr?(): number;
}

/** WebLLM's runtime for the graphics device. */
interface DeviceContext {
  readonly device?: Pick<GPUDevice, 'createBuffer' | 'createCommandEncoder'>;
  gpuBufferFromPtr?(pointer: number): GPUBuffer;
  /** Submits what is recorded. */
  flushCommands?(): void;
  /** Waits for the device, or only for a copy that is the last thing it has to do. */
  sync?(): Promise<void>;
  /** What is recorded and not submitted yet. */
  pendingEncoder?: Pick<GPUCommandEncoder, 'copyBufferToBuffer'> | null;
  /** Copies that `sync` waits for. */
  pendingGPUToCPUCopy?: Promise<unknown> | null;
  pendingGPUToCPUCopyIsQueueTail?: boolean;
}

/** The part of WebLLM's object for a loaded model by which logits are read back. */
export interface ReadablePipeline {
  readonly tvm?: { readonly lib?: { readonly webGPUContext?: DeviceContext } };
}

/** Logits on their way from the graphics device. */
export interface LogitsCopy {
  /** Where they are on the device. */
  readonly logits: Logits;
  /** They themselves; rejects when the device is lost. */
  values(): Promise<Float32Array>;
}

/** Begins to bring logits here, behind all that is recorded, which is submitted with it. Throws when they are no floats. */
export type CopyLogits = (logits: Logits) => LogitsCopy;

/**
 * Reads logits back as WebLLM does, but in one submission with the launches that compute them, and past the memory of the
 * model library: each thing that the browser's graphics process is told takes time in which the device has nothing to do.
 *
 * @returns null where WebLLM keeps these things elsewhere.
 */
export function logitsCopier({ tvm }: ReadablePipeline): CopyLogits | null {
  const context = tvm?.lib?.webGPUContext;
  if (!context || !isComplete(context)) return null;
  /** Buffers that nothing is being copied to. */
  const free: GPUBuffer[] = [];
  const bufferOf = (size: number) => {
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
      throw new Error('There are no logits that can be read.');
    const size = shape.reduce((product, length) => product * length, FLOAT_BYTES);
    const buffer = bufferOf(size);
    const source = context.gpuBufferFromPtr(logits.getDataPtr());
    context.pendingEncoder ??= context.device.createCommandEncoder();
    context.pendingEncoder.copyBufferToBuffer(source, byteOffset, buffer, 0, size);
    context.flushCommands();
    const reading = read(buffer);
    const before = context.pendingGPUToCPUCopy;
    context.pendingGPUToCPUCopy = before ? before.then(() => reading) : reading;
    context.pendingGPUToCPUCopyIsQueueTail = true;
    const values = context.sync().then(() => reading);
    // Whoever waits for it hears of a failure, also where that is one of a copy before it.
    for (const promise of [reading, values]) promise.catch(() => {});
    return { logits, values: () => values };
  };
}

function isComplete(context: DeviceContext): context is Required<DeviceContext> {
  const { device, gpuBufferFromPtr, flushCommands, sync } = context;
  return (
    areFunctions(gpuBufferFromPtr, flushCommands, sync, device?.createBuffer, device?.createCommandEncoder) &&
    context.pendingEncoder !== undefined &&
    context.pendingGPUToCPUCopy !== undefined &&
    context.pendingGPUToCPUCopyIsQueueTail !== undefined
  );
}
