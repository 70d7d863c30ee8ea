import type { GraphicsDevice } from './models/device-fit.ts';

export interface ProbedGpu extends GraphicsDevice {
  /** Short name of the adapter. */
  readonly description: string;
}

/**
 * Requests a device from the adapter that WebLLM would choose, and destroys it. This is the only proof of a GPU:
 * `navigator.gpu` exists even without one.
 * @returns Features and limits of the adapter, or null if there is no device.
 */
export async function probeGpu(): Promise<ProbedGpu | null> {
  try {
    const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return null;
    const device = await adapter.requestDevice();
    device.destroy();
    const { features, limits, info } = adapter;
    const { subgroupMinSize: min, subgroupMaxSize: max } = info;
    return {
      description: info.description || [info.vendor, info.architecture].filter(Boolean).join(' ') || 'graphics adapter',
      features: new Set(features),
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
      maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
      // Undefined in browsers without subgroups.
      subgroupSizes: min && max ? { min, max } : null,
    };
  } catch {
    return null;
  }
}
