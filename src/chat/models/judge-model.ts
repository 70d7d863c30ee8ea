import { isBuiltIn } from '../../shared/models/built-in-models.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { expectedSpeed, roundedSpeed } from './measuring/expected-speed.ts';
import type { DeviceSpeed } from './measuring/speed-worker.ts';

/** What is judged of a model. */
export type JudgedModel = Pick<
  ModelListing,
  'id' | 'fit' | 'format' | 'parameters' | 'quantization' | 'downloadBytes' | 'memoryBytes' | 'embedding'
>;

/** What the fitness of a model depends on. */
export interface Device {
  /** Main memory in bytes, rounded and capped by the browser; null if it is hidden. */
  readonly memory: number | null;
  /** See {@link isProcessorFaster}. Default: not known. */
  readonly gpu?: string | null;
  /** Default: not measured; then only limits and memory count. */
  readonly speed?: DeviceSpeed | null;
  /** Whether the connection is metered. Default: false. */
  readonly isMetered?: boolean;
}

/**
 * How well a model fits a device: `suits` if it runs at {@link MIN_SPEED} or more, `slow` if it runs more slowly, `tight`
 * if it takes most of the memory, `doubtful` and `no` as the engine says.
 */
export type Fitness = 'suits' | 'slow' | 'tight' | 'doubtful' | 'no';

/** Minimum tokens per second of a model that suits a device: about the speed of speech. */
const MIN_SPEED = 3;

/** Number of parameters above which a CPU of unknown speed is taken to be too slow for a model. */
const MAX_UNMEASURED = 2e9;

/** Matches the names of GPUs that are simulated by the CPU. */
const SIMULATED = /swiftshader|llvmpipe|lavapipe|software|basic render/i;

/**
 * Whether the CPU is faster than WebGPU, because there is no GPU or it is simulated by the CPU.
 * @param gpu Name of the GPU; empty if there is none, null if it is not known. Default: not known.
 */
export function isProcessorFaster(gpu: string | null = null): boolean {
  return gpu === '' || SIMULATED.test(gpu ?? '');
}

const GIB = 2 ** 30;

/** Main memory in bytes that is assumed if the browser does not report it. */
const USUAL_MEMORY = 8 * GIB;

/**
 * Matches the names of GPUs in phones and tablets. They share the main memory, and the operating system ends large
 * apps.
 */
const HANDHELD = /adreno|mali|xclipse|powervr|immortalis|videocore/i;

/** Returns how many bytes of the device's memory a model may take. */
export function memoryBudget({ memory, gpu }: Device): number {
  const bytes = memory ?? USUAL_MEMORY;
  // On small devices, mostly phones, the GPU shares the main memory with everything else.
  return bytes * (HANDHELD.test(gpu ?? '') ? 0.25 : bytes <= 4 * GIB ? 0.4 : 0.5);
}

/**
 * Estimates how many tokens per second a model writes on a device, rounded as the page shows it.
 * @returns Null if the speed is unknown or the model writes nothing; 0 if the CPU simulates the GPU that the model needs.
 */
export function speedOn(model: JudgedModel, { gpu, speed = null }: Device): number | null {
  if (model.embedding) return null;
  if (model.format !== 'gguf' && isProcessorFaster(gpu)) return 0;
  const tokensPerSecond = expectedSpeed(model, speed);
  return tokensPerSecond === null ? null : roundedSpeed(tokensPerSecond);
}

/**
 * Judges how well a model fits a device. Every part of the page that names, lists or sorts models asks this function, so
 * that their sentences agree.
 */
export function judgeModel(model: JudgedModel, device: Device): Fitness {
  const { fit, id, memoryBytes } = model;
  if (fit.verdict !== 'yes') return fit.verdict;
  if (isBuiltIn(id)) return 'suits';
  if (isSlow(model, device)) return 'slow';
  return (memoryBytes ?? 0) > memoryBudget(device) ? 'tight' : 'suits';
}

function isSlow(model: JudgedModel, device: Device): boolean {
  const tokensPerSecond = speedOn(model, device);
  if (tokensPerSecond !== null) return tokensPerSecond < MIN_SPEED;
  return !model.embedding && isProcessorFaster(device.gpu) && (model.parameters ?? 0) > MAX_UNMEASURED;
}
