import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostToPage } from '../../../src/engine-worker/ports/run-in-page.ts';
import { startWorkerInPage } from '../../../src/engine-worker/ports/start-worker-in-page.ts';
import { runWorkerForEngine } from '../../../src/page/engine/run-worker-for-engine.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const SCRIPT = 'https://site.test/llama-cpp/worker.js';

const FAILING: PostToPage = ({ port }) => port.postMessage({ type: 'failed', message: '' });

let locks: MemoryLocks;
let workers: FakeWorker[];
let isMissing: boolean;
let onOutdatedLocks: ReturnType<typeof vi.fn<() => void>>;

/** A page's worker. Its script may be missing. */
class FakeWorker extends EventTarget {
  readonly script: string;
  readonly #ended = new AbortController();

  constructor(script: string) {
    super();
    this.script = script;
    workers.push(this);
    const event = isMissing
      ? Object.assign(new Event('error'), { message: 'not found' })
      : new MessageEvent('message', { data: 'loaded' });
    queueMicrotask(() => this.dispatchEvent(event));
  }

  get isRunning(): boolean {
    return !this.#ended.signal.aborted;
  }

  postMessage({ lockName, port }: { lockName: string; port: MessagePort }): void {
    void locks.request(lockName, () => {
      port.postMessage({ type: 'started', isolated: true, cores: 4 });
      return new Promise<void>((resolve) => this.#ended.signal.addEventListener('abort', () => resolve()));
    });
  }

  terminate(): void {
    this.#ended.abort();
  }
}

beforeEach(() => {
  locks = new MemoryLocks();
  workers = [];
  isMissing = false;
  onOutdatedLocks = vi.fn<() => void>();
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('Worker', FakeWorker);
});

afterEach(() => vi.unstubAllGlobals());

function page(signal = new AbortController().signal): PostToPage {
  return (message) => {
    if (message.type === 'start-worker') runWorkerForEngine(message, signal);
  };
}

const start = (pages: readonly PostToPage[]) => startWorkerInPage(pages, SCRIPT, onOutdatedLocks);

test('a page starts the worker, and the engine gets a port to it', async () => {
  const started = await start([page()]);
  expect(started).toMatchObject({ isolated: true, cores: 4 });
  expect(workers[0]!.script).toBe(SCRIPT);
  expect(started.lost.aborted).toBe(false);
  expect(onOutdatedLocks).not.toHaveBeenCalled();
  started.end();
});

test("after the site's data were cleared, the engine is told that it cannot see the locks of new workers", async () => {
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  await start([page()]);
  expect(onOutdatedLocks).toHaveBeenCalledOnce();
});

test('the page terminates the worker when the engine no longer needs it', async () => {
  const started = await start([page()]);
  started.end();
  await vi.waitFor(() => expect(workers[0]!.isRunning).toBe(false));
});

test.each([
  ['is frozen', () => document.dispatchEvent(new Event('freeze'))],
  ['ends', (life: AbortController): unknown => life.abort()],
])('when the page %s, the worker is terminated and the engine is notified', async (_, happen) => {
  const life = new AbortController();
  const { lost } = await start([page(life.signal)]);
  happen(life);
  expect(workers[0]!.isRunning).toBe(false);
  await vi.waitUntil(() => lost.aborted);
  expect(lost.reason).toMatchObject({ code: 'engine_unavailable' });
});

test('a script that cannot be loaded is named with the reason', async () => {
  isMissing = true;
  await expect(start([page()])).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringMatching(/not found.*llama-cpp\/worker\.js/),
  });
});

test('if the first page cannot start the worker, another page is asked to start it', async () => {
  const started = await start([FAILING, page()]);
  expect(workers).toHaveLength(1);
  started.end();
});

test('if no page is open, starting the worker fails with an error that says so', async () => {
  await expect(start([])).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('No open page of this site can run llama.cpp'),
  });
});
