import { afterEach, expect, test, vi } from 'vitest';
import type { TraceLine } from '../../../src/shared/trace/trace.ts';

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Loads another copy of the trace module, as another context would have it. */
async function loadContext() {
  vi.resetModules();
  return import('../../../src/shared/trace/trace.ts');
}

async function startTracing(): Promise<TraceLine[]> {
  const { startTrace } = await loadContext();
  const lines: TraceLine[] = [];
  ends.push(startTrace((line) => lines.push(line)));
  return lines;
}

test('a page that traces prints the lines of every context, with the id of the request', async () => {
  const worker = await loadContext();
  worker.joinTrace('service-worker');
  const engine = await loadContext();
  engine.joinTrace('engine');
  const lines = await startTracing();
  await vi.waitFor(() => {
    worker.trace('req_1', 'asks', { for: 'a port' });
    engine.trace('req_1', 'queued', 2);
    expect(lines.map(({ context, id, text }) => `${context} ${id} ${text}`)).toEqual(
      expect.arrayContaining(['service-worker req_1 asks {"for":"a port"}', 'engine req_1 queued 2']),
    );
  });
  expect(Math.abs(lines[0]!.time - Date.now())).toBeLessThan(60_000);
});

test('lines that a worker traces before the page has replied are delivered', async () => {
  const lines = await startTracing();
  const worker = await loadContext();
  worker.joinTrace('service-worker');
  worker.trace('req_1', 'woke up for this');
  await vi.waitFor(() => expect(lines).toMatchObject([{ id: 'req_1', text: 'woke up for this' }]));
});

test('nothing is sent or buffered while tracing is off', async () => {
  vi.useFakeTimers();
  try {
    const worker = await loadContext();
    worker.joinTrace('engine');
    worker.trace('req_1', 'in vain');
    await vi.advanceTimersByTimeAsync(5000);
    worker.trace('req_2', 'in vain');
    vi.useRealTimers();
    const lines = await startTracing();
    await vi.waitFor(() => {
      worker.trace('req_3', 'heard');
      expect(lines.map(({ id }) => id)).toContain('req_3');
    });
    expect(lines.map(({ id }) => id)).not.toEqual(expect.arrayContaining(['req_1']));
    expect(lines.map(({ id }) => id)).not.toEqual(expect.arrayContaining(['req_2']));
  } finally {
    vi.useRealTimers();
  }
});

test('a page that stops tracing silences the workers, unless another page still traces', async () => {
  const worker = await loadContext();
  worker.joinTrace('engine');
  const { startTrace } = await loadContext();
  const stop = startTrace(() => {});
  const lines = await startTracing();
  const heard = () =>
    vi.waitFor(() => {
      worker.trace('req_1', 'heard');
      expect(lines.splice(0)).not.toEqual([]);
    });
  await heard();
  stop();
  await heard();

  const seen: unknown[] = [];
  const channel = new BroadcastChannel('tabserve/trace');
  channel.addEventListener('message', ({ data }) => seen.push(data));
  ends.splice(0).forEach((end) => end());
  await vi.waitFor(() => expect(seen).toContainEqual({ type: 'switched', on: false }));
  await vi.waitFor(async () => {
    seen.length = 0;
    worker.trace('req_2', 'told to nobody');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen).toEqual([]);
  });
  channel.close();
});
