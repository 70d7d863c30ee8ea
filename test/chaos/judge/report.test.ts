import { expect, test } from 'vitest';
import { findFailures, formatReport } from './report.ts';
import type { ChaosResult } from '../chaos-result.ts';

const REQUEST = {
  start: 1000,
  end: 2000,
  tab: 1,
  asked: 'week',
  fault: 'tab closed',
  outcome: 'right',
  failed: false,
  struck: false,
};
const RECOVERY = { faults: ['tab closed'], tab: 1, time: 2000, available: 1500, defect: null, gaveUp: false };

const WEDGE: ChaosResult['wedges'][number] = {
  type: 'wedge',
  time: 1,
  tab: 1,
  state: 'open',
  others: [],
  outcomes: [],
  pages: [],
  targets: [],
  engines: [],
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
  recoveries: [RECOVERY],
  uncalm: [],
  texts: 0,
  wedges: [],
  deadBrowsers: [],
  stalls: [],
  browserEnds: [],
  remainder: null,
  memory: { start: { engine: 100e6, browser: 900e6 }, end: { engine: 120e6, browser: 1200e6 } },
  duration: 3000,
};

test('a flawless run has no failures, and its report counts requests by the fault before them', () => {
  expect(findFailures(CALM)).toEqual([]);
  expect(formatReport(CALM)).toContain('| tab closed | 1     | 1     |');
});

test.for<[what: string, change: Partial<ChaosResult>]>([
  ['an early end', { planned: 2 }],
  ['a failed request', { requests: [{ ...REQUEST, outcome: '500', failed: true, struck: true }] }],
  [
    'a leak',
    { remainder: { leaks: ['2 engine workers instead of 1.'], targets: [], locks: { held: [], pending: [] } } },
  ],
  ['a slow recovery', { recoveries: [{ ...RECOVERY, available: 31_000 }] }],
  [
    'few right answers',
    { requests: Array.from({ length: 200 }, () => ({ ...REQUEST, outcome: '503 engine_unavailable' })) },
  ],
  ['a lost text', { uncalm: [{ time: 9000, sentence: 'A text is lost.' }] }],
  ['grown memory of the engine', { memory: { ...CALM.memory, end: { engine: 180e6, browser: 900e6 } } }],
  ['grown memory of the browser', { memory: { ...CALM.memory, end: { engine: 100e6, browser: 2000e6 } } }],
  ['a wedge', { wedges: [WEDGE] }],
])('%s is a failure of the run', ([, change]) => {
  expect(findFailures({ ...CALM, ...change })).toHaveLength(1);
});

test.for<[what: string, change: Partial<ChaosResult>]>([
  ['was struck by a fault', { requests: [REQUEST, { ...REQUEST, outcome: 'cut off', struck: true }] }],
  ['left', { requests: [REQUEST, { ...REQUEST, outcome: 'left' }] }],
  ['was slow by the wall clock only', { recoveries: [{ ...RECOVERY, time: 80_000 }] }],
  ['was slow with a defect of the browser', { recoveries: [{ ...RECOVERY, available: 80_000, defect: 'a stall' }] }],
  ['was slow without SharedWorker', { sharedWorker: false, recoveries: [{ ...RECOVERY, available: 44_000 }] }],
])('a request that %s is not a failure of the run', ([, change]) => {
  expect(findFailures({ ...CALM, ...change })).toEqual([]);
});

test.for<[what: string, change: Partial<ChaosResult>, said: string]>([
  [
    'started no more workers',
    { deadBrowsers: [{ ...WEDGE, since: 8000, time: 8000, unstartable: ['page', 'shared worker'] }] },
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
