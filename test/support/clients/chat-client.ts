/** The actions that every client package is tested with, in the page. Parameters and results are plain data. */
export interface ChatClient {
  /** Requests an answer in JSON. */
  complete(question: string): Promise<{ readonly text: string; readonly totalTokens: number | undefined }>;
  /** Returns the pieces of a streamed answer. */
  stream(question: string): Promise<string[]>;
  /**
   * Aborts an endless stream after its first piece. Returns how the stream ended for the caller, and the next answer.
   */
  abort(): Promise<{ readonly pieces: number; readonly thrown: string | null; readonly next: string }>;
  /** Makes the model call {@link WEATHER_TOOL}, sends the result, and returns the answer in text. */
  useTool(question: string): Promise<{ readonly name: string; readonly parameters: unknown; readonly answer: string }>;
  /** Returns a parsed answer that matches {@link PERSON_SCHEMA}. */
  structured(question: string): Promise<unknown>;
  /** Requests a model that does not exist. Returns the error. */
  failure(): Promise<{ readonly status: number | undefined; readonly message: string }>;
  /**
   * Sends a request while the queue is full; the queue is emptied after the first refusal. Returns the statuses of all
   * attempts.
   */
  retry(): Promise<{ readonly statuses: readonly number[]; readonly text: string }>;
}

export const MODEL = 'pocket';

/** Token 0 ends an answer of the built-in model. Without it, an answer ends only at its length limit. */
export const ENDLESS = { logit_bias: { 0: -100 }, max_tokens: 1500 } as const;

/** A question that the built-in model answers at greatest length. */
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
 * Aborts a stream after its first piece.
 * @param open Starts an endless answer and yields its pieces; the signal aborts it.
 * @returns the number of pieces, and the name of the error.
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
