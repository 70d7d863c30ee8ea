import { EndpointSide } from '../../src/bench/sides/endpoint-side.ts';
import type { MeasuredRequest } from '../../src/bench/sides/side.ts';
import { WebLlmSide } from '../../src/bench/sides/webllm-side.ts';
import { register } from '../../src/page/index.ts';
import type { AnswerTimes } from '../../src/shared/measuring/time-chunks.ts';
import { BUILT_IN_MODEL_ID, builtInModel } from '../../src/shared/models/built-in-models.ts';

const parameters = new URLSearchParams(location.search);

export const PARAMETERS = {
  engineWorker: parameters.get('engine')!,
  /** Number of browsers that have measured before this one. */
  browser: Number(parameters.get('browser')),
  rounds: Number(parameters.get('rounds')),
} as const;

/** Never aborts, because the bench stops no measurement. */
const { signal } = new AbortController();

/** The endpoint and WebLLM in a worker, with the built-in model, in one page. */
export class BothSides {
  readonly #endpoint: EndpointSide;
  readonly #direct = new WebLlmSide(
    builtInModel(`${location.origin}/`),
    () => new Worker('/test-clients/direct-engine-worker.js', { type: 'module' }),
  );

  private constructor(endpoint: EndpointSide) {
    this.#endpoint = endpoint;
  }

  /** Loads the model on both sides; the order alternates every second browser. */
  static async start(): Promise<BothSides> {
    const { engineWorker, browser } = PARAMETERS;
    const tabserve = register({ serviceWorker: '/site-service-worker.js', engineWorker });
    const sides = new BothSides(new EndpointSide(tabserve, BUILT_IN_MODEL_ID));
    const loads = [() => tabserve.ready, () => sides.#direct.load(signal)];
    for (const load of browser & 2 ? loads.toReversed() : loads) await load();
    return sides;
  }

  /** @param reset Whether WebLLM first forgets its last conversation. */
  direct(request: MeasuredRequest, reset: boolean): Promise<AnswerTimes> {
    return this.#direct.answer(request, !reset, signal);
  }

  endpoint(request: MeasuredRequest): Promise<AnswerTimes> {
    return this.#endpoint.answer(request, true, signal);
  }
}
