/** The adjustments of logits that a request requires, apart from temperature and `top_p`. */
interface LogitAdjustments {
  /** Grammar bitmask with one bit per token id, lowest id first; 0 forbids the token. Undefined without a grammar. */
  readonly mask: Int32Array | undefined;
  /** `logit_bias`: the number to add to a token's logit, by token id. */
  readonly bias: Readonly<Record<string, number>>;
  /** Presence penalty: subtracted once from the logit of each token that occurs in the answer. */
  readonly presence: number;
  /** Frequency penalty: subtracted from a token's logit once per occurrence in the answer. */
  readonly frequency: number;
  /** Repetition penalty: a factor that lowers the logit of each token in the answer; 1 for no change. */
  readonly repetition: number;
  /** Number of occurrences in the answer, by token id. */
  readonly counts: ReadonlyMap<number, number>;
}

/**
 * Applies the adjustments to `logits` in place, in the same order and with the same rules as WebLLM's model libraries.
 */
export function adjustLogits(logits: Float32Array, { mask, bias, ...penalties }: LogitAdjustments): void {
  if (mask) forbid(logits, mask);
  addBias(logits, bias);
  penalise(logits, penalties);
}

/** Applies `logit_bias` to `logits` in place. */
export function addBias(logits: Float32Array, bias: LogitAdjustments['bias']): void {
  for (const [id, value] of Object.entries(bias)) logits[Number(id)] = (logits[Number(id)] ?? 0) + value;
}

function forbid(logits: Float32Array, mask: Int32Array): void {
  for (let token = 0; token < logits.length; token++) {
    if (((mask[token >> 5] ?? 0) & (1 << (token & 31))) === 0) logits[token] = Number.NEGATIVE_INFINITY;
  }
}

function penalise(
  logits: Float32Array,
  { presence, frequency, repetition, counts }: Omit<LogitAdjustments, 'mask' | 'bias'>,
): void {
  if (presence === 0 && frequency === 0 && repetition === 1) return;
  for (const [token, count] of counts) {
    const logit = (logits[token] ?? 0) - presence - count * frequency;
    logits[token] = logit < 0 ? logit * repetition : logit / repetition;
  }
}
