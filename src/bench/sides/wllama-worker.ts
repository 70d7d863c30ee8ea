import type { LlamaCppFiles } from '../../shared/models/llama-cpp-files.ts';

export interface WllamaOptions {
  readonly threads: number;
  /** Whether llama.cpp may use the GPU. */
  readonly webgpu: boolean;
  /** Whether the program for 32-bit memories runs. */
  readonly isCompat: boolean;
}

/**
 * Runs `load` while `new Worker()` starts llama.cpp's worker from the site's own file. wllama would start it from a
 * `blob:` address, which the Content-Security-Policy blocks. The page must start no other worker in the meantime.
 * @param files Addresses of llama.cpp's files.
 */
export async function withWorkerOfSite<Result>(
  files: LlamaCppFiles,
  options: WllamaOptions,
  load: () => Promise<Result>,
): Promise<Result> {
  const { Worker } = globalThis;
  globalThis.Worker = function (address: string) {
    URL.revokeObjectURL(address);
    return new WorkerOfSite(Worker, files, options);
  } as unknown as typeof Worker;
  try {
    return await load();
  } finally {
    globalThis.Worker = Worker;
  }
}

/**
 * The worker in the form that wllama expects. Its script communicates over a port, because the endpoint's engine uses
 * the same script from another worker.
 */
class WorkerOfSite {
  onmessage: ((event: MessageEvent) => void) | null = null;
  /** wllama sets this handler. It is never called, because failures of the worker arrive as messages. */
  onerror: unknown = null;
  readonly #worker: Worker;
  readonly #port: MessagePort;

  constructor(Worker: typeof globalThis.Worker, files: LlamaCppFiles, { threads, webgpu, isCompat }: WllamaOptions) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(files.worker, { type: 'module', name: 'llama-cpp' });
    // The first message reports that the script has started.
    const start = () => this.#worker.postMessage({ lockName: crypto.randomUUID(), port: port2 }, [port2]);
    this.#worker.addEventListener('message', start, { once: true });
    this.#worker.addEventListener('error', ({ message }) => this.#fail(message));
    port1.addEventListener('message', (event: MessageEvent<{ readonly type?: string }>) => {
      if (event.data.type !== 'started') this.onmessage?.(event);
    });
    port1.start();
    const pathConfig = { 'wllama.wasm': files.wasm };
    const nbThread = threads > 1 ? threads : 0;
    port1.postMessage({
      runOptions: { pathConfig, nbThread, compat: isCompat, threadScript: files.thread, useGpu: webgpu },
    });
  }

  postMessage(message: unknown, options?: StructuredSerializeOptions): void {
    this.#port.postMessage(message, options);
  }

  terminate(): void {
    this.#worker.terminate();
    this.#port.close();
  }

  #fail(message: string): void {
    const data = { verb: 'signal.abort', args: ['abort', message, '', null] };
    this.onmessage?.(new MessageEvent('message', { data }));
  }
}
