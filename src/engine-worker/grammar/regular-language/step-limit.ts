/** A computation took more steps than it may take. */
class TooManySteps extends Error {}

/** The steps that the running computation may still take; Infinity outside {@link withinSteps}. */
let left = Infinity;

/**
 * Runs a computation that counts its steps by {@link countSteps}. A limit of steps, unlike one of time, is reached by the
 * same inputs on each machine.
 * @returns null if it took more than `most` steps.
 */
export function withinSteps<Result>(most: number, compute: () => Result): Result | null {
  const before = left;
  const given = Math.min(before, most);
  left = given;
  try {
    return compute();
  } catch (thrown) {
    if (thrown instanceof TooManySteps) return null;
    throw thrown;
  } finally {
    left = before - (given - Math.max(0, left));
  }
}

/** @throws TooManySteps */
export function countSteps(steps: number): void {
  left -= steps;
  if (left < 0) throw new TooManySteps();
}
