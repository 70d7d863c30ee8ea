import type { GraphicsDevice } from './models/device-fit.ts';

/** A graphics device that this worker can get. */
export interface ProbedGpu extends GraphicsDevice {
  /** The adapter in a few words. */
  readonly description: string;
}

/**
 * Asks for a graphics device, of the adapter that WebLLM would choose, and lets go of it again. That a context
 * knows `navigator.gpu` proves nothing: drivers, block lists and the kind of worker decide.
 * @returns features and limits of the adapter, or null where there is no device.
 */
export async function probeGpu(): Promise<ProbedGpu | null> {
  try {
    const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return null;
    const device = await adapter.requestDevice();
    device.destroy();
    const { features, limits, info } = adapter;
    return {
      description: info.description || [info.vendor, info.architecture].filter(Boolean).join(' ') || 'graphics adapter',
      features: new Set(features),
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
    };
  } catch {
    return null;
  }
}
