import type { RealWebLlm } from './real-webllm.ts';
import type { TestTokenizer } from './test-tokenizer.ts';

/** The input of one batch for the library of an embedding model. */
export interface EmbeddedBatch {
  /** Padded to the same length. A change that `onBatch` makes before it waits changes the vectors. */
  readonly tokens: readonly (readonly number[])[];
  readonly mask: readonly (readonly number[])[];
}

/** The members of a tensor that WebLLM uses here. */
class Tensor {
  readonly dtype = 'float32';
  readonly shape: readonly number[];
  values: readonly number[];

  constructor(shape: readonly number[], values: readonly number[] = []) {
    this.shape = shape;
    this.values = values;
  }

  copyFrom(source: readonly number[] | Tensor): void {
    this.values = source instanceof Tensor ? source.values : source;
  }

  view(shape: readonly number[]): Tensor {
    return new Tensor(shape, this.values);
  }

  toArray(): readonly number[] {
    return this.values;
  }

  get rows(): readonly (readonly number[])[] {
    const [count = 0, length = 0] = this.shape;
    return Array.from({ length: count }, (_, row) => this.values.slice(row * length, (row + 1) * length));
  }
}

const DIMENSIONS = 4;
export const MAX_TEXTS = 3;

/**
 * WebLLM's pipeline of an embedding model without a GPU: its real prototype with a scripted library. The vector of a
 * text is (number of tokens, sum of their ids, 0, −1).
 */
export function embeddingPipeline(
  { EmbeddingPipeline }: RealWebLlm,
  tokenizer: TestTokenizer,
  onBatch: (batch: EmbeddedBatch) => Promise<void>,
): object {
  let computed: Promise<void> = Promise.resolve();
  return Object.assign(Object.create(EmbeddingPipeline.prototype) as object, {
    tokenizer,
    contextWindowSize: 64,
    prefillChunkSize: 64,
    maxBatchSize: MAX_TEXTS,
    device: { sync: () => computed },
    tvm: {
      beginScope() {},
      endScope() {},
      cpu() {},
      empty: (shape: readonly number[]) => new Tensor(shape),
    },
    params: {},
    prefill(input: Tensor, attention: Tensor) {
      const batch = { tokens: input.rows, mask: attention.rows };
      computed = onBatch(batch);
      const values = batch.tokens.flatMap((tokens, row) => {
        const length = batch.mask[row]!.filter((present) => present === 1).length;
        const sum = tokens.slice(0, length).reduce((total, token) => total + token, 0);
        return tokens.flatMap((_, position) => (position === 0 ? [length, sum, 0, -1] : [9, 9, 9, 9]));
      });
      return new Tensor([batch.tokens.length, batch.tokens[0]!.length, DIMENSIONS], values);
    },
    dispose() {},
    sync: async () => {},
  });
}
