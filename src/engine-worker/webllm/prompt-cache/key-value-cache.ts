import type { Checkpoint, Member, PromptData, Tensor, WebLlmPipeline } from '../pipeline/webllm-pipeline.ts';
import { bytesOf, type ReadbackSettled } from './deferred-readback.ts';

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

/** WebLLM's one sequence has this number. */
const SEQUENCE = 0;

/** Keys and values of all tokens that the model has read or written since the cache was last emptied. */
export class KeyValueCache {
  readonly pipeline: WebLlmPipeline;
  readonly #reset: () => void;
  readonly #pop: (...values: readonly unknown[]) => unknown;
  readonly #settled: ReadbackSettled;

  /**
   * @param settled Resolves when the bytes of checkpoints are there.
   * @throws Error that says why, if positions of this model's cache cannot be removed.
   */
  constructor(pipeline: WebLlmPipeline, settled: ReadbackSettled) {
    const { kvStateKind, slidingWindowSize, artifact } = pipeline;
    if (artifact !== undefined) throw new Error('the model has a manifest');
    if (kvStateKind !== 'kv_cache')
      throw new Error(`positions of a state of the kind ${kvStateKind} cannot be removed`);
    if (slidingWindowSize !== -1) throw new Error('the model has a sliding window');
    this.pipeline = pipeline;
    this.#reset = pipeline.resetKVCache.bind(pipeline);
    this.#pop = pipeline.getKVCheckpointFunc('vm.builtin.kv_state_popn');
    this.#settled = settled;
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

  /** Bytes of a checkpoint; Infinity if the model library does not tell. */
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
   * Starts a checkpoint. Once this resolves, the cache may be changed.
   * @returns the checkpoint, and a promise that resolves when its bytes are there.
   * @throws whatever WebLLM or the model library throws.
   */
  async save(): Promise<{ checkpoint: Checkpoint; copied: Promise<void> }> {
    try {
      const checkpoint = await this.pipeline.exportPromptCheckpoint(undefined, false);
      if (!checkpoint) throw new Error('there was nothing to save');
      return { checkpoint, copied: this.#settled() };
    } catch (thrown) {
      // Frees the copies that were made before the failure.
      await this.#settled();
      throw thrown;
    }
  }

  /** @throws whatever WebLLM or the model library throws; then the cache may hold anything. */
  async restore(checkpoint: Checkpoint): Promise<void> {
    this.empty();
    await this.pipeline.importPromptCheckpoint(checkpoint);
  }

  /** JavaScript's numbers would arrive as floating point, at which a compiled library traps. */
  #integer(value: number): unknown {
    return this.pipeline.tvm.scalar(value, 'int64');
  }
}

/** The tokens of a prompt or chunk; null if it has images. */
export function onlyTokens(data: PromptData): number[] | null {
  return data.every((part): part is number[] => Array.isArray(part)) ? data.flat() : null;
}
