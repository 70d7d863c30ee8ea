/** Returns the tokens by descending probability; equal ones keep their order. */
export function sortDescending(probabilities: number[]): number[] {
  return probabilities
    .map((_, token) => token)
    .toSorted((left, right) => probabilities[right]! - probabilities[left]! || left - right);
}

/** Samples among the most likely tokens that together reach `topP`. */
export function sampleTopP(probabilities: number[], topP: number, uniform: number): number {
  const tokens = sortDescending(probabilities);
  let kept = 0;
  let mass = 0;
  while (kept < tokens.length && (kept === 0 || mass < topP)) mass += probabilities[tokens[kept++]!]!;
  let reached = 0;
  for (const token of tokens.slice(0, kept)) {
    reached += probabilities[token]!;
    if (reached > uniform * mass) return token;
  }
  return tokens[kept - 1]!;
}

/** Presence, frequency and repetition penalty for tokens that have appeared `counts` times. */
export function applyPenalties(
  logits: number[],
  tokens: number[],
  counts: number[],
  presence: number,
  frequency: number,
  repetition: number,
): number[] {
  const penalised = [...logits];
  for (const [index, token] of tokens.entries()) {
    const logit = logits[token]! - presence - counts[index]! * frequency;
    penalised[token] = logit < 0 ? logit * repetition : logit / repetition;
  }
  return penalised;
}
