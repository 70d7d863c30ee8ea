import type { DeviceSpeed } from '../../../src/chat/models/measuring/speed-worker.ts';

/**
 * Runs in a page before its scripts: gives the device a speed that does not depend on the machine, and two CPU threads, of
 * which llama.cpp uses one.
 * @param measured The speed; `graphics: null` for a device without a graphics processor, or one that is not measured.
 */
export function fakeSpeed(measured: DeviceSpeed): void {
  Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 });
  globalThis.Worker = new Proxy(Worker, {
    construct(target, [address, options]: [URL, WorkerOptions?]) {
      if (options?.name !== 'speed') return new target(address, options);
      return Object.assign(new EventTarget(), {
        postMessage(this: EventTarget) {
          this.dispatchEvent(new MessageEvent('message', { data: measured }));
        },
        terminate() {},
      });
    },
  });
}
