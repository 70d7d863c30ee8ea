import { expect, test } from 'vitest';
import { findFailures, formatReport } from './report.ts';
import type { ChaosResult } from '../run-chaos.ts';

const REQUEST = { start: 1000, end: 2000, tab: 1, asked: 'week', fault: 'tab closed', outcome: 'right', failed: false };

const WEDGE: ChaosResult['wedges'][number] = {
  type: 'wedge',
  time: 1,
  tab: 1,
  state: 'open',
  others: [],
  outcomes: [],
  pages: [],
  targets: [],
  processes: [],
  unstartable: [],
  remedy: 'nothing',
};

const CALM: ChaosResult = {
  seed: 7,
  model: 'pocket',
  sharedWorker: true,
  planned: 1,
  faults: [{ name: 'tab closed', time: 900, tab: 1 }],
  requests: [REQUEST],
  wedges: [],
  deadBrowsers: [],
  stalls: [],
  browserEnds: [],
  remainder: null,
  engineMemory: { start: 100e6, end: 120e6 },
  duration: 3000,
};

test('a flawless run has no failures, and its report counts requests by the fault before them', () => {
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
      wedges: [WEDGE],
    },
  ],
])('%s is a failure of the run', ([, change]) => {
  expect(findFailures({ ...CALM, ...change })).toHaveLength(1);
});

test.for<[what: string, change: Partial<ChaosResult>, said: string]>([
  [
    'started no more workers',
    { deadBrowsers: [{ ...WEDGE, time: 8000, unstartable: ['page', 'shared worker'] }] },
    '8.0 s did not start for an empty site either: page, shared worker.',
  ],
  [
    'exited',
    { browserEnds: [{ time: 9000, report: 'status SIGSEGV\nmuch more' }] },
    '9.0 s ended by itself, status SIGSEGV.',
  ],
])('a browser that %s is not a failure of the site, and is reported', ([, change, said]) => {
  expect(findFailures({ ...CALM, ...change })).toEqual([]);
  expect(formatReport({ ...CALM, ...change })).toContain(said);
});
