import type { GraphicsDevice } from './device-fit.ts';

/** Reads features and limits of the adapter that WebLLM would choose; null where there is none. */
export async function probeGraphicsDevice(): Promise<GraphicsDevice | null> {
  const gpu = (navigator as Navigator & { gpu?: GPU }).gpu;
  const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (!adapter) return null;
  const { limits } = adapter;
  return {
    features: new Set(adapter.features),
    maxBufferSize: limits.maxBufferSize,
    maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
    maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
    maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
  };
}
