import { expect, test } from 'vitest';
import { summariseSamples, type Sample } from '../../../src/bench/bench-report.ts';
import { readBenchRequest } from '../../../src/bench/bench-request.ts';
import { ROW_NAMES } from '../../../src/chat/types/bench-rows.ts';

const sample = (side: Sample['side'], pair: Sample['pair'], round: number, value: number): Sample => ({
  row: 'first-50',
  side,
  pair,
  round,
  value,
});

test('each value of the endpoint is divided by that of the engine it is paired with, in the same round', () => {
  const samples = [
    sample('endpoint', 'wllama-1', 0, 10),
    sample('wllama-1', 'wllama-1', 0, 20),
    sample('endpoint', 'wllama-1', 1, 30),
    sample('wllama-1', 'wllama-1', 1, 30),
    sample('endpoint', 'wllama-all', 0, 100),
    sample('wllama-all', 'wllama-all', 0, 50),
  ];
  const results = summariseSamples(samples, ['endpoint', 'wllama-1', 'wllama-all']);
  expect(results.map(({ side, median, endpointBeside }) => [side, median, endpointBeside?.median ?? null])).toEqual([
    ['endpoint', 30, null],
    ['wllama-1', 25, 0.75],
    ['wllama-all', 50, 2],
  ]);
});

test.each([
  { hash: '#run=short', run: { model: null, rounds: 2, rows: ROW_NAMES } },
  { hash: '#run=whole&model=a&rows=schema,load,other', run: { model: 'a', rounds: 7, rows: ['load', 'schema'] } },
  { hash: '#run=short&rounds=3', run: { model: null, rounds: 3, rows: ROW_NAMES } },
  { hash: '#run=short&rounds=-1', run: { model: null, rounds: 2, rows: ROW_NAMES } },
])('the address $hash starts the run $run', ({ hash, run }) => {
  expect(readBenchRequest(hash)).toMatchObject(run);
});

test.each(['', '#model=pocket', '#run=other'])('the address "%s" starts no run', (hash) => {
  expect(readBenchRequest(hash)).toBeNull();
});
