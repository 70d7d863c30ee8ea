/** When the pieces of one answer came, in milliseconds from the call. */
export interface PieceTimes {
  readonly first: number;
  readonly last: number;
  /** Pieces with text in them. */
  readonly pieces: number;
  readonly text: string;
  /** For each piece: characters so far, and when it came. */
  readonly progress: readonly (readonly [length: number, time: number])[];
}

/** Starts an answer and takes the time of its pieces. Runs in pages and in workers. */
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
