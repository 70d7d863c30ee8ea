import { expect, test, vi } from 'vitest';
import { runBench, type Contestants } from '../../../src/bench/run-bench.ts';
import type { Side } from '../../../src/bench/sides/side.ts';

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
  const contestants = {
    model: { id: 'm', format: 'gguf', bytes: 0, contextWindow: 2048 },
    machine: {},
    files: [],
    endpoint: instantSide('endpoint'),
    others: others.map(instantSide),
    leftOut: [],
    place: () => 'cpu',
    version: '1',
  } as unknown as Contestants;
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
