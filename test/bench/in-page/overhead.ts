import { register } from '../../../src/page/index.ts';
import { readMeasuredChunks } from '../../../src/bench/read-measured-chunks.ts';

/**
 * Starts the site's service worker with `scripted-engine-worker.ts`, whose engine computes nothing, and waits for a
 * response.
 */
export async function start(): Promise<void> {
  const { ready } = register({
    serviceWorker: '/site-service-worker.js',
    engineWorker: '/test-clients/scripted-engine-worker.js',
  });
  await ready;
  await chunksPerSecond(10);
}

/** Chunks of one stream that the page reads per second. */
export async function chunksPerSecond(chunks: number): Promise<number> {
  const response = await ask(chunks);
  const start = performance.now();
  let read = 0;
  for await (const { choices } of readMeasuredChunks(response)) if (choices?.[0]?.delta?.content) read++;
  if (read !== chunks) throw new Error(`${read} chunks came instead of ${chunks}.`);
  return (read / (performance.now() - start)) * 1000;
}

/** Milliseconds to the first byte of the response body. */
export async function firstByte(): Promise<number> {
  const start = performance.now();
  const reader = (await ask(1)).body!.getReader();
  await reader.read();
  const time = performance.now() - start;
  while (!(await reader.read()).done);
  return time;
}

function ask(tokens: number): Promise<Response> {
  return fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'pocket',
      stream: true,
      max_tokens: tokens,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
}
