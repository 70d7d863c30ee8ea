/** Summary of repeated measurements. */
export interface Summary {
  readonly median: number;
  /** Half of all values lie between the quartiles. */
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
  readonly count: number;
}

export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    lowerQuartile: quantile(sorted, 0.25),
    upperQuartile: quantile(sorted, 0.75),
    count: sorted.length,
  };
}

/** Interpolates linearly. */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
