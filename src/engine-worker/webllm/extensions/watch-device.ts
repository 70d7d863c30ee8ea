import type { MLCEngineInterface } from '@mlc-ai/web-llm';
import type { ApiError } from '../../../shared/api-error.ts';
import { sleep } from '../../../shared/timeout.ts';
import { deviceLostError } from '../errors/engine-error.ts';

/** Milliseconds in which a lost device makes itself known after it has made a call fail. */
const LOSS_GRACE = 100;

export interface WatchedEngine {
  /** Aborts when the device is lost, with an ApiError `gpu_device_lost` as reason, or with that of `abandon()`. */
  readonly lost: AbortSignal;
  /** Counts the model as lost, although the device is there. */
  abandon(reason: ApiError): void;
  /** Frees the model. */
  unload(): Promise<void>;
}

/**
 * Learns of a lost device. WebLLM tells nobody, but unloads itself: so an unload that nobody asked for is
 * the sign. One in the middle of a load is not told: the load itself fails.
 */
export function watchDevice(engine: MLCEngineInterface): WatchedEngine & { arm(): void } {
  const controller = new AbortController();
  const unload = engine.unload.bind(engine);
  let armed = false;
  engine.unload = async () => {
    if (!armed) return unload();
    armed = false;
    controller.abort(deviceLostError());
    // Nobody waits for this one, and freeing what was on a lost device may well fail.
    await unload().catch(() => {});
  };
  return {
    lost: controller.signal,
    arm() {
      armed = true;
    },
    abandon(reason) {
      armed = false;
      controller.abort(reason);
      void unload().catch(() => {});
    },
    async unload() {
      armed = false;
      await unload();
    },
  };
}

/** Calls on a lost device fail a little before its loss is announced. */
export async function isLost(lost: AbortSignal): Promise<boolean> {
  await sleep(LOSS_GRACE, lost).catch(() => {});
  return lost.aborted;
}
