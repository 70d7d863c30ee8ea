import type { WindowLimits } from '../../shared/models/model-facts.ts';
import { windowLimits } from '../../shared/models/window-limits.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { grantedBinding, type GraphicsDevice } from './device-fit.ts';
import { ggufMostWindow, type GgufLimits } from './gguf/gguf-fit.ts';

/**
 * Returns the limits of a model's context window on this device. For WebLLM, the graphics driver limits the size of
 * each layer's KV-cache buffer. For llama.cpp, WebAssembly's memory is the limit, in which
 * each request that is answered at once has a window of its own.
 * @returns null if the window is fixed.
 */
export function contextWindowOnDevice(
  entry: ModelEntry,
  device: GraphicsDevice | null,
  ggufLimits: GgufLimits,
): WindowLimits | null {
  const limits = windowLimits(entry);
  if (limits === null) return null;
  if (entry.gguf) {
    const most = ggufMostWindow(entry.gguf, ggufLimits, entry.parallel ?? 1);
    return { ...limits, most: Math.min(limits.most, most) };
  }
  if (device === null) return limits;
  const { most, bytesPerToken, layers } = limits;
  if (bytesPerToken === null || layers === null) return limits;
  return { ...limits, most: Math.min(most, Math.floor(grantedBinding(device) / (bytesPerToken / layers))) };
}
