import type { Extension } from '../pipeline/extension.ts';
import type { Logits, PromptData } from '../pipeline/webllm-pipeline.ts';
import { onlyTokens } from '../prompt-cache/key-value-cache.ts';

/** Milliseconds of queued work that a cancellation may have to wait for. */
const MAX_LATENCY = 1000;

/**
 * Smallest chunk in tokens. With it an abort takes effect within two seconds on a device that prefills 8 tokens a
 * second; smaller chunks would cost more speed.
 */
const MIN_CHUNK = 16;

/**
 * Sets the signal of the next request, and the function that is called after each chunk of its prompt except the last,
 * with the number of tokens so far.
 */
export type ControlPrefill = (signal: AbortSignal, onProgress: (tokens: number) => void) => void;

/**
 * Lets an abort end the prefill between two chunks. WebLLM queues all chunks of a prompt and then waits for the last
 * one. Here each chunk waits until the GPU has nearly finished the previous one, and is not encoded after an abort:
 * `embedAndForward` throws the signal's reason, and WebLLM ends the request as after any failure. The prefilled tokens
 * stay in the KV cache.
 *
 * Chunks are also made shorter, so that each takes {@link MAX_LATENCY} / 2. That is done only if the prompt cache's
 * check found that the model library computes a prompt in parts correctly; otherwise WebLLM's chunks stay.
 */
export const INTERRUPTIBLE_PREFILL: Extension<'interruptible-prefill', ControlPrefill> = {
  name: 'interruptible-prefill',
  needs: ['embedAndForward', 'prepareGrammarMatcherForSampling', 'device.sync', 'tvm.beginScope', 'tvm.endScope'],
  replaces: ['embedAndForward', 'prepareGrammarMatcherForSampling'],
  gain: 'A cancel frees the engine within a second or one chunk; WebLLM prefills the whole prompt first.',
  apply({ device, tvm }, _model, handles) {
    const isCut = 'prompt-cache' in handles;
    const pace = new DevicePace(device);
    let signal: AbortSignal | null = null;
    let onProgress: ((tokens: number) => void) | null = null;
    /** Number of the running request's tokens that were handed to the GPU. */
    let encoded = 0;
    let grammar: Promise<void> | undefined;
    return {
      handle(nextSignal, next) {
        signal = nextSignal;
        onProgress = next;
        encoded = 0;
      },
      layers: {
        prepareGrammarMatcherForSampling: (next) => (config) => (grammar = next(config)),
        embedAndForward(next) {
          const forward = async (data: PromptData, length: number): Promise<Logits> => {
            if (signal?.aborted) {
              // Waits for the compilation of the grammar. Otherwise it would finish during the next request and replace
              // that request's grammar.
              await grammar?.catch(() => {});
              signal.throwIfAborted();
            }
            if (encoded > 0) onProgress?.(encoded);
            encoded += length;
            const begun = performance.now();
            const logits = await next(data, length);
            await pace.follow(begun, length);
            return logits;
          };
          return async (data, length) => {
            if (length === 1) return next(data, length);
            let tokens = isCut ? onlyTokens(data) : null;
            if (tokens === null) return forward(data, length);
            for (let size = pace.chunkSize; tokens.length > size; size = pace.chunkSize) {
              // Frees the logits of this chunk: only those of the last chunk are needed.
              tvm.beginScope();
              try {
                await forward([tokens.slice(0, size)], size);
              } finally {
                tvm.endScope();
              }
              tokens = tokens.slice(size);
            }
            return forward([tokens], tokens.length);
          };
        },
      },
    };
  },
};

/** Keeps one chunk queued behind the one that the GPU computes, and measures the speed of prefill. */
class DevicePace {
  readonly #device: { sync(): Promise<void> };
  /** Tokens per millisecond; 0 before the first chunk. */
  #speed = 0;
  /** Time when the GPU finished its last chunk. */
  #end = 0;
  /** Milliseconds that the GPU took for its last chunk. */
  #busy = Number.POSITIVE_INFINITY;
  #last: Promise<void> = Promise.resolve();

  constructor(device: { sync(): Promise<void> }) {
    this.#device = device;
  }

  /** Number of tokens in a chunk, chosen so that two chunks (one computed, one queued) take {@link MAX_LATENCY}. */
  get chunkSize(): number {
    return Math.max(MIN_CHUNK, Math.floor((this.#speed * MAX_LATENCY) / 2));
  }

  /**
   * Waits after a chunk of `length` tokens was encoded: until the GPU has finished the previous chunk, so that one
   * chunk stays queued; if chunks take long, until it has finished this chunk.
   * @param begun Time when the encoding began.
   */
  async follow(begun: number, length: number): Promise<void> {
    const before = this.#last;
    this.#last = this.#measure(begun, length);
    // The failure is reported by the next call, or by WebLLM's own wait.
    this.#last.catch(() => {});
    await before;
    if (this.#busy > MAX_LATENCY / 2) await this.#last;
  }

  async #measure(begun: number, length: number): Promise<void> {
    await this.#device.sync();
    const now = performance.now();
    this.#busy = now - Math.max(begun, this.#end);
    this.#end = now;
    // A short last chunk says little about the speed.
    if (length >= MIN_CHUNK) this.#speed = length / Math.max(this.#busy, 1);
  }
}
