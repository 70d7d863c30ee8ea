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

/** Token counts of an answer, as reported by its engine. */
interface AnswerTokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Token counts are null if the engine has sent no usage. */
export interface AnswerTimes extends PieceTimes {
  readonly tokens: AnswerTokens | null;
}

/** A chunk of a streamed chat completion; only the fields that measurements use. */
export interface MeasuredChunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly error?: { readonly message: string };
}

/**
 * Starts an answer and times its pieces. Runs in pages and workers.
 * @param onFirst Called when the first piece has arrived.
 * @throws if a chunk carries an error.
 */
export async function timeChunks(
  answer: () => AsyncIterable<MeasuredChunk>,
  onFirst: () => void = () => {},
): Promise<AnswerTimes> {
  let tokens: AnswerTokens | null = null;
  let begun = false;
  const times = await timePieces(async function* () {
    for await (const { choices, usage, error } of answer()) {
      if (error) throw new Error(error.message);
      if (usage) tokens = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
      const piece = choices?.[0]?.delta?.content ?? '';
      if (piece !== '' && !begun) onFirst();
      begun ||= piece !== '';
      yield piece;
    }
  });
  return { ...times, tokens };
}

async function timePieces(answer: () => AsyncIterable<string>): Promise<PieceTimes> {
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
