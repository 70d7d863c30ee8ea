/** The largest absolute difference between two lists of numbers of the same length. */
export function largestDifference(left: ArrayLike<number>, right: ArrayLike<number>): number {
  if (left.length !== right.length) throw new Error(`${left.length} numbers against ${right.length}`);
  let largest = 0;
  for (let i = 0; i < left.length; i++) {
    const difference = Math.abs(left[i]! - right[i]!);
    // Treats NaN as a difference.
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}
