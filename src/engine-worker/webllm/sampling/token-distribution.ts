/** The most likely token has the weight 1; of the others first those are looked at that weigh so much. */
const LEAST_WEIGHTS = [1e-3, 1e-6, 1e-12, Number.MIN_VALUE] as const;

/** How likely each token of the vocabulary comes next. */
export class TokenDistribution {
  /** By token id, in proportion to the probability. */
  readonly #weights: Float32Array;
  readonly #total: number;

  /**
   * @param logits By token id, at least one of them finite; minus infinity for a token that must not come. They are
   * overwritten.
   * @param temperature Above 0.
   * @throws Error for logits of which no probabilities can be made, as a broken graphics device may give them.
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

  /** Natural logarithm of the token's probability. */
  logprob(token: number): number {
    return Math.log(this.#weight(token) / this.#total);
  }

  /**
   * Draws from the most likely tokens that together reach `topP`: the way of the `sample_with_top_p` of model libraries,
   * so that the same seed draws the same tokens here and there.
   *
   * @param topP Above 0.
   * @param uniform A random number from 0 up to, but not, 1.
   */
  sample(topP: number, uniform: number): number {
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

  /** The most likely tokens, the likeliest first, equal ones by their ids. */
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

  /** The likeliest tokens in their order, as many as together weigh more than `enough`; all if they do not. */
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
