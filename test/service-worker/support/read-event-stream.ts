import { expect } from 'vitest';

interface Chunk {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: Readonly<Record<string, unknown>>;
    readonly logprobs: { readonly content: readonly { readonly token: string }[] } | null;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: unknown;
  readonly error?: { readonly code: string };
}

export interface EventStream {
  /** The parsed data of every event but `[DONE]`. */
  readonly chunks: readonly Chunk[];
  readonly comments: readonly string[];
  readonly done: boolean;
}

/** Reads a whole event stream and fails on any unexpected line. Strict, so it does not use the parser of `src`. */
export async function readEventStream(response: Response): Promise<EventStream> {
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  return parseEventStream(await response.text());
}

export function parseEventStream(text: string): EventStream {
  const chunks: Chunk[] = [];
  const comments: string[] = [];
  let done = false;
  expect(text === '' || text.endsWith('\n\n'), 'the stream ends with a whole event').toBe(true);
  for (const event of text.split('\n\n').slice(0, -1)) {
    expect(event, 'one line, data or comment').toMatch(/^(data: |: )[^\n]+$/);
    expect(done, 'nothing follows [DONE]').toBe(false);
    if (event.startsWith(': ')) comments.push(event.slice(2));
    else if (event === 'data: [DONE]') done = true;
    else chunks.push(JSON.parse(event.slice('data: '.length)) as Chunk);
  }
  return { chunks, comments, done };
}
