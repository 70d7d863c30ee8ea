import { ENDLESS, MODEL } from './chat-client.ts';

/** One answer runs and this many requests wait; a further request is refused. */
const WAITING = 8;

/**
 * Runs in the page: fills the engine's queue with endless answers, until it refuses one: on a busy machine the first
 * may have ended at its length limit before the last was sent.
 * @returns a function that cancels them all.
 */
async function fillQueue(): Promise<() => void> {
  const leaving = new AbortController();
  const begin = () =>
    fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({ ...ENDLESS, model: MODEL, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
      signal: leaving.signal,
    });
  await Promise.all(Array.from({ length: 1 + WAITING }, begin));
  for (let more = 0; more < WAITING && (await begin()).status !== 429; more++);
  return () => leaving.abort();
}

/** Runs in the page: calls `ask` with a `fetch` that records each status. The queue is full until the first status. */
export async function askWhileQueueIsFull(ask: (recordingFetch: typeof fetch) => Promise<string>) {
  const empty = await fillQueue();
  const statuses: number[] = [];
  const text = await ask(async (input, init) => {
    const response = await fetch(input, init);
    statuses.push(response.status);
    empty();
    return response;
  });
  return { statuses, text };
}
