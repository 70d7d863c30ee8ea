import type { StartWorkerMessage, WorkerFailedMessage } from '../../shared/messaging/messages.ts';
import { whenReleased } from '../../shared/locks/liveness-lock.ts';
import { trace } from '../../shared/trace/trace.ts';

/**
 * Runs a worker for the engine, which speaks with it directly over the transferred port. Ends it when the engine has released
 * its lock, when this page is frozen (the worker would be frozen too, and another page can run one), or when `signal` aborts.
 */
export function runWorkerForEngine({ script, wanted, lockName, port }: StartWorkerMessage, signal: AbortSignal): void {
  const ended = new AbortController();
  const worker = new Worker(/* @vite-ignore */ script, { type: 'module', name: 'tabserve-llama-cpp' });
  const end = () => {
    trace('engine', 'its worker in this page ends');
    worker.terminate();
    ended.abort();
  };
  // The first message says that the script has been loaded. Until then this page keeps the port and reports failures.
  worker.addEventListener('message', () => worker.postMessage({ lockName, port }, [port]), {
    once: true,
    signal: ended.signal,
  });
  worker.addEventListener(
    'error',
    ({ message }) => {
      // The port may have been transferred: then the worker itself reports failures.
      port.postMessage({ type: 'failed', message } satisfies WorkerFailedMessage);
    },
    { signal: ended.signal },
  );
  whenReleased(wanted, end, ended.signal);
  document.addEventListener('freeze', end, { signal: ended.signal });
  signal.addEventListener('abort', end, { signal: ended.signal });
}
