import type { CodedText } from '../../shared/coded-sentence.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { holdLivenessLock, whenReleased } from '../../shared/locks/liveness-lock.ts';
import { TASK_LOCK_PREFIX, TASK_WANTED_PREFIX } from '../../shared/locks/site-locks.ts';
import type { PageTaskFailedMessage, PageTaskMessage, TaskInPage } from '../../shared/messaging/messages.ts';
import { withTimeout } from '../../shared/timeout.ts';

/**
 * Milliseconds within which a page must start a task. The script of llama.cpp's worker, which the page fetches first,
 * has 160 kB.
 */
const START_TIMEOUT = 15_000;

export type PostToPage = (message: PageTaskMessage, transfer: Transferable[]) => void;

/** A task that runs in a page for this engine. */
export interface PageTask<Started> {
  readonly port: MessagePort;
  /** The lock that the task holds while it runs. */
  readonly lockName: string;
  /** The first message that the task sent. */
  readonly started: Started;
  /** Aborts when the task has ended. */
  readonly lost: AbortSignal;
  end(): void;
}

/** Sentences that say why a task does not run. */
export interface PageTaskStrings {
  /** No page is connected. */
  readonly noPage: CodedText;
  /** The page did not reply within these seconds. */
  readonly silent: (seconds: number) => CodedText;
  /** @param message The browser's error message; often empty. */
  readonly failed: (message: string) => CodedText;
  /** The task ended because its page was closed. */
  readonly lost: CodedText;
}

/**
 * Starts a task in the first page that can run it.
 * @param pages The pages in the order in which they are tried.
 * @throws ApiError `engine_unavailable` with the cause.
 */
export async function runInPage<Started extends { readonly type: 'started' }>(
  pages: readonly PostToPage[],
  task: TaskInPage,
  strings: PageTaskStrings,
): Promise<PageTask<Started>> {
  let cause = strings.noPage;
  for (const post of pages) {
    const started = await startIn<Started>(post, task, strings);
    if (!('text' in started)) return started;
    cause = started;
  }
  throw engineUnavailable(cause, 2);
}

/** Tries to start a task in one page. @returns the task, or a sentence that says why it does not run. */
async function startIn<Started extends { readonly type: 'started' }>(
  post: PostToPage,
  task: TaskInPage,
  strings: PageTaskStrings,
): Promise<PageTask<Started> | CodedText> {
  const id = crypto.randomUUID();
  const [wanted, lockName] = [TASK_WANTED_PREFIX + id, TASK_LOCK_PREFIX + id];
  const unwanted = new AbortController();
  await holdLivenessLock(wanted, unwanted.signal);
  const { port1, port2 } = new MessageChannel();
  const reply = new Promise<Started | PageTaskFailedMessage>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<Started | PageTaskFailedMessage>) => resolve(data), {
      once: true,
    });
  });
  port1.start();
  post({ ...task, wanted, lockName, port: port2 }, [port2]);
  const started = await withTimeout(START_TIMEOUT, reply, null);
  if (started?.type !== 'started') {
    unwanted.abort();
    port1.close();
    return started === null ? strings.silent(START_TIMEOUT / 1000) : strings.failed(started.message);
  }
  const lost = new AbortController();
  const end = () => {
    lost.abort(engineUnavailable(strings.lost));
    unwanted.abort();
    port1.close();
  };
  whenReleased(lockName, end, lost.signal);
  return { port: port1, lockName, started, lost: lost.signal, end };
}
