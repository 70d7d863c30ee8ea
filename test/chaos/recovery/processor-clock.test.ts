import type * as os from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ProcessorClock } from './processor-clock.ts';

const machine = vi.hoisted(() => ({ idleCores: 0 }));
vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  cpus: () => [{ times: { idle: performance.now() * machine.idleCores } }],
}));

test.for([
  { idleCores: 2, counted: 10_000 },
  { idleCores: 1, counted: 10_000 },
  { idleCores: 0.5, counted: 5000 },
  { idleCores: 0, counted: 2000 },
])('with $idleCores idle cores, $counted of 10,000 ms count', ({ idleCores, counted }) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  machine.idleCores = idleCores;
  const clock = new ProcessorClock();
  vi.advanceTimersByTime(10_000);
  expect(clock.now).toBeCloseTo(counted);
  clock.stop();
});
