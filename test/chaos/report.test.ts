import { expect, test } from 'vitest';
import { findFailures, formatReport } from './report.ts';
import type { ChaosResult } from './run-chaos.ts';

const REQUEST = { start: 1000, end: 2000, tab: 1, asked: 'week', fault: 'tab closed', outcome: 'right', failed: false };

const CALM: ChaosResult = {
  seed: 7,
  planned: 1,
  faults: [{ name: 'tab closed', time: 900, tab: 1 }],
  requests: [REQUEST],
  wedges: [],
  browserEnds: [],
  remainder: null,
  engineMemory: { start: 100e6, end: 120e6 },
  duration: 3000,
};

test('a run in which all was right has no failures and counts requests by the fault before them', () => {
  expect(findFailures(CALM)).toEqual([]);
  expect(formatReport(CALM)).toContain('| tab closed | 1     | 1     |');
});

test.for<[what: string, change: Partial<ChaosResult>]>([
  ['an early end', { planned: 2 }],
  ['a failed request', { requests: [{ ...REQUEST, outcome: '500', failed: true }] }],
  [
    'a leak',
    { remainder: { leaks: ['2 engine workers instead of 1.'], targets: [], locks: { held: [], pending: [] } } },
  ],
  ['grown memory', { engineMemory: { start: 100e6, end: 180e6 } }],
  [
    'a wedge',
    {
      wedges: [{ type: 'wedge', time: 1, tab: 1, others: [], outcomes: [], pages: [], targets: [], remedy: 'nothing' }],
    },
  ],
])('%s is a failure of the run', ([, change]) => {
  expect(findFailures({ ...CALM, ...change })).toHaveLength(1);
});
