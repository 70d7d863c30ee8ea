import type { Checkpoint } from './key-value-cache.ts';

/** The keys and values of one conversation, away from the graphics device. */
export interface SavedPrompt {
  readonly tokens: readonly number[];
  readonly checkpoint: Checkpoint;
  readonly bytes: number;
}

/**
 * Tokens that cost less to read again than to save and restore. Measured with the built-in model on software WebGPU:
 * 1,500 tokens are saved in 10 ms and restored in 5 ms; to read 64 takes 170 ms.
 */
export const WORTH_SAVING = 32;

/** The conversations that were used last, as many as memory is granted for. They are never written to the disk. */
export class SavedPrompts {
  readonly #budget: number;
  /** Least recently used first. */
  #saved: SavedPrompt[] = [];

  /** @param budget Bytes that all of them may take. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /**
   * What begins like a prompt for the longest. It counts as used.
   * @param held Tokens that the prompt has in common with the cache as it is: what is not worth more is not looked for.
   */
  find(prompt: readonly number[], held: number): SavedPrompt | null {
    let best: SavedPrompt | null = null;
    let most = held + WORTH_SAVING;
    for (const saved of this.#saved) {
      const length = commonPrefix(saved.tokens, prompt);
      if (length < most) continue;
      most = length;
      best = saved;
    }
    if (best !== null) this.#saved = [...this.#saved.filter((saved) => saved !== best), best];
    return best;
  }

  /** Whether tokens are here, but for a few. */
  has(tokens: readonly number[]): boolean {
    return this.#saved.some((one) => tokens.length - commonPrefix(one.tokens, tokens) < WORTH_SAVING);
  }

  /** Whether so many bytes find room here, once others have made it. */
  hasRoomFor(bytes: number): boolean {
    return bytes <= this.#budget;
  }

  /** Takes the place of what it goes on from, and of those that were used longest ago. */
  add(tokens: readonly number[], checkpoint: Checkpoint): void {
    const bytes = checkpoint.pageGroups.reduce((sum, { data }) => sum + data.byteLength, 0);
    this.#saved = this.#saved.filter((one) => one.tokens.length - commonPrefix(one.tokens, tokens) >= WORTH_SAVING);
    this.#saved.push({ tokens, checkpoint, bytes });
    let sum = this.#saved.reduce((before, one) => before + one.bytes, 0);
    while (sum > this.#budget) sum -= this.#saved.shift()?.bytes ?? sum;
  }
}

/** How many tokens two texts begin with alike. */
export function commonPrefix(one: readonly number[], other: readonly number[]): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one[length] === other[length]) length++;
  return length;
}
