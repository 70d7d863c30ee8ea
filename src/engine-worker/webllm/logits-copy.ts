/** What the model says of each token of the vocabulary, on the graphics device. */
export interface Logits {
  readonly dtype?: string;
}

/** The part of WebLLM's object for a loaded model by which logits are read back. */
export interface ReadablePipeline {
  /** Begins to copy logits to where they can be read after `device.sync()`. */
  updateLogitsOnCPU(logits: Logits): { toArray(): unknown };
  readonly device: { sync(): Promise<void> };
  readonly tvm: { beginScope(): void; endScope(): void };
}

/** Logits on their way from the graphics device. */
export interface LogitsCopy {
  /** Where they are on the device. */
  readonly logits: Logits;
  /** They themselves, once; rejects when the device is lost. */
  values(): Promise<Float32Array>;
}

/** Begins to bring logits here. There is room for one copy: it has to be read before the next is begun. */
export function copyLogits(pipeline: ReadablePipeline, logits: Logits): LogitsCopy {
  const { tvm, device } = pipeline;
  tvm.beginScope();
  const copy = pipeline.updateLogitsOnCPU(logits);
  tvm.endScope();
  const copied = device.sync();
  // Whoever waits for it hears of it.
  copied.catch(() => {});
  return {
    logits,
    async values() {
      await copied;
      return copy.toArray() as Float32Array;
    },
  };
}
