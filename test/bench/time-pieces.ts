/** Arrival times of an answer's pieces, in milliseconds from the call. */
export interface PieceTimes {
  readonly first: number;
  readonly last: number;
  /** Number of non-empty pieces. */
  readonly pieces: number;
  readonly text: string;
  /** For each piece: characters so far, and its arrival time. */
  readonly progress: readonly (readonly [length: number, time: number])[];
}

/** Starts an answer and times its pieces. Runs in pages and workers. */
export async function timePieces(answer: () => AsyncIterable<string>): Promise<PieceTimes> {
  const start = performance.now();
  let first = Number.NaN;
  let last = Number.NaN;
  let pieces = 0;
  let text = '';
  const progress: [number, number][] = [];
  for await (const piece of answer()) {
    if (!piece) continue;
    last = performance.now() - start;
    if (pieces === 0) first = last;
    pieces++;
    text += piece;
    progress.push([text.length, last]);
  }
  return { first, last, pieces, text, progress };
}
