import type { ModelListing, ModelStrength } from '../../shared/models/model-management.ts';
import type { DeviceSpeed } from './measuring/speed-worker.ts';
import { expectedSpeed } from './measuring/expected-speed.ts';

/**
 * General-purpose models of the newest families in WebLLM's catalogue (2026-11), the most capable last. The second part
 * is a key of `modelStrings.strengths`.
 */
const GENERAL = [
  ['SmolLM2-360M-Instruct', 'short'],
  ['gemma3-1b-it', 'texts'],
  ['Qwen3.5-0.8B', 'thinks'],
  ['Qwen3.5-2B', 'thinks'],
  ['gemma-4-E2B-it', 'writes'],
  ['Qwen3.5-4B', 'reasons'],
  ['Qwen3.5-9B', 'reasons'],
] as const satisfies readonly (readonly [string, ModelStrength])[];

/** Models of earlier families. They are not suggested; only {@link strengthOf} uses this list. */
const EARLIER = [
  ['Qwen3-0.6B', 'thinks'],
  ['Llama-3.2-1B-Instruct', 'texts'],
  ['Qwen3-1.7B', 'thinks'],
  ['gemma-2-2b-it', 'writes'],
  ['Llama-3.2-3B-Instruct', 'texts'],
  ['Qwen3-4B', 'reasons'],
  ['Qwen3-8B', 'reasons'],
] as const satisfies readonly (readonly [string, ModelStrength])[];

const ROLES = ['fast', 'balanced', 'best'] as const;

export interface Suggestion {
  readonly role: (typeof ROLES)[number];
  readonly model: ModelListing;
  readonly strength: ModelStrength;
}

/** What suggestions depend on. */
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

/** Minimum tokens per second of a suggested model: about the speed of speech. */
const MIN_SPEED = 3;

/** Tokens per second that keep up with reading. The balanced suggestion reaches this speed if a suitable model does. */
const READING_SPEED = 8;

/** Number of parameters of the largest model that a CPU runs at reading speed. */
const MAX_ON_PROCESSOR = 0.65e9;

/** Matches the names of GPUs that are simulated by the CPU. */
const SIMULATED = /swiftshader|llvmpipe|lavapipe|software|basic render/i;

/**
 * Whether the CPU is faster than WebGPU, because there is no GPU or it is simulated by the CPU.
 * @param gpu Name of the GPU; empty if there is none, null if it is not known.
 */
export function isProcessorFaster(gpu: string | null): boolean {
  return gpu === '' || SIMULATED.test(gpu ?? '');
}

/** Suggests GGUF models for a device without a GPU. All of them are small, so their speed is not checked. */
function suggestForProcessor(models: readonly ModelListing[]): readonly Suggestion[] {
  return models
    .filter(({ format, fit }) => format === 'gguf' && fit.verdict === 'yes')
    .filter(({ parameters, goodFor }) => goodFor !== undefined && (parameters ?? Infinity) <= MAX_ON_PROCESSOR)
    .toSorted((one, other) => (one.downloadBytes ?? 0) - (other.downloadBytes ?? 0))
    .slice(0, ROLES.length)
    .map((model, index) => ({ role: ROLES[index]!, model, strength: model.goodFor! }));
}

/** Whether a model generates at least this many tokens per second on this device. True if that is unknown. */
function isAtLeast(tokensPerSecond: number, model: ModelListing, speed: DeviceSpeed | null): boolean {
  return (expectedSpeed(model, speed) ?? Infinity) >= tokensPerSecond;
}

/**
 * Returns the one model to begin with: the balanced suggestion, or on a metered connection the fast one, which is
 * smaller. Undefined if no model certainly runs on this device.
 */
export function bestModel(models: readonly ModelListing[], device: Device): ModelListing | undefined {
  const suggestions = suggestModels(models, device);
  const wanted = device.isMetered === true ? 'fast' : 'balanced';
  return (suggestions.find(({ role }) => role === wanted) ?? suggestions[0])?.model;
}

/** Returns what a model is suited for; undefined if that is not known. */
export function strengthOf({ id, goodFor }: ModelListing): ModelStrength | undefined {
  return goodFor ?? [...GENERAL, ...EARLIER].find(([name]) => id.startsWith(`${name}-q`))?.[1];
}

const GIB = 2 ** 30;

/** Main memory in bytes that is assumed if the browser does not report it. */
const USUAL_MEMORY = 8 * GIB;

/** Maximum memory in bytes of a fast or a balanced model on any device. */
const LIMITS = { fast: 1.5 * GIB, balanced: 4 * GIB } as const;

/**
 * Matches the names of GPUs in phones and tablets. They share the main memory, and the operating system ends large
 * apps.
 */
const HANDHELD = /adreno|mali|xclipse|powervr|immortalis|videocore/i;

/** Suggests at most three models, each for a different purpose. */
export function suggestModels(models: readonly ModelListing[], device: Device): readonly Suggestion[] {
  const { gpu = null, speed = null } = device;
  return isProcessorFaster(gpu) ? suggestForProcessor(models) : suggestForGraphics(models, device.memory, gpu, speed);
}

/**
 * Suggests packages for WebLLM. A model's verdict covers the limits of the GPU and its number formats. This function
 * adds a memory limit, and leaves out models that are too slow.
 */
function suggestForGraphics(
  models: readonly ModelListing[],
  deviceMemory: number | null,
  gpu: string | null,
  speed: DeviceSpeed | null,
): readonly Suggestion[] {
  const memory = deviceMemory ?? USUAL_MEMORY;
  // On small devices, mostly phones, the GPU shares the main memory with everything else.
  const budget = memory * (HANDHELD.test(gpu ?? '') ? 0.25 : memory <= 4 * GIB ? 0.4 : 0.5);
  const candidates = GENERAL.flatMap(([name, strength]) => {
    const model = variantFor(name, models, budget);
    return model === undefined || !isAtLeast(MIN_SPEED, model, speed) ? [] : [{ model, strength }];
  });
  const best = candidates.at(-1);
  const within = (
    from: typeof candidates,
    limit: number,
    ...others: readonly ((typeof candidates)[number] | undefined)[]
  ) =>
    from.findLast(
      ({ model, strength }) =>
        (model.memoryBytes ?? Infinity) <= limit && others.every((other) => other?.strength !== strength),
    );
  const limit = Math.min(budget * 0.6, LIMITS.balanced);
  const quick = candidates.filter(({ model }) => isAtLeast(READING_SPEED, model, speed));
  const balanced = within(quick, limit, best) ?? within(candidates, limit, best);
  const fast = within(candidates, Math.min(budget / 4, LIMITS.fast), best, balanced);
  const chosen = [
    { role: 'fast', candidate: fast },
    { role: 'balanced', candidate: balanced },
    { role: 'best', candidate: best },
  ] as const;
  return chosen.flatMap(({ role, candidate }) => (candidate === undefined ? [] : [{ role, ...candidate }]));
}

function rank({ state, memoryBytes }: ModelListing): number {
  return state.kind === 'present' ? 0 : (memoryBytes ?? Infinity);
}

/**
 * Returns the smallest variant of a model that runs within the budget; a downloaded variant is preferred. Variants with
 * a short context window, whose ids do not end in `-MLC`, are excluded.
 */
function variantFor(name: string, models: readonly ModelListing[], budget: number): ModelListing | undefined {
  const variants = models.filter(
    ({ id, fit, memoryBytes }) =>
      id.startsWith(`${name}-q`) && id.endsWith('-MLC') && fit.verdict === 'yes' && (memoryBytes ?? Infinity) <= budget,
  );
  return variants.toSorted((one, other) => rank(one) - rank(other))[0];
}
