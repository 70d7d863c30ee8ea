import { sleep } from '../../shared/timing.ts';

/** Milliseconds; the shortest that a timer takes. */
const PAUSE = 1;

/** How many times as long a token has to take: what is done here after the pause has to be ready when the device is. */
const PAUSES_PER_TOKEN = 5;

/** The part of a token that a pause may take. There are systems on which a timer takes 16 ms. */
const LONGEST_PART = 1 / 2;

/** Tokens without a pause after one that took longer. */
const REST = 100;

/** Does nothing for a moment, unless that would make tokens come later; called once for each. */
export type FreeProcessor = () => Promise<void>;

/**
 * Leaves the processor to the graphics device where that is the processor, just after it was given a token. What there is to
 * do here can wait until it is in the middle of that; done at once, it makes a token come later than the pause does, as the
 * threads that bring it to the device and begin to compute it want the same cores. Which of them it is that gains was not
 * found out: to wait only until the browser's graphics process has the token, without a timer, gains nothing.
 *
 * @returns null where the device is another one than the processor, or does not say.
 */
export function freeProcessor(device: Partial<Pick<GPUDevice, 'adapterInfo'>> | undefined): FreeProcessor | null {
  if (!device?.adapterInfo?.isFallbackAdapter) return null;
  let last = Number.NEGATIVE_INFINITY;
  let rest = 0;
  return async () => {
    const now = performance.now();
    const period = now - last;
    last = now;
    if (rest > 0) rest--;
    else if (period > PAUSES_PER_TOKEN * PAUSE) {
      await sleep(PAUSE);
      if (performance.now() - now > period * LONGEST_PART) rest = REST;
    }
  };
}
