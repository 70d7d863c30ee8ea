/** What every client package is asked to do, in the page. Parameters and results are plain data. */
export interface ChatClient {
  /** One JSON answer. */
  complete(question: string): Promise<{ readonly text: string; readonly totalTokens: number | undefined }>;
  /** The pieces of a streamed answer. */
  stream(question: string): Promise<string[]>;
  /** Leaves an endless stream after its first piece; then how it ended for the caller, and a further answer. */
  abort(): Promise<{ readonly pieces: number; readonly thrown: string | null; readonly next: string }>;
  /** The model must call {@link WEATHER_TOOL}; its result goes back, and an answer in words comes. */
  useTool(question: string): Promise<{ readonly name: string; readonly parameters: unknown; readonly answer: string }>;
  /** An answer of the form {@link PERSON_SCHEMA}, parsed. */
  structured(question: string): Promise<unknown>;
  /** How a request for a model that does not exist fails. */
  failure(): Promise<{ readonly status: number | undefined; readonly message: string }>;
  /** Asks while the queue is full, which ends with the first refusal: every status the client has met. */
  retry(): Promise<{ readonly statuses: readonly number[]; readonly text: string }>;
}

export const MODEL = 'pocket';

/** Token 0 ends an answer of the built-in model. Without it, an answer ends only at its length limit. */
export const ENDLESS = { logit_bias: { 0: -100 }, max_tokens: 1500 } as const;

/** The longest answer that the built-in model gives by itself. */
export const LONG_STORY = 'Tell me a story about a dog.';

export const WEATHER_TOOL = {
  name: 'get_weather',
  description: 'The present weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 12 } },
    required: ['city'],
    additionalProperties: false,
  },
} as const;

export const PERSON_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 12 },
    age: { type: 'integer', minimum: 0, maximum: 120 },
  },
  required: ['name', 'age'],
  additionalProperties: false,
} as const;

/**
 * Leaves a stream after its first piece.
 * @param open Begins to give the pieces of an endless answer; the signal is how its caller leaves.
 * @returns how many pieces came, and the name of what was then thrown.
 */
export async function leaveEarly(open: (signal: AbortSignal) => AsyncIterable<string>) {
  const leaving = new AbortController();
  let pieces = 0;
  let thrown: string | null = null;
  try {
    for await (const piece of open(leaving.signal)) {
      if (piece === '') continue;
      pieces++;
      leaving.abort();
    }
  } catch (error) {
    thrown = (error as Error).name;
  }
  return { pieces, thrown };
}
