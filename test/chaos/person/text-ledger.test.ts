import { expect, test } from 'vitest';
import { HarmLog } from '../judge/harm-log.ts';
import { TextLedger } from './text-ledger.ts';

/** A page that ends so many milliseconds after the text was written. */
function tabEndingAfter(time: number | null) {
  const end = time === null ? Number.POSITIVE_INFINITY : performance.now() + time;
  return { number: 1, endsBetween: (from: number, to: number) => end >= from && end <= to };
}

test.for<
  [
    what: string,
    end: number | null,
    clearing: number | null,
    full: readonly [number, number] | null,
    owed: boolean,
    stopped?: number,
  ]
>([
  ['in a page that is still open', null, null, null, true],
  ['two seconds before its page ended', 2000, null, null, true],
  ['half a second before its page ended', 500, null, null, false],
  ['before the data were cleared', null, 5000, null, false],
  ['after the data were cleared', null, -5000, null, true],
  ['in a page that was stopped while the data were cleared', null, -5000, null, false, 6000],
  ['in a page that ended while there was no room', 4000, null, [2000, 6000], false],
  ['in a page that ended long after there was no room', 12_000, null, [2000, 6000], true],
  ['in a page that stayed open while there was no room', null, null, [-100, 6000], true],
])('a text that was written %s must be found: %o', ([, end, clearing, full, owed, stopped]) => {
  const ledger = new TextLedger();
  const harms = new HarmLog();
  const now = performance.now();
  ledger.add('[1]', 'write', tabEndingAfter(end), now - (stopped ?? 0));
  if (clearing !== null) harms.clearings.push(now + clearing);
  if (full) harms.fullStores.push({ start: now + full[0], end: now + full[1] });
  expect(ledger.owed(harms).map(({ mark }) => mark)).toEqual(owed ? ['[1]'] : []);
});

test('a lost text is reported once', () => {
  const ledger = new TextLedger();
  ledger.add('[1]', 'write', tabEndingAfter(null), performance.now());
  ledger.noteLost(ledger.owed(new HarmLog())[0]!);
  expect(ledger.owed(new HarmLog())).toEqual([]);
});
