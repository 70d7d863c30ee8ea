import type { DeviceFit } from '../../shared/models/model-management.ts';
import { deviceFitStrings as strings } from '../strings/model-loading.ts';

const MIB = 2 ** 20;

export interface GraphicsDevice {
  readonly features: ReadonlySet<string>;
  readonly maxBufferSize: number;
  readonly maxStorageBufferBindingSize: number;
  readonly maxComputeWorkgroupStorageSize: number;
  readonly maxStorageBuffersPerShaderStage: number;
  readonly maxComputeInvocationsPerWorkgroup: number;
  /** Smallest and largest number of lanes in a subgroup; null if the browser does not report them. */
  readonly subgroupSizes: { readonly min: number; readonly max: number } | null;
}

export interface DeviceNeeds {
  readonly requiredFeatures: readonly string[];
  /** Size in bytes of the largest buffer that a shader binds; null if unknown. */
  readonly bufferBytes: number | null;
  readonly memoryBytes: number | null;
  readonly quantization: string | null;
}

/**
 * Returns whether the device can run a model, with reasons. The limits are those that WebLLM requests
 * (`detectGPUDevice`), which may be below those of the adapter.
 * @param device Null if there is no adapter.
 * @param deviceMemory Main memory in bytes as the browser reports it (rounded and capped); null if unknown.
 */
export function deviceFit(needs: DeviceNeeds, device: GraphicsDevice | null, deviceMemory: number | null): DeviceFit {
  if (device === null) return { verdict: 'no', reasons: [strings.noDevice] };
  const impossible = [...missingFoundations(device), ...missingFeatures(needs, device), ...shortBuffers(needs, device)];
  if (impossible.length > 0) return { verdict: 'no', reasons: impossible };
  const doubts = [...unlistedHalfPrecision(needs, device), ...tightMemory(needs, deviceMemory)];
  return { verdict: doubts.length > 0 ? 'doubtful' : 'yes', reasons: doubts };
}

/**
 * Returns the size in bytes of the largest buffer that a shader may bind: WebLLM requests 1 GiB, or the default limit
 * if the adapter has less.
 */
export function grantedBinding(device: GraphicsDevice): number {
  return device.maxStorageBufferBindingSize >= 1024 * MIB ? 1024 * MIB : 128 * MIB;
}

function missingFoundations(device: GraphicsDevice): string[] {
  const reasons: string[] = [];
  if (device.maxBufferSize < 256 * MIB) reasons.push(strings.smallBuffers);
  if (device.maxStorageBufferBindingSize < 128 * MIB) reasons.push(strings.smallBindings);
  if (device.maxComputeWorkgroupStorageSize < 32 * 1024) reasons.push(strings.smallWorkgroups);
  if (device.maxStorageBuffersPerShaderStage < 10) reasons.push(strings.fewBuffers);
  return reasons;
}

function missingFeatures(needs: DeviceNeeds, device: GraphicsDevice): string[] {
  return needs.requiredFeatures.filter((feature) => !device.features.has(feature)).map(strings.missingFeature);
}

function shortBuffers(needs: DeviceNeeds, device: GraphicsDevice): string[] {
  if (needs.bufferBytes === null) return [];
  const granted = grantedBinding(device);
  if (needs.bufferBytes <= granted) return [];
  return [strings.shortBinding(needs.bufferBytes, granted)];
}

/**
 * Reports that a model probably needs `shader-f16`. The catalogue names this feature for only some of the models with
 * 16-bit arithmetic.
 */
function unlistedHalfPrecision(needs: DeviceNeeds, device: GraphicsDevice): string[] {
  const half = /f16/.test(needs.quantization ?? '');
  if (!half || device.features.has('shader-f16')) return [];
  return [strings.unlistedHalfPrecision];
}

/**
 * Reports that a model needs more GPU memory than the device has main memory. Browsers do not report the size of GPU
 * memory.
 */
function tightMemory(needs: DeviceNeeds, deviceMemory: number | null): string[] {
  if (needs.memoryBytes === null || deviceMemory === null || needs.memoryBytes <= deviceMemory) return [];
  return [strings.tightMemory(needs.memoryBytes, deviceMemory)];
}
