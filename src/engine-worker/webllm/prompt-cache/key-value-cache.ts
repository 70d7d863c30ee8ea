import { areFunctions } from '../extensions/are-functions.ts';
import { bytesOf, deferCopies, type CopyingPipeline, type Tensor } from './deferred-readback.ts';

/** A prompt, or a chunk of one, as WebLLM feeds it: runs of tokens, and images between them. */
export type PromptData = readonly unknown[];

/** What the model says of the next token, on the graphics device. */
interface Logits {
  dispose(): void;
}

/** A copy of a key-value cache in memory; WebLLM knows what is in it. */
export interface Checkpoint {
  readonly pageGroups: readonly { readonly data: Uint8Array }[];
}

/** The part of WebLLM's object for a loaded model by which its key-value cache is read and changed here. */
export interface CachedPipeline extends CopyingPipeline {
  /** The prompt of a request, its length in tokens, and how many tokens an image takes. */
  getInputData?(): Promise<readonly [data: PromptData, length: number, imageSize: unknown]>;
  /** Feeds a chunk of a prompt, or one token that was decoded, to the model. */
  embedAndForward?(data: PromptData, length: number): Promise<Logits>;
  /** Empties the key-value cache. WebLLM calls it before every prompt that does not follow from the one before. */
  resetKVCache?(): void;
  /** Finds a global function of the model library; throws where there is none. */
  getKVCheckpointFunc?(name: string): (...values: readonly unknown[]) => unknown;
  /** Copies the key-value cache, by functions of the model library that not each has. */
  exportPromptCheckpoint?(logits: undefined, storeLogits: false): Promise<Checkpoint | undefined>;
  /** Fills an empty key-value cache. */
  importPromptCheckpoint?(checkpoint: Checkpoint): Promise<void>;
  /** Copies logits to where they can be read after `device.sync()`. */
  updateLogitsOnCPU?(logits: Logits): { toArray(): ArrayLike<number> };
  readonly device?: { sync(): Promise<void> };
  readonly tvm?: CopyingPipeline['tvm'] & { scalar?(value: number, type: string): unknown };
  readonly kvCache?: unknown;
  readonly kvStateKind?: string;
  readonly slidingWindowSize?: number;
  /** Set for models with a manifest, whose prompts take another way. */
  readonly artifact?: unknown;
  /** Positions in the key-value cache, by which WebLLM tells where the next token goes. */
  filledKVCacheLength?: number;
}

/** {@link CachedPipeline} with all of it there. */
export type CompletePipeline = Required<Omit<CachedPipeline, 'artifact' | keyof CopyingPipeline>> &
  CopyingPipeline &
  Required<Pick<CachedPipeline, 'device' | 'tvm'>>;

/** WebLLM runs one sequence, and this is its number. */
const SEQUENCE = 0;

/**
 * Removes the last positions of the key-value cache. WebLLM's own count of them is left as it is.
 * @throws Error if the model library cannot.
 */
function positionPopper(pipeline: CompletePipeline): (count: number) => void {
  const { tvm } = pipeline;
  const pop = pipeline.getKVCheckpointFunc('vm.builtin.kv_state_popn');
  return (count) => void pop(pipeline.kvCache, integer(tvm, SEQUENCE), integer(tvm, count));
}

/** Numbers of JavaScript would arrive as floating point, which a compiled library does not survive. */
function integer(tvm: { scalar?(value: number, type: string): unknown }, value: number): unknown {
  return tvm.scalar?.(value, 'int64');
}

/** Keys and values of all tokens that the model has read or written since the cache was last emptied. */
export class KeyValueCache {
  readonly pipeline: CompletePipeline;
  readonly #reset: () => void;
  readonly #popPositions: (count: number) => void;
  readonly #copied: () => Promise<void>;

  /** @throws Error where this WebLLM, or this model, does not let tokens be taken back. */
  constructor(candidate: CachedPipeline) {
    this.pipeline = requireComplete(candidate);
    this.#reset = this.pipeline.resetKVCache.bind(this.pipeline);
    this.#popPositions = positionPopper(this.pipeline);
    this.#copied = deferCopies(this.pipeline);
  }

  empty(): void {
    this.#reset();
    this.pipeline.filledKVCacheLength = 0;
  }

  /** Takes the last tokens back, until `length` are left. */
  cutTo(length: number, from: number): void {
    const { pipeline } = this;
    if (from > length) this.#popPositions(from - length);
    pipeline.filledKVCacheLength = length;
  }

  /** Bytes that a copy of what is there takes; infinitely many where the model library does not tell. */
  get size(): number {
    const { pipeline } = this;
    try {
      const describe = pipeline.getKVCheckpointFunc('vm.builtin.attention_kv_cache_get_checkpoint_metadata');
      const described = String(describe(pipeline.kvCache, integer(pipeline.tvm, SEQUENCE)));
      const { groups } = JSON.parse(described) as { groups: Pick<Tensor, 'shape' | 'dtype'>[] };
      const size = groups.reduce((sum, group) => sum + bytesOf(group), 0);
      return size >= 0 ? size : Number.POSITIVE_INFINITY;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  /**
   * Begins to copy what is there. As soon as it is given, the cache may be changed.
   * @returns the copy, and what settles when it is of use.
   * @throws whatever keeps WebLLM or the model library from it.
   */
  async save(): Promise<{ checkpoint: Checkpoint; copied: Promise<void> }> {
    try {
      const checkpoint = await this.pipeline.exportPromptCheckpoint(undefined, false);
      if (!checkpoint) throw new Error('there was nothing to save');
      return { checkpoint, copied: this.#copied() };
    } catch (thrown) {
      // What was copied of it is of no use.
      await this.#copied();
      throw thrown;
    }
  }

  /** @throws whatever keeps WebLLM or the model library from it; then the cache may hold anything. */
  async restore(checkpoint: Checkpoint): Promise<void> {
    this.empty();
    await this.pipeline.importPromptCheckpoint(checkpoint);
  }
}

function requireComplete(pipeline: CachedPipeline): CompletePipeline {
  const { kvStateKind, slidingWindowSize, artifact } = pipeline;
  if (artifact !== undefined) throw new Error('the model has a manifest');
  if (kvStateKind !== 'kv_cache') throw new Error(`nothing can be taken back of a state of the kind ${kvStateKind}`);
  if (slidingWindowSize !== -1) throw new Error('the model forgets what lies outside of a window');
  if (!isComplete(pipeline)) throw new Error('this WebLLM keeps its key-value cache elsewhere');
  return pipeline;
}

function isComplete(pipeline: CachedPipeline): pipeline is CompletePipeline {
  const { getInputData, embedAndForward, resetKVCache, getKVCheckpointFunc, device, tvm } = pipeline;
  const { exportPromptCheckpoint, importPromptCheckpoint, updateLogitsOnCPU } = pipeline;
  return (
    areFunctions(
      getInputData,
      embedAndForward,
      resetKVCache,
      getKVCheckpointFunc,
      exportPromptCheckpoint,
      importPromptCheckpoint,
      updateLogitsOnCPU,
      device?.sync,
      tvm?.scalar,
    ) &&
    pipeline.kvCache !== undefined &&
    pipeline.filledKVCacheLength !== undefined
  );
}

/** The tokens of a prompt or chunk; null where there are images in it. */
export function onlyTokens(data: PromptData): number[] | null {
  return data.every((part): part is number[] => Array.isArray(part)) ? data.flat() : null;
}
