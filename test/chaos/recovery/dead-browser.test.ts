import { expect, test } from 'vitest';
import type { Wedge } from '../settle.ts';
import type { Recovery } from './await-recovery.ts';
import { deadSince, explainedBy } from './dead-browser.ts';

const WEDGE: Wedge = {
  type: 'wedge',
  tab: 1,
  state: 'open',
  others: [],
  outcomes: ['endpoint away'],
  pages: [],
  targets: [],
  unstartable: [],
  engines: [],
  processes: [],
  remedy: 'nothing',
};
const FOUND: Recovery = {
  faults: ['storage cleared'],
  tab: 1,
  time: 2000,
  available: 1500,
  defect: null,
  gaveUp: false,
};
const LOST: Recovery = { ...FOUND, tab: 2, time: 292_000, available: 61_000, gaveUp: true };

test('a tab that waited in vain for a broken browser did not wait for the site', () => {
  const explained = explainedBy({ ...WEDGE, unstartable: ['caches'] }, [FOUND, LOST]);
  expect(explained.map(({ defect }) => defect)).toEqual([null, 'the browser did not start: caches']);
});

test.for([
  ['that works at last', null],
  ['that stays stuck in a browser that works', WEDGE],
] as const)('a tab %s has waited for the site', ([, wedge]) => {
  expect(explainedBy(wedge, [FOUND, LOST])).toEqual([FOUND, LOST]);
});

test('a broken browser is broken since its first tab stopped answering', () => {
  expect(deadSince(300_000, [FOUND, LOST, { ...LOST, time: 100_000 }])).toBe(8000);
  expect(deadSince(300_000, [FOUND])).toBe(300_000);
});
