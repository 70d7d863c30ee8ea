import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import type { StartWorkerMessage, WorkerFailedMessage } from '../../shared/messaging/messages.ts';
import { holdLivenessLock, whenReleased } from '../../shared/locks/liveness-lock.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { helperStrings } from '../strings/model-loading.ts';

/** Milliseconds for a page to fetch and start the worker's script, which has 160 kB. */
const START_TIMEOUT = 15_000;

/** Sends a message to one page. */
export type PostToPage = (message: StartWorkerMessage, transfer: Transferable[]) => void;

/** A worker that a page runs for this engine. */
export interface PageWorker {
  readonly port: MessagePort;
  /** Whether it may use threads. */
  readonly isolated: boolean;
  /** Number of logical processors. */
  readonly cores: number;
  /** Aborts when the worker has ended. */
  readonly lost: AbortSignal;
  end(): void;
}

interface Started {
  readonly type: 'started';
  readonly isolated: boolean;
  readonly cores: number;
}

/**
 * Starts a worker in the first page that can run one.
 * @param pages The pages in the order in which they are tried.
 * @param script Address of the script.
 * @throws ApiError `engine_unavailable` with the cause.
 */
export async function startWorkerInPage(pages: readonly PostToPage[], script: string): Promise<PageWorker> {
  let cause: string = helperStrings.noPage;
  for (const post of pages) {
    const started = await startIn(post, script);
    if (typeof started !== 'string') return started;
    cause = started;
  }
  throw engineUnavailable(cause, 2);
}

/** @returns the worker, or a sentence that says why there is none. */
async function startIn(post: PostToPage, script: string): Promise<PageWorker | string> {
  const id = crypto.randomUUID();
  const [wanted, lockName] = [`tabserve-worker-wanted-${id}`, `tabserve-worker-${id}`];
  const unwanted = new AbortController();
  await holdLivenessLock(wanted, unwanted.signal);
  const { port1, port2 } = new MessageChannel();
  const reply = new Promise<Started | WorkerFailedMessage>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<Started | WorkerFailedMessage>) => resolve(data), {
      once: true,
    });
  });
  port1.start();
  post({ type: 'start-worker', script, wanted, lockName, port: port2 }, [port2]);
  const started = await withTimeout(START_TIMEOUT, reply, null);
  if (started?.type !== 'started') {
    unwanted.abort();
    port1.close();
    return started === null
      ? helperStrings.silent(script, START_TIMEOUT / 1000)
      : helperStrings.failed(script, started.message);
  }
  const lost = new AbortController();
  const end = () => {
    lost.abort(engineUnavailable(helperStrings.lost));
    unwanted.abort();
    port1.close();
  };
  whenReleased(lockName, end, lost.signal);
  const { isolated, cores } = started;
  return { port: port1, isolated, cores, lost: lost.signal, end };
}
