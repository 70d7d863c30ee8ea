import { WeightBuckets } from './weight-buckets.ts';

/** Limits of the tokens that may be sampled. */
export interface SamplingLimits {
  /** Samples only from tokens whose probability is at least this share of the likeliest one's, 0…1; null for all. */
  readonly minP?: number | null;
  /** Samples only from this many of the most likely tokens, at least 1; null for all. */
  readonly topK?: number | null;
}

export class TokenDistribution {
  /** Unnormalized probabilities by token id. */
  readonly #weights: Float32Array;
  readonly #total: number;

  /**
   * @param logits Logits by token id. At least one must be finite; minus infinity forbids a token. The array is
   * overwritten.
   * @param temperature Above 0.
   * @throws Error for logits that yield no probabilities, as a faulty GPU may compute.
   */
  constructor(logits: Float32Array, temperature: number) {
    let highest = Number.NEGATIVE_INFINITY;
    for (const logit of logits) if (logit > highest) highest = logit;
    let total = 0;
    for (let token = 0; token < logits.length; token++) {
      const weight = Math.exp(((logits[token] ?? 0) - highest) / temperature);
      logits[token] = weight;
      total += weight;
    }
    if (!(total > 0)) throw new Error('The model gives no token any probability.');
    this.#weights = logits;
    this.#total = total;
  }

  /** Returns the natural logarithm of the token's probability. */
  logprob(token: number): number {
    return Math.log(this.#weight(token) / this.#total);
  }

  /**
   * Samples from the most likely tokens that together reach the probability `topP`. The algorithm is that of the
   * function `sample_with_top_p` in model libraries, so that a seed gives the same tokens on the CPU and on the GPU.
   *
   * @param topP Above 0.
   * @param uniform A random number in [0, 1).
   * @param limits Which tokens may be sampled at all. Default: all.
   */
  sample(topP: number, uniform: number, { minP = null, topK = null }: SamplingLimits = {}): number {
    if (minP !== null && minP > 0) {
      return this.#sampleOf(this.#asLikelyAs(minP).slice(0, topK ?? undefined), topP, uniform);
    }
    if (topK !== null && topK < this.#weights.length) return this.#sampleOf(this.mostLikely(topK), topP, uniform);
    const buckets = new WeightBuckets(this.#weights);
    if (topP >= 1) return buckets.endOfRun((mass) => mass > uniform * this.#total).token;
    const kept = buckets.endOfRun((mass) => mass >= topP * this.#total);
    const drawn = uniform * kept.mass;
    // The product may be rounded up to the whole.
    return drawn < kept.mass ? buckets.endOfRun((mass) => mass > drawn).token : kept.token;
  }

  /** Like {@link sample}, but only from the given tokens, which are in descending order of probability. */
  #sampleOf(ranked: readonly number[], topP: number, uniform: number): number {
    const total = ranked.reduce((sum, token) => sum + this.#weight(token), 0);
    let kept = 0;
    let mass = 0;
    while (kept < ranked.length && mass < topP * total) mass += this.#weight(ranked[kept++] ?? 0);
    let reached = 0;
    for (const token of ranked.slice(0, kept)) {
      reached += this.#weight(token);
      if (reached > uniform * mass) return token;
    }
    return ranked[kept - 1] ?? 0;
  }

  /** Returns the `count` most likely tokens, in descending order of probability, then by id. */
  mostLikely(count: number): number[] {
    const best: number[] = [];
    let least = Number.NEGATIVE_INFINITY;
    for (let token = 0; token < this.#weights.length; token++) {
      const weight = this.#weight(token);
      if (weight <= least) continue;
      const after = best.findIndex((other) => this.#weight(other) < weight);
      best.splice(after < 0 ? best.length : after, 0, token);
      if (best.length > count) best.pop();
      if (best.length === count) least = this.#weight(best[count - 1] ?? 0);
    }
    return best;
  }

  /**
   * Returns the tokens whose probability is at least `share` of the likeliest one's, in descending order of probability,
   * then by id.
   */
  #asLikelyAs(share: number): number[] {
    const likely: number[] = [];
    // The likeliest token has the weight 1.
    for (let token = 0; token < this.#weights.length; token++) if (this.#weight(token) >= share) likely.push(token);
    return likely.toSorted((one, other) => this.#weight(other) - this.#weight(one));
  }

  #weight(token: number): number {
    return this.#weights[token] ?? 0;
  }
}
