/** A computation took more steps than it may take. */
class TooManySteps extends Error {}

/** The steps that the running computation may still take; Infinity outside {@link withinSteps}. */
let left = Infinity;

/** A computation that ended, or that was ended because it took too many steps. */
export interface Counted<Result> {
  /** Null if the computation took too many steps. */
  readonly result: { readonly value: Result } | null;
  /** The steps that were taken. */
  readonly steps: number;
}

/**
 * Runs a computation that counts its steps by {@link countSteps}. A limit of steps, unlike one of time, is reached by the
 * same inputs on each machine. The steps do not count for a computation around this one.
 * @param most The computation ends when it takes more steps than this.
 */
export function countedSteps<Result>(most: number, compute: () => Result): Counted<Result> {
  const around = left;
  left = most;
  try {
    const value = compute();
    return { result: { value }, steps: most - left };
  } catch (thrown) {
    if (thrown instanceof TooManySteps) return { result: null, steps: most };
    throw thrown;
  } finally {
    left = around;
  }
}

/** @throws TooManySteps */
export function countSteps(steps: number): void {
  left -= steps;
  if (left < 0) throw new TooManySteps();
}
