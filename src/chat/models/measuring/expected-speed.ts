import type { ModelListing } from '../../../shared/models/model-management.ts';
import type { DeviceSpeed } from './device-speed.ts';

/** Dispatches of a token: about ten for each layer, and suggested models have some 30 layers. */
const DISPATCHES = 300;

/**
 * The share of the measured bandwidth with which WebLLM's kernels read packed weights. On an Apple M3 Max (400 GB/s) its paper
 * (arXiv:2412.15803) has 41 tokens/s for 8 billion parameters and 71 for 3.8 billion. The difference of these times is that of
 * 2.4 GB read with 230 GB/s; the rest, 5 ms a token, are the dispatches.
 */
const SHARE_OF_BANDWIDTH = 0.6;

/**
 * How many times as many weights llama.cpp multiplies on a thread as plain JavaScript does. On an EPYC server CPU, by processor time
 * (2026-11-26): SmolLM2 135M writes 8.7 tokens a second, and JavaScript multiplies 0.95 billion weights.
 */
const GAIN_ON_PROCESSOR = 1.2;

/**
 * Speed of llama.cpp on a graphics device, divided by that of WebLLM: 53 and 91 tokens a second with SmolLM2 135M on an
 * NVIDIA H200 (2026-11-26).
 */
const LLAMA_CPP_BESIDE_WEBLLM = 0.6;

/** More threads share the memory's bandwidth: two count for 1.7, four for 3, eight for 5.3. */
const THREAD_EXPONENT = 0.8;

/** As `llama-cpp-runtime.ts` chooses them: half of the processor's threads, or one where pages may not share memory. */
function processorThreads(): number {
  return globalThis.crossOriginIsolated ? Math.max(1, Math.floor((navigator.hardwareConcurrency || 1) / 2)) : 1;
}

/**
 * Estimates how many tokens a second a model writes here, with a short context.
 * @param threads Threads of the processor. Default: as many as llama.cpp gets on this page.
 * @returns Null if the model's size or the device's speed is unknown.
 */
export function expectedSpeed(
  model: ModelListing,
  speed: DeviceSpeed | null,
  threads = processorThreads(),
): number | null {
  if (speed === null) return null;
  const { parameters, format } = model;
  if (format === 'gguf' && speed.graphics?.runsGguf !== true)
    return parameters && (speed.weightsPerSecond * GAIN_ON_PROCESSOR * threads ** THREAD_EXPONENT) / parameters;
  const bytes = bytesPerToken(model);
  if (bytes === null || speed.graphics === null) return null;
  const { bytesPerSecond, secondsPerDispatch } = speed.graphics;
  const seconds = bytes / (bytesPerSecond * SHARE_OF_BANDWIDTH) + DISPATCHES * secondsPerDispatch;
  return (format === 'gguf' ? LLAMA_CPP_BESIDE_WEBLLM : 1) / seconds;
}

/** Bytes of the weights that a token needs. A model with embeddings for each layer downloads more than that. */
function bytesPerToken({ parameters, quantization, downloadBytes }: ModelListing): number | null {
  const [, bits, group] = /^q(\d+)f(\d+)/.exec(quantization ?? '') ?? [];
  if (parameters === null || bits === undefined || group === undefined) return downloadBytes;
  // Of packed weights, 32 share a factor.
  const packed = bits === '0' ? Number(group) : Number(bits) + Number(group) / 32;
  return Math.min((parameters * packed) / 8, downloadBytes ?? Infinity);
}

/** An estimate with one significant digit, or with two between 10 and 30: it says no more than a short measurement knows. */
export function roundedSpeed(tokensPerSecond: number): number {
  if (tokensPerSecond < 10) return Math.round(tokensPerSecond);
  const unit = tokensPerSecond < 30 ? 5 : 10 ** Math.floor(Math.log10(tokensPerSecond));
  return Math.round(tokensPerSecond / unit) * unit;
}
