/** What a request says of tokens, beside how they are drawn. */
interface LogitAdjustments {
  /** A bit for each token, the lowest first; those that are 0 must not come. Undefined where all may. */
  readonly mask: Int32Array | undefined;
  /** What is added to the logits of tokens, by their ids. */
  readonly bias: Readonly<Record<string, number>>;
  /** Taken from the logit of each token that the answer has. */
  readonly presence: number;
  /** Taken from it once for each time that the answer has it. */
  readonly frequency: number;
  /** Makes the logit of each token that the answer has so many times less likely; 1 for no change. */
  readonly repetition: number;
  /** How often the answer has each of its tokens, by their ids. */
  readonly counts: ReadonlyMap<number, number>;
}

/** Applies them in place, in the order and by the rules of WebLLM and its model libraries. */
export function adjustLogits(logits: Float32Array, { mask, bias, ...penalties }: LogitAdjustments): void {
  if (mask) forbid(logits, mask);
  for (const [id, value] of Object.entries(bias)) logits[Number(id)] = (logits[Number(id)] ?? 0) + value;
  penalise(logits, penalties);
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
