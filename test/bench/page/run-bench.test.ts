import { afterEach, expect, test, vi } from 'vitest';
import type { BenchReport } from '../../../src/bench/bench-report.ts';
import { runBench, type Contestants } from '../../../src/bench/run-bench.ts';
import type { Side } from '../../../src/bench/sides/side.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A side that answers at once. Each word of a prompt is a token. */
function instantSide(name: Side['name']): Side {
  return {
    name,
    load: async () => {},
    unload: async () => {},
    answer: async ({ messages, max_tokens }) => ({
      first: 1,
      last: 2,
      pieces: 1,
      text: 'x',
      progress: [[1, 1]],
      tokens: { promptTokens: messages[0]!.content.split(' ').length, completionTokens: max_tokens },
    }),
  };
}

function contestantsOf(endpoint: Side, others: readonly Side[] = [], files: readonly Blob[] = []): Contestants {
  return {
    model: { id: 'm', format: 'gguf', bytes: 0, contextWindow: 2048 },
    machine: {},
    files,
    endpoint,
    others,
    leftOut: [],
    place: () => 'cpu',
    version: '1',
  } as unknown as Contestants;
}

test.each([
  { sides: 'the endpoint alone', others: [], progress: [0, 0.25, 0.5, 0.75] },
  {
    sides: 'the endpoint and wllama',
    others: ['wllama-1'] as const,
    progress: [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875],
  },
])('the progress of a run of $sides grows evenly to its end', async ({ others, progress }) => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('navigator', {});
  const shares: number[] = [];
  const contestants = contestantsOf(instantSide('endpoint'), others.map(instantSide));
  const listener = {
    onStep: ({ row, progress }: { row: string | null; progress: number }) => row !== null && shares.push(progress),
    onReport: () => {},
    onHidden: () => {},
    reason: () => 'not told',
  };
  const options = { rounds: 2, rows: ['first-50', 'first-500'] } as const;
  await runBench(contestants, options, listener, new AbortController().signal);
  expect(shares).toEqual(progress);
});

test('the time of a load ends with the first token, not with the last one of the answer', async () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('navigator', {});
  vi.useFakeTimers({ toFake: ['performance'] });
  const instant = instantSide('endpoint');
  const slow: Side = {
    ...instant,
    load: async () => void vi.advanceTimersByTime(100),
    answer: async (...asked) => {
      vi.advanceTimersByTime(5000);
      return { ...(await instant.answer(...asked)), first: 900 };
    },
  };
  const reports: BenchReport[] = [];
  const listener = {
    onStep: () => {},
    onReport: (report: BenchReport) => reports.push(report),
    onHidden: () => {},
    reason: () => 'not told',
  };
  const options = { rounds: 1, rows: ['load'] } as const;
  await runBench(contestantsOf(slow), options, listener, new AbortController().signal);
  expect(reports.at(-1)?.results).toMatchObject([{ row: 'load', values: [1000] }]);
});

test('a run that is stopped while the files are read does not tell that the page is hidden afterwards', async () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', {});
  const onHidden = vi.fn<() => void>();
  const listener = { onStep: () => {}, onReport: () => {}, onHidden, reason: () => 'not told' };
  const options = { rounds: 1, rows: ['load'] } as const;
  const stopped = runBench(
    contestantsOf(instantSide('endpoint'), [], [new Blob(['model'])]),
    options,
    listener,
    AbortSignal.abort(new Error('Stopped.')),
  );
  await expect(stopped).rejects.toThrow('Stopped.');
  page.hidden = true;
  page.dispatchEvent(new Event('visibilitychange'));
  expect(onHidden).not.toHaveBeenCalled();
});

test('a run can be stopped while the browser measures the memory', async () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('crossOriginIsolated', true);
  const stop = new AbortController();
  vi.stubGlobal('performance', {
    now: () => 0,
    measureUserAgentSpecificMemory: () => {
      setTimeout(() => stop.abort(new Error('Stopped.')));
      return new Promise(() => {});
    },
  });
  const listener = { onStep: () => {}, onReport: () => {}, onHidden: () => {}, reason: () => 'not told' };
  const options = { rounds: 1, rows: ['memory'] } as const;
  const ended = runBench(contestantsOf(instantSide('endpoint')), options, listener, stop.signal).catch(String);
  const late = new Promise((resolve) => setTimeout(resolve, 2000, 'It goes on.'));
  expect(await Promise.race([ended, late])).toBe('Error: Stopped.');
});
