import type { DirectCall, DirectModel, DirectReply } from '../../shared/measuring/direct-webllm-messages.ts';
import type { AnswerTimes } from '../../shared/measuring/time-chunks.ts';
import { withAbort } from '../../shared/timeout.ts';
import type { MeasuredRequest, Side } from './side.ts';

/** WebLLM without this endpoint, in a worker of this page. */
export class WebLlmSide implements Side {
  readonly name = 'webllm';
  readonly #model: DirectModel;
  readonly #startWorker: () => Worker;
  #worker: Worker | null = null;

  /** @param startWorker Starts the worker of `direct-webllm-worker.ts`, whose address differs by build. */
  constructor(model: DirectModel, startWorker: () => Worker) {
    this.#model = model;
    this.#startWorker = startWorker;
  }

  async load(signal: AbortSignal): Promise<void> {
    this.#worker ??= this.#startWorker();
    await this.#call({ type: 'load', model: this.#model }, signal);
  }

  /**
   * The worker posts a message only for the first piece, because a message per piece would slow it down. The times of
   * the other pieces are shifted by the delay of that message.
   */
  async answer({ schema, ...request }: MeasuredRequest, goesOn: boolean, signal: AbortSignal): Promise<AnswerTimes> {
    const format = schema && { response_format: { type: 'json_object', schema: JSON.stringify(schema) } };
    const start = performance.now();
    let first = Number.NaN;
    const call: DirectCall = { type: 'answer', request: { ...request, ...format }, reset: !goesOn };
    const times = (await this.#call(call, signal, () => (first = performance.now() - start)))!;
    const delay = first - times.first;
    const progress = times.progress.map(([length, time]) => [length, time + delay] as const);
    return { ...times, first, last: times.last + delay, progress };
  }

  async unload(): Promise<void> {
    this.#worker?.terminate();
    this.#worker = null;
  }

  async #call(call: DirectCall, signal: AbortSignal, onFirst: () => void = () => {}): Promise<AnswerTimes | null> {
    signal.throwIfAborted();
    const worker = this.#worker;
    if (worker === null) throw new Error('No model is loaded.');
    const { port1, port2 } = new MessageChannel();
    const replied = new Promise<AnswerTimes | null>((resolve, reject) => {
      port1.addEventListener('message', ({ data }: MessageEvent<DirectReply>) => {
        if ('begun' in data) return onFirst();
        if ('error' in data) reject(new Error(data.error));
        else resolve(data.value);
      });
      worker.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true });
    });
    port1.start();
    worker.postMessage(call, [port2]);
    try {
      return await withAbort(replied, signal);
    } catch (thrown) {
      // Otherwise WebLLM would continue the abandoned answer.
      if (signal.aborted && call.type === 'answer') worker.postMessage({ type: 'stop' } satisfies DirectCall);
      throw thrown;
    } finally {
      port1.close();
    }
  }
}
