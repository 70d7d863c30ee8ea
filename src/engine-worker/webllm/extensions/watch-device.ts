import type { MLCEngineInterface } from '@mlc-ai/web-llm';
import type { ApiError } from '../../../shared/api-error.ts';
import { sleep } from '../../../shared/timeout.ts';
import { deviceLostError } from '../errors/webllm-errors.ts';
import type { Extension } from '../pipeline/extension.ts';

/** Milliseconds within which the browser reports the loss of a device after a call has failed because of it. */
const LOSS_GRACE = 100;

export interface WatchedEngine {
  /**
   * Aborts when the device is lost, with an ApiError `gpu_device_lost` as reason, or with the reason of `abandon()`.
   */
  readonly lost: AbortSignal;
  /** Treats the model as lost although the GPU device still exists. */
  abandon(reason: ApiError): void;
  /** Frees the model. */
  unload(): Promise<void>;
}

export interface DeviceWatch extends WatchedEngine {
  /**
   * From this call on, an unload by WebLLM itself means that the device is lost. Before it, the failing load reports
   * the error.
   */
  arm(): void;
}

/**
 * Detects a lost GPU device. WebLLM reports no event but unloads the model, so an unload that Tabserve did not request
 * means that the device is lost.
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
          // WebLLM does not await this call, so a failure would be an unhandled rejection. Freeing the contents of a
          // lost device may fail.
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

/**
 * Whether the device is lost. Waits shortly, because calls on a lost device fail a little before the browser reports
 * the loss.
 */
export async function isLost(lost: AbortSignal): Promise<boolean> {
  await sleep(LOSS_GRACE, lost).catch(() => {});
  return lost.aborted;
}
