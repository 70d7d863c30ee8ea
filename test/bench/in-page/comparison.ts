import { register } from '../../../src/page/index.ts';
import type { BenchRequest, ComparisonReport, DirectReply } from '../bench-request.ts';
import { readDeltas } from '../read-deltas.ts';
import { timePieces, type PieceTimes } from '../time-pieces.ts';

// Runs by itself, and reports to the address it is given: nobody watches this page while it measures.
const REQUEST: BenchRequest = { prompt: 'What is a service worker?', tokens: 128 };

const parameters = new URLSearchParams(location.search);
const report = await compare(Number(parameters.get('pairs'))).catch((error: unknown) => ({ error: String(error) }));
await fetch(parameters.get('report')!, {
  method: 'POST',
  mode: 'no-cors',
  body: JSON.stringify(report satisfies ComparisonReport),
});

async function compare(count: number): Promise<ComparisonReport> {
  await register({ serviceWorker: '/site-service-worker.js', engineWorker: parameters.get('engine')! }).ready;
  const worker = new Worker('/test-clients/direct-engine-worker.js', { type: 'module' });
  await callWorker(worker, null);

  // Both warm: shaders compiled, workers running.
  const expected = (await direct(worker)).text;
  const answer = (await endpoint()).text;
  if (answer !== expected) throw new Error(`The two sides do not do the same work:\n${expected}\n${answer}`);

  const pairs: [PieceTimes, PieceTimes][] = [];
  for (let pair = 0; pair < count; pair++) {
    // In changing order, so that neither side always follows the other.
    const first = pair % 2 ? await endpoint() : await direct(worker);
    const second = pair % 2 ? await direct(worker) : await endpoint();
    pairs.push(pair % 2 ? [second, first] : [first, second]);
  }
  return { tokens: REQUEST.tokens, pairs };
}

async function direct(worker: Worker): Promise<PieceTimes> {
  return (await callWorker(worker, REQUEST))!;
}

function endpoint(): Promise<PieceTimes> {
  return timePieces(async function* () {
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'pocket',
        messages: [{ role: 'user', content: REQUEST.prompt }],
        stream: true,
        temperature: 0,
        max_tokens: REQUEST.tokens,
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
