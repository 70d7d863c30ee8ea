/** How many of the most probable tokens a {@link Distribution} has. */
export const CANDIDATES = 300;

/** A model's probabilities for the token after a prompt. */
export interface Distribution {
  /** Number of tokens of the prompt. */
  readonly promptTokens: number;
  /**
   * Ids of the most probable tokens, at most {@link CANDIDATES}, with the logarithms of their probabilities; the highest first.
   */
  readonly top: readonly (readonly [token: number, logprob: number])[];
}

/** How much distributions differ from those of a reference. */
export interface Difference {
  /** Number of pairs that were compared. */
  readonly prompts: number;
  /** Mean Kullback-Leibler divergence from the reference, in nats. */
  readonly meanDivergence: number;
  readonly medianDivergence: number;
  readonly largestDivergence: number;
  /** Share of the prompts after which another token is the most probable one, 0…1. */
  readonly changedTokens: number;
}

/** Compares distributions with those of a reference for the same prompts. Prompts for which either is null do not count. */
export function compareDistributions(
  references: readonly (Distribution | null)[],
  others: readonly (Distribution | null)[],
): Difference {
  const pairs = references.flatMap((reference, index) => {
    const other = others[index] ?? null;
    return reference === null || other === null ? [] : [[reference, other] as const];
  });
  const divergences = pairs.map((pair) => divergence(...pair)).toSorted((a, b) => a - b);
  const changed = pairs.filter(([reference, other]) => reference.top[0]![0] !== other.top[0]![0]).length;
  return {
    prompts: pairs.length,
    meanDivergence: divergences.reduce((sum, each) => sum + each, 0) / divergences.length,
    medianDivergence: divergences[Math.floor(divergences.length / 2)]!,
    largestDivergence: divergences.at(-1)!,
    changedTokens: changed / pairs.length,
  };
}

/**
 * Returns the Kullback-Leibler divergence of a distribution from a reference, in nats. It compares as many candidates as
 * both have; all other tokens count as one.
 */
export function divergence({ top: reference }: Distribution, { top: other }: Distribution): number {
  const known = new Map(other);
  // A token that is missing among the other's candidates is at most as probable as the last of them.
  const least = other.at(-1)![1];
  let sum = 0;
  let restOfReference = 1;
  let restOfOther = 1;
  for (const [token, logprob] of reference.slice(0, other.length)) {
    const otherLogprob = known.get(token) ?? least;
    sum += Math.exp(logprob) * (logprob - otherLogprob);
    restOfReference -= Math.exp(logprob);
    restOfOther -= Math.exp(otherLogprob);
  }
  if (restOfReference > 1e-9 && restOfOther > 1e-9) sum += restOfReference * Math.log(restOfReference / restOfOther);
  return sum;
}
