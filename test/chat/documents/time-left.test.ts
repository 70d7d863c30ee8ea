import { expect, test } from 'vitest';
import { TimeLeft } from '../../../src/chat/documents/time-left.ts';

/** Updates with indexed and waiting bytes, each a second after the last. */
function after(...steps: readonly (readonly [indexed: number, waiting: number])[]): number | null {
  const left = new TimeLeft();
  let seconds: number | null = null;
  for (const [at, [indexed_bytes, waiting_bytes]] of steps.entries())
    seconds = left.update({ indexed_bytes, waiting_bytes }, 1000 * at);
  return seconds;
}

const steady = (count: number, speed: number) =>
  Array.from({ length: count }, (_, at) => [at * speed, 1000 - at * speed] as const);

test.each([
  ['is not known in the first seconds', steady(3, 10), null],
  ['follows from the speed', steady(11, 10), 90],
  ['is not known while nothing is done', steady(11, 0), null],
  ['ends with the last file', [...steady(11, 10), [1000, 0] as const], null],
  ['begins anew after files were deleted', [...steady(11, 10), [50, 900] as const, [60, 890] as const], null],
  ['follows files that are added', [...steady(11, 10), [110, 5390] as const], 539],
  [
    'follows from the last half minute',
    [...steady(11, 1), ...Array.from({ length: 40 }, (_, at) => [20 + at * 10, 800] as const)],
    80,
  ],
])('the time that is left %s', (_, steps, expected) => {
  const seconds = after(...steps);
  expect(seconds === null ? null : Math.round(seconds)).toBe(expected);
});
