import { vi } from 'vitest';
import type { Logits } from '../../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';

/** A GPU buffer, represented by its contents. */
class DeviceBuffer {
  readonly size: number;
  bytes: Uint8Array<ArrayBuffer>;
  mapped = false;
  readonly #context: DeviceContext;

  constructor(context: DeviceContext, bytes: Uint8Array<ArrayBuffer>) {
    this.#context = context;
    this.bytes = bytes;
    this.size = bytes.byteLength;
  }

  async mapAsync(): Promise<void> {
    await this.#context.done();
    this.mapped = true;
  }

  getMappedRange(): ArrayBuffer {
    if (!this.mapped) throw new Error('not mapped');
    return this.bytes.buffer;
  }

  unmap(): void {
    this.mapped = false;
  }
}

/** A tensor of numbers in a {@link DeviceBuffer}. */
export interface DeviceTensor extends Logits {
  readonly values: readonly number[];
  copyFrom(source: DeviceTensor | Float32Array | Int32Array): void;
}

/** A fake of WebLLM's WebGPU context. It executes copies when they are submitted. */
export class DeviceContext {
  /** The commands that it received, in order. */
  readonly log: string[] = [];
  /** Settles when the GPU has completed its work. */
  busy: Promise<unknown> = Promise.resolve();
  /** Number of buffers that were created for reading. */
  made = 0;
  readonly #buffers: DeviceBuffer[] = [];
  pendingEncoder: { copies: (() => void)[]; copyBufferToBuffer(...copy: unknown[]): void } | null = null;
  pendingGPUToCPUCopy: Promise<unknown> | null = null;
  pendingGPUToCPUCopyIsQueueTail = false;
  readonly device = {
    createBuffer: ({ size }: { size: number }) => {
      this.made++;
      return new DeviceBuffer(this, new Uint8Array(size));
    },
    createCommandEncoder: () => {
      const copies: (() => void)[] = [];
      return {
        copies,
        copyBufferToBuffer: (from: DeviceBuffer, offset: number, to: DeviceBuffer, start: number, size: number) => {
          copies.push(() => to.bytes.set(from.bytes.subarray(offset, offset + size), start));
        },
      };
    },
  };

  constructor() {
    vi.stubGlobal('GPUBufferUsage', { MAP_READ: 1, COPY_DST: 8 });
    vi.stubGlobal('GPUMapMode', { READ: 1 });
  }

  /** Returns the logits of one token, which are in a buffer behind other numbers. */
  logits(values: readonly number[]): Logits {
    const before = [-99, -99];
    const pointer = this.#buffers.length;
    this.#buffers.push(new DeviceBuffer(this, new Uint8Array(Float32Array.from([...before, ...values]).buffer)));
    return {
      dtype: 'float32',
      shape: [1, 1, values.length],
      byteOffset: before.length * Float32Array.BYTES_PER_ELEMENT,
      getDataPtr: () => pointer,
      view: () => ({}) as never,
      dispose() {},
    };
  }

  tensor(dtype: string, values: readonly number[]): DeviceTensor {
    const from = (numbers: ArrayLike<number>) =>
      dtype === 'int32' ? Int32Array.from(numbers) : Float32Array.from(numbers);
    const buffer = new DeviceBuffer(this, new Uint8Array(from(values).buffer));
    const pointer = this.#buffers.push(buffer) - 1;
    const tensor: DeviceTensor = {
      dtype,
      shape: [values.length],
      byteOffset: 0,
      get values() {
        return Array.from(
          dtype === 'int32' ? new Int32Array(buffer.bytes.buffer) : new Float32Array(buffer.bytes.buffer),
        );
      },
      getDataPtr: () => pointer,
      copyFrom(source) {
        buffer.bytes = new Uint8Array(
          from('values' in source && Array.isArray(source.values) ? source.values : (source as Float32Array)).buffer,
        );
      },
      view: () => tensor as never,
      dispose() {},
    };
    return tensor;
  }

  gpuBufferFromPtr(pointer: number): DeviceBuffer {
    return this.#buffers[pointer]!;
  }

  flushCommands(): void {
    if (this.pendingEncoder === null) return;
    for (const copy of this.pendingEncoder.copies) copy();
    this.pendingEncoder = null;
    this.pendingGPUToCPUCopyIsQueueTail = false;
    this.log.push('submit');
  }

  async sync(): Promise<void> {
    this.flushCommands();
    const copy = this.pendingGPUToCPUCopyIsQueueTail ? this.pendingGPUToCPUCopy : null;
    this.pendingGPUToCPUCopy = null;
    this.log.push(copy ? 'wait for the copy' : 'wait for the device');
    await (copy ?? this.done());
  }

  async done(): Promise<void> {
    await this.busy;
  }
}
