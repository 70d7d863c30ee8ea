/** Steps into which scores are sorted first. */
const STEPS = 4096;

/**
 * Returns the places of the best scores, best first; of equal ones the earlier first. Scores of 0 are left out. The time
 * is linear in the number of scores, as only the best are sorted.
 * @param scores From 0 to 1.
 * @param most How many are returned at most, apart from scores that are nearly equal to the last one.
 */
export function bestScores(scores: Float32Array, most: number): readonly number[] {
  const counts = new Uint32Array(STEPS + 1);
  const stepOf = (score: number) => Math.min(STEPS, Math.ceil(score * STEPS));
  for (let index = 0; index < scores.length; index += 1) counts[stepOf(scores[index]!)]! += 1;
  let lowest = STEPS;
  for (let sum = counts[lowest]!; lowest > 1 && sum < most; sum += counts[lowest]!) lowest -= 1;
  const best: number[] = [];
  for (let index = 0; index < scores.length; index += 1) if (stepOf(scores[index]!) >= lowest) best.push(index);
  return best.toSorted((one, other) => scores[other]! - scores[one]! || one - other);
}
