import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { canBeParallel, type ModelSettings } from '../../shared/models/model-settings.ts';
import { MIN_WINDOW } from '../../shared/models/window-limits.ts';
import { contextWindowOnDevice } from './context-window-on-device.ts';
import type { GraphicsDevice } from './device-fit.ts';
import { ggufCacheBytes, ggufMostParallel, type GgufLimits } from './gguf/gguf-fit.ts';

/** Returns what the user can set for a downloaded model, beside its context window. */
export function settingsOf(entry: ModelEntry, limits: GgufLimits): NonNullable<ModelListing['settings']> {
  const { gguf, contextWindow, parallel = 1, keepAlive = -1 } = entry;
  return {
    parallel,
    mostParallel: gguf && canBeParallel(entry) ? ggufMostParallel(gguf, contextWindow, limits) : 1,
    bytesPerRequest: gguf?.cacheBytesPerToken ? ggufCacheBytes(gguf, contextWindow) : null,
    keepAlive,
  };
}

/**
 * Checks a context window.
 * @throws ApiError `invalid_value` for a window that is fixed or out of bounds.
 */
export function checkedWindow(
  entry: ModelEntry,
  tokens: number,
  device: GraphicsDevice | null,
  ggufLimits: GgufLimits,
): ModelSettings {
  const limits = contextWindowOnDevice(entry, device, ggufLimits);
  if (limits === null)
    throw new ApiError('invalid_value', `The context window of ${entry.id} is fixed on this device.`, { param: 'id' });
  if (!Number.isInteger(tokens) || tokens < MIN_WINDOW || tokens > limits.most) {
    const bounds = `from ${MIN_WINDOW} to ${limits.most} tokens`;
    throw new ApiError('invalid_value', `The context window of ${entry.id} can be set ${bounds} on this device.`, {
      param: 'tokens',
    });
  }
  return { contextWindow: tokens };
}

/**
 * Checks a number of requests at once.
 * @throws ApiError `invalid_value` for a model that answers one at a time, or a number out of bounds.
 */
export function checkedParallel(entry: ModelEntry, requests: number, limits: GgufLimits): ModelSettings {
  const { mostParallel } = settingsOf(entry, limits);
  if (Number.isInteger(requests) && requests >= 1 && requests <= mostParallel) return { parallel: requests };
  const sentence =
    mostParallel === 1
      ? `${entry.id} answers one request at a time on this device.`
      : `${entry.id} can answer from 1 to ${mostParallel} requests at once on this device.`;
  throw new ApiError('invalid_value', sentence, { param: 'requests' });
}

/** Checks a time until an unused model is unloaded. @throws ApiError `invalid_value` for no number. */
export function checkedKeepAlive(seconds: number): ModelSettings {
  if (Number.isFinite(seconds)) return { keepAlive: seconds };
  throw new ApiError('invalid_value', 'A number of seconds is expected.', { param: 'seconds' });
}
