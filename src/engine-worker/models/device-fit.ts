import type { CodedText } from '../../shared/coded-sentence.ts';
import type { WindowLimits } from '../../shared/models/model-facts.ts';
import type { DeviceFit } from '../../shared/models/model-management.ts';
import { say } from '../strings/say.ts';
import { fitFor } from './fit-for.ts';

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
  if (device === null) return fitFor('no', [say('noGraphicsDevice')]);
  const impossible = [...missingFoundations(device), ...missingFeatures(needs, device), ...shortBuffers(needs, device)];
  if (impossible.length > 0) return fitFor('no', impossible);
  const doubts = [...unlistedHalfPrecision(needs, device), ...tightMemory(needs, deviceMemory)];
  return fitFor(doubts.length > 0 ? 'doubtful' : 'yes', doubts);
}

/**
 * Returns the size in bytes of the largest buffer that a shader may bind: WebLLM requests 1 GiB, or the default limit
 * if the adapter has less.
 */
export function grantedBinding(device: GraphicsDevice): number {
  return device.maxStorageBufferBindingSize >= 1024 * MIB ? 1024 * MIB : 128 * MIB;
}

function missingFoundations(device: GraphicsDevice): CodedText[] {
  const reasons: CodedText[] = [];
  if (device.maxBufferSize < 256 * MIB) reasons.push(say('smallBuffers'));
  if (device.maxStorageBufferBindingSize < 128 * MIB) reasons.push(say('smallBindings'));
  if (device.maxComputeWorkgroupStorageSize < 32 * 1024) reasons.push(say('smallWorkgroups'));
  if (device.maxStorageBuffersPerShaderStage < 10) reasons.push(say('fewBuffers'));
  return reasons;
}

function missingFeatures(needs: DeviceNeeds, device: GraphicsDevice): CodedText[] {
  return needs.requiredFeatures.filter((feature) => !device.features.has(feature)).map(missingFeature);
}

function missingFeature(feature: string): CodedText {
  return feature === 'shader-f16' ? say('halfPrecisionMissing') : say('featureMissing', feature);
}

function shortBuffers(needs: DeviceNeeds, device: GraphicsDevice): CodedText[] {
  if (needs.bufferBytes === null) return [];
  const granted = grantedBinding(device);
  if (needs.bufferBytes <= granted) return [];
  return [say('shortBinding', needs.bufferBytes, granted)];
}

/**
 * Reports that a model probably needs `shader-f16`. The catalogue names this feature for only some of the models with
 * 16-bit arithmetic.
 */
function unlistedHalfPrecision(needs: DeviceNeeds, device: GraphicsDevice): CodedText[] {
  const half = /f16/.test(needs.quantization ?? '');
  if (!half || device.features.has('shader-f16')) return [];
  return [say('halfPrecisionLikely')];
}

/**
 * Reports that a model needs more GPU memory than the device has main memory. Browsers do not report the size of GPU
 * memory.
 */
function tightMemory(needs: DeviceNeeds, deviceMemory: number | null): CodedText[] {
  if (needs.memoryBytes === null || deviceMemory === null || needs.memoryBytes <= deviceMemory) return [];
  return [say('tightGraphicsMemory', needs.memoryBytes, deviceMemory)];
}

/** Adapts the memory to a context window that differs from the one for which the requirements are stated. */
export function withWindow(
  needs: DeviceNeeds,
  told: number | null,
  contextWindow: number | null,
  limits: WindowLimits | null,
): DeviceNeeds {
  if (needs.memoryBytes === null || told === null || contextWindow === null || !limits?.bytesPerToken) return needs;
  return { ...needs, memoryBytes: needs.memoryBytes + (contextWindow - told) * limits.bytesPerToken };
}
