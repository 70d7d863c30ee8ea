/**
 * Thresholds of the weight, where the most likely token has weight 1. The search for likely tokens first considers only
 * tokens above the first threshold, then those above the next, and so on.
 */
const LEAST_WEIGHTS = [1e-3, 1e-6, 1e-12, Number.MIN_VALUE] as const;

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
   * @param topK Samples only from this many of the most likely tokens, at least 1. Default: from all.
   */
  sample(topP: number, uniform: number, topK = Number.POSITIVE_INFINITY): number {
    if (topK < this.#weights.length) return this.#sampleOf(this.mostLikely(topK), topP, uniform);
    const all = topP >= 1;
    const wanted = topP * this.#total;
    const ranked = this.#ranked(all ? uniform * this.#total : wanted);
    let kept = 0;
    let mass = 0;
    while (kept < ranked.length && mass < wanted) mass += this.#weight(ranked[kept++] ?? 0);
    const drawn = uniform * (all ? this.#total : mass);
    let reached = 0;
    for (const token of ranked.slice(0, kept)) {
      reached += this.#weight(token);
      if (reached > drawn) return token;
    }
    return ranked[kept - 1] ?? 0;
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
   * Returns the most likely tokens, in descending order, whose total weight exceeds `enough`; all tokens if even
   * their total does not.
   */
  #ranked(enough: number): number[] {
    let tokens: number[] = [];
    for (const least of LEAST_WEIGHTS) {
      tokens = [];
      let mass = 0;
      for (let token = 0; token < this.#weights.length; token++) {
        const weight = this.#weight(token);
        if (weight < least) continue;
        tokens.push(token);
        mass += weight;
      }
      if (mass > enough) break;
    }
    return tokens.toSorted((one, other) => this.#weight(other) - this.#weight(one) || one - other);
  }

  #weight(token: number): number {
    return this.#weights[token] ?? 0;
  }
}
