import type { DeviceFit } from '../../shared/model-management.ts';

const MIB = 2 ** 20;

/** What counts of a graphics adapter for the question which models it can run. */
export interface GraphicsDevice {
  readonly features: ReadonlySet<string>;
  readonly maxBufferSize: number;
  readonly maxStorageBufferBindingSize: number;
  readonly maxComputeWorkgroupStorageSize: number;
  readonly maxStorageBuffersPerShaderStage: number;
}

export interface DeviceNeeds {
  readonly requiredFeatures: readonly string[];
  /** Size of the largest buffer that a shader must reach; bytes. */
  readonly bufferBytes: number | null;
  readonly memoryBytes: number | null;
  readonly quantization: string | null;
}

/**
 * Says whether the device can run a model. The limits are those WebLLM asks for, or falls back to, when
 * it opens the device (`detectGPUDevice`), which may be less than the adapter offers.
 *
 * @param device Null where the browser gives no graphics adapter.
 * @param deviceMemory Main memory in bytes as the browser tells it, rounded and capped; null if it does not.
 */
export function deviceFit(needs: DeviceNeeds, device: GraphicsDevice | null, deviceMemory: number | null): DeviceFit {
  if (device === null) return { verdict: 'no', reasons: ['This browser gives no access to a graphics device.'] };
  const impossible = [...missingFoundations(device), ...missingFeatures(needs, device), ...shortBuffers(needs, device)];
  if (impossible.length > 0) return { verdict: 'no', reasons: impossible };
  const doubts = [...unlistedHalfPrecision(needs, device), ...tightMemory(needs, deviceMemory)];
  return { verdict: doubts.length > 0 ? 'doubtful' : 'yes', reasons: doubts };
}

function missingFoundations(device: GraphicsDevice): string[] {
  const reasons: string[] = [];
  if (device.maxBufferSize < 256 * MIB)
    reasons.push('The graphics device allows no buffer of 256 MB, the least WebLLM works with.');
  if (device.maxStorageBufferBindingSize < 128 * MIB)
    reasons.push('The graphics device lets a shader reach less than 128 MB at once.');
  if (device.maxComputeWorkgroupStorageSize < 32 * 1024)
    reasons.push('The graphics device has less than 32 KB of workgroup memory.');
  if (device.maxStorageBuffersPerShaderStage < 10)
    reasons.push('The graphics device gives a shader fewer than 10 buffers.');
  return reasons;
}

function missingFeatures(needs: DeviceNeeds, device: GraphicsDevice): string[] {
  return needs.requiredFeatures
    .filter((feature) => !device.features.has(feature))
    .map((feature) =>
      feature === 'shader-f16'
        ? 'It computes with 16-bit numbers (shader-f16), which this graphics device or browser lacks. Take the q4f32 variant.'
        : `It needs the graphics feature ${feature}, which this device or browser lacks.`,
    );
}

function shortBuffers(needs: DeviceNeeds, device: GraphicsDevice): string[] {
  if (needs.bufferBytes === null) return [];
  // All or little: WebLLM asks for 1 GiB, and if the adapter has less, for the default of 128 MiB.
  const granted = device.maxStorageBufferBindingSize >= 1024 * MIB ? 1024 * MIB : 128 * MIB;
  if (needs.bufferBytes <= granted) return [];
  return [`A shader must reach ${megabytes(needs.bufferBytes)} at once; here it reaches ${megabytes(granted)}.`];
}

/** The catalogue lists `shader-f16` for some models with 16-bit arithmetic and not for others. */
function unlistedHalfPrecision(needs: DeviceNeeds, device: GraphicsDevice): string[] {
  const half = /f16/.test(needs.quantization ?? '');
  if (!half || device.features.has('shader-f16')) return [];
  return [
    'It probably computes with 16-bit numbers (shader-f16), which this graphics device or browser lacks. The q4f32 variant is safe.',
  ];
}

/** Browsers hide how much memory the graphics device has; main memory is the only hint. */
function tightMemory(needs: DeviceNeeds, deviceMemory: number | null): string[] {
  if (needs.memoryBytes === null || deviceMemory === null || needs.memoryBytes <= deviceMemory) return [];
  return [
    `It needs ${megabytes(needs.memoryBytes)} of graphics memory; the browser speaks of ${megabytes(deviceMemory)} of main memory.`,
  ];
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / MIB).toLocaleString('en')} MB`;
}
