import { withTimeout } from '../../../shared/timeout.ts';
import { areFunctions } from './are-functions.ts';

/** Milliseconds in which a browser that often asks has noticed that there is nothing to wait for. */
const AT_ONCE = 40;

/** Milliseconds from the beginning of a wait to the first reminder, and at least between two. */
const SHORTEST_PAUSE = 1;

/** How much later than it could the end of a wait may be noticed, as a part of the wait. */
const LATENESS = 1 / 16;

/** WebLLM's runtime for the graphics device. */
interface DeviceContext {
  /** Submits what is recorded, and settles when the device is done with all of it. */
  sync?(): Promise<void>;
  readonly device?: { readonly queue: Pick<GPUQueue, 'submit'> };
}

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface WaitingPipeline {
  readonly tvm?: { readonly lib?: { readonly webGPUContext?: DeviceContext } };
}

/**
 * Lets the browser notice soon that the device is done. Firefox asks it every 100 ms (bug 1870699), which then is the least
 * time that a token takes; and whenever something is submitted, be it nothing. So nothing is submitted, again and again, while
 * WebLLM waits: a few times a token, ever more rarely in a long wait.
 *
 * Browsers that ask often enough by themselves are let be: in Chromium, on software WebGPU, it would cost a tenth of the speed.
 *
 * @returns whether WebLLM keeps these things where they are looked for; if not, nothing is changed.
 */
export async function hastenWaits({ tvm }: WaitingPipeline): Promise<boolean> {
  const context = tvm?.lib?.webGPUContext;
  const sync = context?.sync?.bind(context);
  const queue = context?.device?.queue;
  if (!context || !sync || !queue || !areFunctions(queue.submit)) return false;
  const hastened = async () => {
    const done = sync();
    const stop = remind(queue);
    try {
      await done;
    } finally {
      stop();
    }
  };
  // Whatever the device was still busy with.
  await hastened();
  if (!(await noticesAtOnce(sync))) context.sync = hastened;
  return true;
}

/** Whether a wait for a device that has nothing to do ends at once. */
async function noticesAtOnce(sync: () => Promise<void>): Promise<boolean> {
  // Once it may be by chance that the browser asks just then; after that it does not for long.
  for (let attempt = 0; attempt < 2; attempt++) {
    const noticed = sync().then(() => true);
    if (!(await withTimeout(AT_ONCE, noticed, false))) return false;
  }
  return true;
}

/** Submits nothing from time to time, until the returned function is called. */
function remind(queue: Pick<GPUQueue, 'submit'>): () => void {
  const begun = performance.now();
  let timer: ReturnType<typeof setTimeout>;
  const later = () => {
    const pause = Math.max(SHORTEST_PAUSE, (performance.now() - begun) * LATENESS);
    timer = setTimeout(() => {
      queue.submit([]);
      later();
    }, pause);
  };
  later();
  return () => clearTimeout(timer);
}
