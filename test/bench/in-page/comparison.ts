import type { BenchRequest, DirectReply } from '../bench-request.ts';
import { readDeltas } from '../read-deltas.ts';
import { timePieces, type PieceTimes } from '../time-pieces.ts';

let worker: Worker | undefined;

/** Loads the model into the direct engine. */
export async function loadDirect(): Promise<void> {
  worker ??= new Worker('/test-clients/direct-engine-worker.js', { type: 'module' });
  await callWorker(worker, null);
}

export function direct(request: BenchRequest): Promise<PieceTimes | null> {
  if (!worker) throw new Error('loadDirect() comes first.');
  return callWorker(worker, request);
}

export function endpoint({ prompt, tokens }: BenchRequest): Promise<PieceTimes> {
  return timePieces(async function* () {
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'pocket',
        messages: [{ role: 'user', content: prompt }],
        stream: true,
        temperature: 0,
        max_tokens: tokens,
        logit_bias: { 0: -100 },
      }),
    });
    yield* readDeltas(response);
  });
}

function callWorker(worker: Worker, request: BenchRequest | null): Promise<PieceTimes | null> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.addEventListener('message', ({ data }: MessageEvent<DirectReply>) => {
      port1.close();
      if ('error' in data) reject(new Error(data.error));
      else resolve(data.value);
    });
    port1.start();
    worker.addEventListener('error', reject, { once: true });
    worker.postMessage(request, [port2]);
  });
}
