import type { ModelListing } from '../../../shared/models/model-management.ts';
import type { DeviceSpeed } from './speed-worker.ts';

/** What the speed of a model depends on. */
type MeasuredModel = Pick<ModelListing, 'format' | 'parameters' | 'quantization' | 'downloadBytes'>;

/** Number of dispatches per token: about ten per layer, for the 30 layers of a typical suggested model. */
const DISPATCHES = 300;

/**
 * The share of the measured bandwidth at which WebLLM's kernels read packed weights. WebLLM's paper (arXiv:2412.15803)
 * has 41 tokens/s for 8 billion parameters and 71 for 3.8 billion, on an Apple M3 Max (400 GB/s). The difference
 * between the two times per token corresponds to 2.4 GB at 230 GB/s; the remaining 5 ms per token are dispatches.
 */
const SHARE_OF_BANDWIDTH = 0.6;

/**
 * The speed of llama.cpp on one thread, divided by that of the measurement in JavaScript. On an EPYC server CPU, in
 * processor time (2026-11-26), SmolLM2 135M generates 8.7 tokens per second, and JavaScript multiplies 0.95 billion
 * weights per second.
 */
const GAIN_ON_PROCESSOR = 1.2;

/**
 * The speed of llama.cpp on a GPU, divided by that of WebLLM: 53 and 91 tokens per second with SmolLM2 135M on an
 * NVIDIA H200 (2026-11-26).
 */
const LLAMA_CPP_BESIDE_WEBLLM = 0.6;

/** Threads share the memory bandwidth: two are 1.7 times as fast as one, four 3 times, eight 5.3 times. */
const THREAD_EXPONENT = 0.8;

/** As in `llama-cpp-runtime.ts`: half of the CPU's threads, or one if the page is not cross-origin isolated. */
function processorThreads(): number {
  return globalThis.crossOriginIsolated ? Math.max(1, Math.floor((navigator.hardwareConcurrency || 1) / 2)) : 1;
}

/**
 * Estimates how many tokens per second a model generates on this device with a short context.
 * @param threads Number of CPU threads. Default: as many as llama.cpp gets on this page.
 * @returns Null if the model's size or the device's speed is unknown.
 */
export function expectedSpeed(
  model: MeasuredModel,
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

/** Bytes of weights that are read per token. A model with per-layer embeddings downloads more than that. */
function bytesPerToken({ parameters, quantization, downloadBytes }: MeasuredModel): number | null {
  const [, bits, group] = /^q(\d+)f(\d+)/.exec(quantization ?? '') ?? [];
  if (parameters === null || bits === undefined || group === undefined) return downloadBytes;
  // 32 packed weights share one scale.
  const packed = bits === '0' ? Number(group) : Number(bits) + Number(group) / 32;
  return Math.min((parameters * packed) / 8, downloadBytes ?? Infinity);
}

/**
 * Rounds a speed to one significant digit, or to a multiple of 5 between 10 and 30, because the estimate is not more
 * exact.
 */
export function roundedSpeed(tokensPerSecond: number): number {
  if (tokensPerSecond < 10) return Math.round(tokensPerSecond);
  const unit = tokensPerSecond < 30 ? 5 : 10 ** Math.floor(Math.log10(tokensPerSecond));
  return Math.round(tokensPerSecond / unit) * unit;
}
