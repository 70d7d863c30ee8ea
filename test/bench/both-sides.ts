import { register } from '../../src/page/index.ts';
import type { BenchRequest, DirectCall, DirectReply } from './bench-request.ts';
import { readDeltas } from './read-deltas.ts';
import { timePieces, type PieceTimes } from './time-pieces.ts';

const parameters = new URLSearchParams(location.search);

export const PARAMETERS = {
  engineWorker: parameters.get('engine')!,
  /** Number of browsers before this one. */
  browser: Number(parameters.get('browser')),
  rounds: Number(parameters.get('rounds')),
} as const;

/** The endpoint and WebLLM in a worker, with the same model, in one page. */
export class BothSides {
  readonly #worker = new Worker('/test-clients/direct-engine-worker.js', { type: 'module' });

  /** Loads the model on both sides; the order alternates every second browser. */
  static async start(): Promise<BothSides> {
    const { engineWorker, browser } = PARAMETERS;
    const loads = [
      () => register({ serviceWorker: '/site-service-worker.js', engineWorker }).ready,
      () => sides.#call({ request: null, reset: false }),
    ];
    const sides = new BothSides();
    for (const load of browser & 2 ? loads.toReversed() : loads) await load();
    return sides;
  }

  /**
   * Times are those of arrival in the page, as with the endpoint. The worker posts a message only for the first piece,
   * as one per piece would slow the others down; their times are shifted by the first piece's delay.
   * @param reset Whether WebLLM first forgets its last conversation.
   */
  async direct(request: BenchRequest, reset: boolean): Promise<PieceTimes> {
    const start = performance.now();
    let first = Number.NaN;
    const times = (await this.#call({ request, reset }, () => (first = performance.now() - start)))!;
    const delay = first - times.first;
    const progress = times.progress.map(([length, time]) => [length, time + delay] as const);
    return { ...times, first, last: times.last + delay, progress };
  }

  endpoint(request: BenchRequest): Promise<PieceTimes> {
    return timePieces(async function* () {
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        // WebLLM does not end an answer that repeats itself.
        body: JSON.stringify({ model: 'pocket', stream: true, loop_detection: false, ...request }),
      });
      yield* readDeltas(response);
    });
  }

  #call(call: DirectCall, onBegun: () => void = () => {}): Promise<PieceTimes | null> {
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve, reject) => {
      port1.addEventListener('message', ({ data }: MessageEvent<DirectReply>) => {
        if ('begun' in data) return onBegun();
        port1.close();
        if ('error' in data) reject(new Error(data.error));
        else resolve(data.value);
      });
      port1.start();
      this.#worker.addEventListener('error', reject, { once: true });
      this.#worker.postMessage(call, [port2]);
    });
  }
}

/** Posts the page's results to the address in its parameter `report`, as no debugger is attached. */
export async function sendReport<Report>(measure: () => Promise<Report | { error: string }>): Promise<void> {
  const report = await measure().catch((error: unknown) => ({ error: String(error) }));
  const address = parameters.get('report')!;
  await fetch(address, { method: 'POST', mode: 'no-cors', body: JSON.stringify(report) });
}
