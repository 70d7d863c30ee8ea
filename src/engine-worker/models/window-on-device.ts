import { windowLimits, type WindowLimits } from '../../shared/models/context-window.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { grantedBinding, type GraphicsDevice } from './device-fit.ts';
import { ggufMostWindow } from './gguf/gguf-fit.ts';

/**
 * Returns what a model's context window may be on this device: of a model for WebLLM, the graphics driver bounds the buffer that
 * each layer has for it; of a GGUF model, WebAssembly's memory bounds the whole.
 * @returns null if the window is fixed.
 */
export function windowOnDevice(entry: ModelEntry, device: GraphicsDevice | null): WindowLimits | null {
  const limits = windowLimits(entry);
  if (limits === null) return null;
  if (entry.gguf) return { ...limits, most: Math.min(limits.most, ggufMostWindow(entry.gguf)) };
  if (device === null) return limits;
  const { most, bytesPerToken, layers } = limits;
  if (bytesPerToken === null || layers === null) return limits;
  return { ...limits, most: Math.min(most, Math.floor(grantedBinding(device) / (bytesPerToken / layers))) };
}
