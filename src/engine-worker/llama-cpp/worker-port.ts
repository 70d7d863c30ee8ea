import type { PageWorker } from '../ports/start-worker-in-page.ts';
import { Watchdog } from '../completions/watchdog.ts';

/** The messages of wllama's worker that this class reads. */
interface WorkerMessage {
  readonly verb?: string;
  readonly args?: readonly unknown[];
}

/** Matches WebAssembly's error messages after which a program cannot continue. */
const TRAP = /out of bounds|unreachable|null function|indirect call|stack|memory/i;

/** Whether an error message means that llama.cpp has ended. Most error messages only refuse a request. */
function isCrash([kind, message]: readonly unknown[]): boolean {
  return kind === 'abort' || TRAP.test(String(message));
}

export interface WorkerPortOptions {
  /** Milliseconds without a message of the worker after which `onStandstill` is called. */
  readonly standstill: number;
  /** Called when some bytes of one of the model's files are read. wllama calls an image encoder `mmproj.gguf`. */
  readonly onRead: (file: string, bytes: number) => void;
  readonly onStandstill: () => void;
  /** Called when llama.cpp has ended, for example because memory ran out. */
  readonly onCrash: (message: string) => void;
}

/**
 * Replaces the Worker that wllama would create. Messages go over a port to the worker that a page runs. The `blob:`
 * address that wllama passes is ignored.
 */
export class WorkerPort {
  onmessage: ((event: MessageEvent) => void) | null = null;
  /** wllama sets this handler. It is never called, because failures of the worker arrive as messages. */
  onerror: unknown = null;
  readonly #worker: PageWorker;
  readonly #watchdog = new Watchdog();
  #isLoading = true;

  constructor(worker: PageWorker, { standstill, onRead, onStandstill, onCrash }: WorkerPortOptions) {
    this.#worker = worker;
    this.#watchdog.expect(standstill);
    this.#watchdog.expired.addEventListener('abort', onStandstill, { once: true });
    worker.port.addEventListener('message', (event: MessageEvent<WorkerMessage>) => {
      const { verb, args = [] } = event.data;
      if (this.#isLoading) this.#watchdog.expect(standstill);
      if (verb === 'fs.read_req') onRead(String(args[0]), Number(args[2]));
      this.onmessage?.(event);
      if (verb === 'signal.abort' && isCrash(args)) onCrash(String(args[1]));
    });
  }

  /** Makes `new Worker()` in this context return this object. Only wllama calls it. */
  replaceGlobalWorker(): void {
    const createWorker = (address: string): WorkerPort => {
      URL.revokeObjectURL(address);
      return this;
    };
    // An arrow function cannot be called with `new`.
    globalThis.Worker = function (address: string) {
      return createWorker(address);
    } as unknown as typeof Worker;
  }

  /** Whether the model is being loaded. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  stopWatch(): void {
    this.#isLoading = false;
    this.#watchdog.stop();
  }

  postMessage(message: unknown, options?: StructuredSerializeOptions): void {
    this.#worker.port.postMessage(message, options);
  }

  terminate(): void {
    this.#worker.end();
  }
}
