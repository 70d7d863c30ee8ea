import { onlyTokens } from '../prompt-cache/key-value-cache.ts';

/** Milliseconds that the device may be busy with what a cancel cannot stop any more. */
const FELT_TIME = 1000;

/** Tokens. Where even so few take longer than {@link FELT_TIME}, fewer would make the reading of a prompt slower still. */
const SMALLEST_CHUNK = 32;

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface PrefillPipeline {
  /** Feeds tokens, and images between them, to the model: a chunk of the prompt, or one token that was decoded. */
  embedAndForward?(data: readonly unknown[], length: number): Promise<unknown>;
  /** Begins to compile the grammar of a request, while its prompt is read. */
  prepareGrammarMatcherForSampling?(config: unknown): Promise<void> | undefined;
  readonly device?: { sync(): Promise<void> };
  readonly tvm?: { beginScope(): void; endScope(): void };
}

/**
 * Lets an abort end the reading of a prompt between two chunks. WebLLM hands all of them to the device at once and
 * then waits for the last. So the next chunk waits here until the device is nearly done, and is not begun after an
 * abort: `embedAndForward` then throws the signal's reason, and WebLLM ends the request as after any failure. What
 * was read by then is in the cache, where the next prompt may begin with it.
 *
 * @param recut Whether chunks may be cut smaller than the library wants them, so that each takes the time in which
 * a cancel should be felt. Only for libraries that are known to compute the same however a prompt is cut: one that
 * TVM compiled gave other logits for several tokens on a cache that was not empty.
 * @returns takes the signal of the next request. Where WebLLM keeps these things elsewhere it does nothing, and an
 * abort waits for the whole prompt.
 */
export function interruptiblePrefill(pipeline: PrefillPipeline, recut: boolean): (signal: AbortSignal) => void {
  const { device, tvm } = pipeline;
  const forward = pipeline.embedAndForward?.bind(pipeline);
  const prepare = pipeline.prepareGrammarMatcherForSampling?.bind(pipeline);
  if (!device || !tvm || !forward || !prepare) return () => {};
  const pace = new DevicePace(device);
  let signal: AbortSignal | null = null;
  let grammar: Promise<void> | undefined;

  const read = async (data: readonly unknown[], length: number) => {
    if (signal?.aborted) {
      // It would be ready in the middle of the next request and replace the grammar of that.
      await grammar?.catch(() => {});
      signal.throwIfAborted();
    }
    const begun = performance.now();
    const logits = await forward(data, length);
    await pace.follow(begun, length);
    return logits;
  };

  pipeline.prepareGrammarMatcherForSampling = (config) => (grammar = prepare(config));
  pipeline.embedAndForward = async (data, length) => {
    if (length === 1) return forward(data, length);
    let tokens = recut ? onlyTokens(data) : null;
    if (tokens === null) return read(data, length);
    for (let size = pace.chunkSize; tokens.length > size; size = pace.chunkSize) {
      // The logits in the middle of a prompt are of no use.
      tvm.beginScope();
      try {
        await read([tokens.slice(0, size)], size);
      } finally {
        tvm.endScope();
      }
      tokens = tokens.slice(size);
    }
    return read([tokens], tokens.length);
  };
  return (next) => {
    signal = next;
  };
}

/** Keeps the device busy, but not for long, and learns how fast it reads. */
class DevicePace {
  readonly #device: { sync(): Promise<void> };
  /** Tokens a millisecond; 0 before the first chunk. */
  #speed = 0;
  /** When the device was done with the last chunk that it is done with. */
  #end = 0;
  /** Milliseconds that the device took for that chunk. */
  #busy = Number.POSITIVE_INFINITY;
  #last: Promise<void> = Promise.resolve();

  constructor(device: { sync(): Promise<void> }) {
    this.#device = device;
  }

  /** Tokens: two chunks, one that is computed and one that waits for it, take {@link FELT_TIME}. */
  get chunkSize(): number {
    return Math.max(SMALLEST_CHUNK, Math.floor((this.#speed * FELT_TIME) / 2));
  }

  /**
   * A chunk of `length` tokens was given to the device, since `begun`. Waits for the one before it, so that the
   * device has always one more to do, or, where they take long, for itself.
   */
  async follow(begun: number, length: number): Promise<void> {
    const before = this.#last;
    this.#last = this.#measure(begun, length);
    // Whoever waits for it hears of it.
    this.#last.catch(() => {});
    await before;
    if (this.#busy > FELT_TIME / 2) await this.#last;
  }

  async #measure(begun: number, length: number): Promise<void> {
    await this.#device.sync();
    const now = performance.now();
    this.#busy = now - Math.max(begun, this.#end);
    this.#end = now;
    // The rest of a prompt may be too short to tell.
    if (length >= SMALLEST_CHUNK) this.#speed = length / Math.max(this.#busy, 1);
  }
}
