import { holdLivenessLock, whenReleased } from '../../shared/locks/liveness-lock.ts';
import type { PageTaskFailedMessage, PageTaskMessage } from '../../shared/messaging/messages.ts';
import { trace } from '../../shared/trace/trace.ts';

/**
 * Runs a worker for the engine, which cannot start workers itself. Worker and engine communicate over the transferred
 * port. The worker ends when the engine releases the lock `wanted`, when this page is frozen (which also freezes the
 * worker; another page can run one), or when `signal` aborts.
 * @param holdsLock Whether this page holds the task's lock, because the worker cannot: that of a hub's frame in a foreign
 * site has other locks than the hub's engine. Default: the worker does.
 */
export function runWorkerForEngine(
  { script, name = 'tabserve-llama-cpp', wanted, lockName, port }: Extract<PageTaskMessage, { type: 'start-worker' }>,
  signal: AbortSignal,
  holdsLock = false,
): void {
  const ended = new AbortController();
  const worker = new Worker(/* @vite-ignore */ script, { type: 'module', name });
  const end = () => {
    trace('engine', 'its worker in this page ends');
    worker.terminate();
    ended.abort();
  };
  // The worker's first message shows that its script has been loaded. Until then this page keeps the port and reports
  // failures to the engine.
  const pass = async () => {
    if (holdsLock) await holdLivenessLock(lockName, ended.signal);
    if (!ended.signal.aborted) worker.postMessage({ lockName, port }, [port]);
  };
  worker.addEventListener('message', () => void pass(), { once: true, signal: ended.signal });
  worker.addEventListener(
    'error',
    ({ message }) => {
      // If the port was transferred already, this call does nothing, and the worker itself reports failures.
      port.postMessage({ type: 'failed', message } satisfies PageTaskFailedMessage);
    },
    { signal: ended.signal },
  );
  whenReleased(wanted, end, ended.signal);
  document.addEventListener('freeze', end, { signal: ended.signal });
  signal.addEventListener('abort', end, { signal: ended.signal });
}
