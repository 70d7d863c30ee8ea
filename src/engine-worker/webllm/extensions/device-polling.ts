import { withTimeout } from '../../../shared/timeout.ts';
import type { Extension } from '../pipeline/extension.ts';

/** Milliseconds. A browser that polls the GPU frequently notices within this time that the GPU is done. */
const PROMPT_NOTICE = 40;

/** Milliseconds from the start of a wait to the first empty submit, and the minimum between two empty submits. */
const MIN_INTERVAL = 1;

/**
 * The interval between two empty submits, as a share of the time waited so far. It bounds the delay with which the end
 * of the wait is noticed.
 */
const LATENESS = 1 / 16;

/**
 * Makes Firefox notice sooner that the GPU is done. Firefox polls the GPU at every submit and otherwise only every 100
 * ms (bug 1870699), which limits decoding to ten tokens a second. So while WebLLM waits, this extension submits an
 * empty list of command buffers at growing intervals.
 *
 * It does nothing in browsers that notice promptly: in Chromium on software WebGPU the submits would cost a tenth of
 * the speed.
 */
export const DEVICE_POLLING: Extension<'device-polling', null> = {
  name: 'device-polling',
  needs: ['tvm.lib.webGPUContext.sync', 'tvm.lib.webGPUContext.device'],
  replaces: ['tvm.lib.webGPUContext.sync'],
  gain: 'Firefox: decoding 18 times as fast (built-in model, software Vulkan, two cores of an EPYC, 2026-11-25).',
  async apply({ tvm }) {
    const context = tvm.lib.webGPUContext;
    const { queue } = context.device;
    const sync = context.sync.bind(context);
    const whilePolling = async (wait: () => Promise<void>) => {
      const stop = submitNothing(queue);
      try {
        await wait();
      } finally {
        stop();
      }
    };
    // Waits first, because the GPU may still be busy with the load of the model.
    await whilePolling(sync);
    const isNeeded = !(await noticesPromptly(sync));
    return {
      handle: null,
      layers: { 'tvm.lib.webGPUContext.sync': (next) => (isNeeded ? () => whilePolling(next) : next) },
    };
  },
};

/** Whether the browser notices promptly that the GPU is idle. */
async function noticesPromptly(sync: () => Promise<void>): Promise<boolean> {
  // The first wait may end early by chance, because the browser polls at that moment. The second wait starts right
  // after that poll.
  for (let attempt = 0; attempt < 2; attempt++) {
    const noticed = sync().then(() => true);
    if (!(await withTimeout(PROMPT_NOTICE, noticed, false))) return false;
  }
  return true;
}

/** Submits an empty list of command buffers at growing intervals, until the returned function is called. */
function submitNothing(queue: Pick<GPUQueue, 'submit'>): () => void {
  const begun = performance.now();
  let timer: ReturnType<typeof setTimeout>;
  const schedule = () => {
    const interval = Math.max(MIN_INTERVAL, (performance.now() - begun) * LATENESS);
    timer = setTimeout(() => {
      queue.submit([]);
      schedule();
    }, interval);
  };
  schedule();
  return () => clearTimeout(timer);
}
