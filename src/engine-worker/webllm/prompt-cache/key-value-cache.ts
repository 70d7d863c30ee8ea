import type { Checkpoint, Member, PromptData, Tensor, WebLlmPipeline } from '../pipeline/webllm-pipeline.ts';
import { bytesOf, type ReadCopies } from './deferred-readback.ts';

/** Members of WebLLM's object that a {@link KeyValueCache} needs. */
export const CACHE_MEMBERS = [
  'device.sync',
  'embedAndForward',
  'exportPromptCheckpoint',
  'filledKVCacheLength',
  'getKVCheckpointFunc',
  'importPromptCheckpoint',
  'kvCache',
  'kvStateKind',
  'resetKVCache',
  'slidingWindowSize',
  'tvm.beginScope',
  'tvm.endScope',
  'tvm.scalar',
  'updateLogitsOnCPU',
] as const satisfies readonly Member[];

/** Id of the only sequence that WebLLM keeps in the KV cache. */
const SEQUENCE = 0;

/** WebLLM's KV cache: keys and values of all tokens since the cache was last emptied. */
export class KeyValueCache {
  readonly pipeline: WebLlmPipeline;
  readonly #reset: () => void;
  readonly #pop: (...values: readonly unknown[]) => unknown;
  readonly #read: ReadCopies;

  /**
   * @param read Reads checkpoints from the GPU.
   * @throws Error with the reason, if positions cannot be removed from this model's cache.
   */
  constructor(pipeline: WebLlmPipeline, read: ReadCopies) {
    const { kvStateKind, slidingWindowSize, artifact } = pipeline;
    if (artifact !== undefined) throw new Error('the model has a manifest');
    if (kvStateKind !== 'kv_cache')
      throw new Error(`positions of a state of the kind ${kvStateKind} cannot be removed`);
    if (slidingWindowSize !== -1) throw new Error('the model has a sliding window');
    this.pipeline = pipeline;
    this.#reset = pipeline.resetKVCache.bind(pipeline);
    this.#pop = pipeline.getKVCheckpointFunc('vm.builtin.kv_state_popn');
    this.#read = read;
  }

  empty(): void {
    this.#reset();
    this.pipeline.filledKVCacheLength = 0;
  }

  /** Removes the last of `from` positions until `length` are left. */
  cutTo(length: number, from: number): void {
    const { pipeline } = this;
    if (from > length) this.#pop(pipeline.kvCache, this.#integer(SEQUENCE), this.#integer(from - length));
    pipeline.filledKVCacheLength = length;
  }

  /** Size of a checkpoint in bytes; Infinity if the model library does not report it. */
  get size(): number {
    const { pipeline } = this;
    try {
      const describe = pipeline.getKVCheckpointFunc('vm.builtin.attention_kv_cache_get_checkpoint_metadata');
      const described = String(describe(pipeline.kvCache, this.#integer(SEQUENCE)));
      const { groups } = JSON.parse(described) as { groups: Pick<Tensor, 'shape' | 'dtype'>[] };
      const size = groups.reduce((sum, group) => sum + bytesOf(group), 0);
      return size >= 0 ? size : Number.POSITIVE_INFINITY;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  /**
   * Copies the cache, within the GPU if possible. After this resolves, the cache may be changed.
   * @returns the checkpoint, and a function that reads its bytes from the GPU. Until then they are zero.
   * @throws any error of WebLLM or the model library.
   */
  async save(): Promise<{ checkpoint: Checkpoint; read: ReadCopies }> {
    try {
      const checkpoint = await this.pipeline.exportPromptCheckpoint(undefined, false);
      if (!checkpoint) throw new Error('there was nothing to save');
      return { checkpoint, read: this.#read };
    } catch (thrown) {
      // Frees the copies that were made before the failure.
      await this.#read();
      throw thrown;
    }
  }

  /** @throws any error of WebLLM or the model library; afterwards the content of the cache is unknown. */
  async restore(checkpoint: Checkpoint): Promise<void> {
    this.empty();
    await this.pipeline.importPromptCheckpoint(checkpoint);
  }

  /** Wraps an integer. A JavaScript number would arrive as floating point, and a compiled library traps at that. */
  #integer(value: number): unknown {
    return this.pipeline.tvm.scalar(value, 'int64');
  }
}

/** Returns the tokens of a prompt or chunk; null if it contains images. */
export function onlyTokens(data: PromptData): number[] | null {
  return data.every((part): part is number[] => Array.isArray(part)) ? data.flat() : null;
}
