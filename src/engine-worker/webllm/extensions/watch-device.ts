import type { MLCEngineInterface } from '@mlc-ai/web-llm';
import type { ApiError } from '../../../shared/api-error.ts';
import { sleep } from '../../../shared/timeout.ts';
import { deviceLostError } from '../errors/engine-error.ts';
import type { Extension } from '../pipeline/extension.ts';

/** Milliseconds in which the loss of a device is announced after it has made a call fail. */
const LOSS_GRACE = 100;

export interface WatchedEngine {
  /** Aborts when the device is lost, with an ApiError `gpu_device_lost` as reason, or with the reason of `abandon()`. */
  readonly lost: AbortSignal;
  /** Treats the model as lost although the device is there. */
  abandon(reason: ApiError): void;
  /** Frees the model. */
  unload(): Promise<void>;
}

export interface DeviceWatch extends WatchedEngine {
  /** From now on an unload by WebLLM itself is a lost device. Before, the failing load reports it. */
  arm(): void;
}

/**
 * Detects a lost device. WebLLM emits no event, but unloads itself, so an unload that the adapter did not call is the sign.
 */
export const WATCH_DEVICE: Extension<'watch-device', DeviceWatch, { readonly engine: MLCEngineInterface }> = {
  name: 'watch-device',
  needs: ['engine.unload'],
  replaces: ['engine.unload'],
  gain: 'A lost device fails the request at once and the model is loaded again; WebLLM leaves the request waiting.',
  apply({ engine }) {
    const controller = new AbortController();
    const unload = engine.unload.bind(engine);
    let armed = false;
    return {
      layers: {
        'engine.unload': (next) => async () => {
          if (!armed) return next();
          armed = false;
          controller.abort(deviceLostError());
          // WebLLM does not await this call, and freeing what was on a lost device may fail.
          await next().catch(() => {});
        },
      },
      handle: {
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
      },
    };
  },
};

/** Whether the device is lost. Calls on a lost device fail a little before its loss is announced. */
export async function isLost(lost: AbortSignal): Promise<boolean> {
  await sleep(LOSS_GRACE, lost).catch(() => {});
  return lost.aborted;
}
