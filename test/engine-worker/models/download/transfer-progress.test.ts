import { expect, test } from 'vitest';
import { TransferProgress } from '../../../../src/engine-worker/models/download/transfer-progress.ts';
import type { PackageFile } from '../../../../src/engine-worker/models/package/package-file.ts';

const WEIGHTS = { name: 'weights', url: 'https://models.test/weights', bytes: 60e6 } as PackageFile;

test('the remaining time is reported once the speed is that of a running download', () => {
  let time = 0;
  const progress = new TransferProgress(() => time);
  progress.plan([WEIGHTS], true);
  const leftAfter = (milliseconds: number, received: number) => {
    time = milliseconds;
    progress.advance(WEIGHTS, received, WEIGHTS.bytes, true);
    return progress.report().secondsLeft;
  };
  // At the speed of the first packet, the download would take half an hour. So no time is reported yet.
  expect([leftAfter(0, 16e3), leftAfter(500, 32e3), leftAfter(1000, 1e6)]).toEqual([null, null, null]);
  expect(leftAfter(4000, 4e6)).toBeCloseTo(56, 0);
});
