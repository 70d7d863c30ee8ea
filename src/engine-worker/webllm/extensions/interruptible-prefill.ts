import type { Extension } from '../pipeline/extension.ts';
import type { Logits, PromptData } from '../pipeline/webllm-pipeline.ts';
import { onlyTokens } from '../prompt-cache/key-value-cache.ts';

/** Milliseconds of queued work that a cancel may have to wait for. */
const MOST_LATENCY = 1000;

/** Tokens. An abort is felt within two seconds on devices that prefill 8 tokens a second; smaller chunks cost more speed. */
const SMALLEST_CHUNK = 16;

/**
 * Takes the signal of the next request, and what is called with the number of its tokens that are computed after each part of
 * its prompt but the last.
 */
export type ControlPrefill = (signal: AbortSignal, onProgress: (tokens: number) => void) => void;

/**
 * Lets an abort end the prefill between two chunks. WebLLM queues all chunks of a prompt at once and then waits for the last.
 * Here a chunk waits until the device is nearly done with the one before it, and is not encoded after an abort:
 * `embedAndForward` then throws the signal's reason, and WebLLM ends the request as after any failure. What was prefilled
 * until then stays in the key-value cache.
 *
 * Chunks are also cut so that each takes {@link MOST_LATENCY} / 2, if a prompt in parts is right: the prompt cache's check
 * finds that out. Otherwise prompts keep WebLLM's chunks.
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
    /** Tokens of the running request that were encoded. */
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
              // The grammar would be ready in the middle of the next request and replace that one's.
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
              // Frees the logits, which only the end of a prompt needs.
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

/** Keeps one chunk queued behind the one that is computed, and measures the speed of prefill. */
class DevicePace {
  readonly #device: { sync(): Promise<void> };
  /** Tokens a millisecond; 0 before the first chunk. */
  #speed = 0;
  /** When the device finished its last chunk. */
  #end = 0;
  /** Milliseconds that this chunk took. */
  #busy = Number.POSITIVE_INFINITY;
  #last: Promise<void> = Promise.resolve();

  constructor(device: { sync(): Promise<void> }) {
    this.#device = device;
  }

  /** Tokens of a chunk. Two chunks, one that is computed and one that is queued, take {@link MOST_LATENCY}. */
  get chunkSize(): number {
    return Math.max(SMALLEST_CHUNK, Math.floor((this.#speed * MOST_LATENCY) / 2));
  }

  /**
   * Call after a chunk of `length` tokens was encoded, from the time `begun` on. Waits for the chunk before it, so that one
   * stays queued. If chunks take long, waits for this one, too.
   */
  async follow(begun: number, length: number): Promise<void> {
    const before = this.#last;
    this.#last = this.#measure(begun, length);
    // The next call, or WebLLM's own wait, reports the failure.
    this.#last.catch(() => {});
    await before;
    if (this.#busy > MOST_LATENCY / 2) await this.#last;
  }

  async #measure(begun: number, length: number): Promise<void> {
    await this.#device.sync();
    const now = performance.now();
    this.#busy = now - Math.max(begun, this.#end);
    this.#end = now;
    // A short rest of a prompt says little about the speed.
    if (length >= SMALLEST_CHUNK) this.#speed = length / Math.max(this.#busy, 1);
  }
}
