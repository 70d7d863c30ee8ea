/** Bytes of the model library's memory, which never shrinks, that copies may take at once. */
const MOST_AT_ONCE = 2 ** 25;

/** Numbers on the graphics device, or in the model library's memory. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly dtype: string;
  copyFrom(source: Tensor): unknown;
  toRawBytes(): Uint8Array;
  dispose(): void;
}

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface CopyingPipeline {
  /** Brings numbers from the graphics device here, for a copy of the key-value cache. */
  copyTensorToCPUBytes?(tensor: Tensor): Promise<Uint8Array>;
  readonly device?: { sync(): Promise<void> };
  readonly tvm?: {
    beginScope(): void;
    endScope(): void;
    empty?(shape: readonly number[], dtype: string, device: unknown): Tensor;
    cpu?(): unknown;
    /** Keeps from being disposed of at the scope's end. */
    detachFromCurrentScope?(tensor: Tensor): Tensor;
  };
}

/** Bytes that its numbers take; NaN where the size of one cannot be told. */
export function bytesOf({ shape, dtype }: Pick<Tensor, 'shape' | 'dtype'>): number {
  const bits = Number(/\d+$/.exec(dtype)?.[0]);
  return shape.reduce((product, one) => product * one, bits / 8);
}

/**
 * Lets a prompt be read while the key-value cache from before is still being copied. WebLLM copies one layer after the
 * other and waits for the device after each. Here all copies are queued on the device at once, ahead of whatever changes
 * the cache afterwards, and the bytes come when the device gets there.
 *
 * @returns settles when all bytes are there that WebLLM was given before, which are zeros until then; rejects when the device
 * is lost. Where WebLLM keeps these things elsewhere nothing is changed, and the bytes are there at once.
 */
export function deferCopies(pipeline: CopyingPipeline): () => Promise<void> {
  const copyNow = pipeline.copyTensorToCPUBytes?.bind(pipeline);
  const { device, tvm } = pipeline;
  const empty = tvm?.empty?.bind(tvm);
  const cpu = tvm?.cpu?.bind(tvm);
  const detach = tvm?.detachFromCurrentScope?.bind(tvm);
  if (!copyNow || !device || !tvm || !empty || !cpu || !detach) return async () => {};
  let pending: { copy: Tensor; bytes: Uint8Array }[] = [];
  let size = 0;

  pipeline.copyTensorToCPUBytes = async (tensor) => {
    const length = bytesOf(tensor);
    // Also where the type is none whose size can be told.
    if (!(size + length <= MOST_AT_ONCE)) return copyNow(tensor);
    tvm.beginScope();
    try {
      const copy = empty(tensor.shape, tensor.dtype, cpu());
      copy.copyFrom(tensor);
      const bytes = new Uint8Array(length);
      pending.push({ copy: detach(copy), bytes });
      size += length;
      return bytes;
    } finally {
      tvm.endScope();
    }
  };
  return async () => {
    const copies = pending;
    pending = [];
    size = 0;
    if (copies.length === 0) return;
    await device.sync();
    for (const { copy, bytes } of copies) {
      bytes.set(copy.toRawBytes());
      copy.dispose();
    }
  };
}
