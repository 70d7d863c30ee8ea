import { expect, test } from 'vitest';
import { contextOf } from '../scripted-context.ts';
import { isExplained, type Cause } from './explain-error.ts';
import { findHarm, isStruck, isWithoutPage } from './find-harm.ts';
import { HarmLog } from './harm-log.ts';
import { PAGE_NOT_THERE } from './judge.ts';

test.for<[code: string, cause: Cause, explained: boolean]>([
  ['engine_unavailable', 'engine ended', true],
  ['engine_unavailable', 'crowd', false],
  ['rate_limit_exceeded', 'crowd', true],
  ['rate_limit_exceeded', 'engine ended', false],
  ['gpu_device_lost', 'tab stopped', false],
  ['invalid_json', 'data cleared', false],
  ['constructor', 'data cleared', false],
])('%s after "%s" is explained: %s', ([code, cause, explained]) => {
  expect(isExplained(code, new Set([cause]))).toBe(explained);
});

const MINUTE = 60_000;

test.for<[what: string, death: number, healthy: number, explained: boolean]>([
  ['during the request', 10 * MINUTE + 500, 9 * MINUTE, true],
  ['before the request, without a right answer since', 10 * MINUTE - 20_000, 9 * MINUTE, true],
  ['before the last right answer was asked for', 10 * MINUTE - 20_000, 10 * MINUTE - 10_000, false],
  ['long before the request', 8 * MINUTE, 7 * MINUTE, false],
  ['after the request', 10 * MINUTE + 5000, 9 * MINUTE, false],
])('the end of an engine %s explains the error of a request: %o', async ([, death, healthy, explained]) => {
  const { tabs } = await contextOf(() => ({}));
  const times = { start: 10 * MINUTE, end: 10 * MINUTE + 1000, healthy, reload: false };
  const harm = findHarm(new HarmLog(), [{ worker: 'engine', time: death }], tabs.at(0)!, times);
  expect(harm.causes.has('engine ended')).toBe(explained);
});

test('a request that meets a crowd of others is struck', () => {
  const harms = new HarmLog();
  harms.crowds.push(1000);
  expect([isStruck(harms, 900, 1100), isStruck(harms, 1600, 1700)]).toEqual([true, false]);
});

test.for([
  { removal: 1000, start: 5000, struck: true },
  { removal: 1000, start: 62_000, struck: false },
  { removal: 1000, start: 8000, struck: false },
  { removal: null, start: 5000, struck: false },
])(
  'a request while the browser stores nothing, of a model that was removed ($removal, $start), is struck: $struck',
  ({ removal, start, struck }) => {
    const harms = new HarmLog();
    if (removal !== null) harms.removals.push(removal);
    harms.fullStores.push({ start: 3000, end: 7000 }, { start: 61_000, end: 63_000 });
    expect(isStruck(harms, start, start + 100)).toBe(struck);
  },
);

test.for([
  { requests: 9, questions: 0, left: 0, isCrowd: false },
  { requests: 10, questions: 0, left: 0, isCrowd: true },
  { requests: 6, questions: 4, left: 0, isCrowd: true },
  { requests: 7, questions: 1, left: 1, isCrowd: false },
  { requests: 7, questions: 1, left: 2, isCrowd: true },
])(
  '$requests requests, $left that were left and $questions questions of persons are a crowd: $isCrowd',
  ({ requests, questions, left, isCrowd }) => {
    const harms = new HarmLog();
    for (let count = 0; count < left; count++) harms.requestsLeft.push(performance.now());
    for (let count = 0; count < questions; count++) harms.personsAsked.set(count, performance.now());
    harms.noteCrowd(requests);
    expect(harms.crowds.length > 0).toBe(isCrowd);
  },
);

test.for<[what: string, start: number, end: number, struck: boolean]>([
  ['runs while a fault is applied', 800, 1200, true],
  ['is sent right after a fault', 1400, 2000, true],
  ['is sent later', 1800, 2000, false],
  ['has ended before', 500, 900, false],
])('a request that %s is struck: %o', ([, start, end, struck]) => {
  const harms = new HarmLog();
  harms.strikes.push({ start: 1000, end: 1100 });
  expect(isStruck(harms, start, end)).toBe(struck);
});

test.for<[what: string, outcome: string, causes: readonly Cause[], is: boolean]>([
  ['whose service worker was ended', PAGE_NOT_THERE, ['outage', 'service worker ended'], true],
  ['whose data were cleared', PAGE_NOT_THERE, ['outage', 'data cleared'], true],
  ['that its service worker could load', PAGE_NOT_THERE, ['outage', 'new build'], false],
  ['whose server was there', PAGE_NOT_THERE, ['data cleared'], false],
  ['that answered', 'right', ['outage', 'data cleared'], false],
])('while a fault lasts, the browser may show no page %s: %o', ([, outcome, causes, is]) => {
  expect(isWithoutPage(outcome, { causes: new Set(causes) })).toBe(is);
});
