import { isBuiltIn } from '../../shared/models/built-in-models.ts';
import type { ModelListing, ModelStrength } from '../../shared/models/model-management.ts';
import { isProcessorFaster, judgeModel, memoryBudget, speedOn, type Device } from './judge-model.ts';

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

/** Tokens per second that keep up with reading. The balanced suggestion reaches this speed if a suitable model does. */
const READING_SPEED = 8;

/** Number of parameters of the largest model that is suggested for a CPU of unknown or low speed. */
const MAX_ON_PROCESSOR = 0.65e9;

/** Largest download in bytes of a model for a first talk. */
const MAX_STARTER = 150e6;

/**
 * Suggests GGUF models for a device without a GPU, or whose GPU runs no package for WebLLM: the smallest, the most
 * capable, and between them the most capable that keeps up with reading.
 */
function suggestForProcessor(models: readonly ModelListing[], device: Device): readonly Suggestion[] {
  const candidates = models
    .filter((model) => model.format === 'gguf' && model.goodFor !== undefined && judgeModel(model, device) === 'suits')
    .filter((model) => (model.parameters ?? Infinity) <= MAX_ON_PROCESSOR || isQuick(model, device, false))
    .toSorted((one, other) => (one.parameters ?? 0) - (other.parameters ?? 0));
  const best = candidates.at(-1);
  const between = candidates.slice(1, -1);
  const balanced = between.findLast((model) => isQuick(model, device, true)) ?? between.at(-1);
  const chosen = { fast: candidates[0] === best ? undefined : candidates[0], balanced, best };
  return ROLES.flatMap((role) => {
    const model = chosen[role];
    return model === undefined ? [] : [{ role, model, strength: model.goodFor! }];
  });
}

/**
 * Whether a model keeps up with reading on this device.
 * @param unknown The result if the speed is unknown.
 */
function isQuick(model: ModelListing, device: Device, unknown: boolean): boolean {
  const tokensPerSecond = speedOn(model, device);
  return tokensPerSecond === null ? unknown : tokensPerSecond >= READING_SPEED;
}

/** Models to begin with, the first one first. */
export interface Offer {
  /** At most two, and none that does not suit the device. */
  readonly models: readonly ModelListing[];
  /** A key of `offerStrings.reasons`, which says how they were chosen. */
  readonly reason: 'suits' | 'slow' | 'metered';
}

/** Whether a model other than the built-in one is on this device, or is being downloaded, and can chat here. */
function isHereForChat({ id, embedding, continues, fit, state }: ModelListing): boolean {
  return state.kind !== 'absent' && !embedding && !continues && fit.verdict !== 'no' && !isBuiltIn(id);
}

/**
 * Offers models to begin with: one that is here already; else usually the balanced suggestion and a smaller one. Where the
 * connection is metered, or nothing but a very small model keeps up with reading, the small one comes first.
 */
export function offerModels(models: readonly ModelListing[], device: Device): Offer {
  const here = models.find(isHereForChat);
  if (here !== undefined) return { models: [here], reason: 'suits' };
  const suggestions = suggestModels(models, device);
  const of = (role: Suggestion['role']) => suggestions.find((suggestion) => suggestion.role === role)?.model;
  const better = of('balanced') ?? of('best');
  if (better === undefined) return { models: [], reason: 'suits' };
  const isSlow = !isQuick(better, device, !isProcessorFaster(device.gpu));
  const isMetered = device.isMetered === true;
  const starter = models.find(
    (model) =>
      (model.downloadBytes ?? Infinity) <= MAX_STARTER && model.goodFor && judgeModel(model, device) === 'suits',
  );
  const small = isSlow || isMetered ? (starter ?? of('fast')) : (of('fast') ?? starter);
  if (small === undefined || small === better) return { models: [better], reason: isMetered ? 'metered' : 'suits' };
  if (isMetered) return { models: [small, better], reason: 'metered' };
  return isSlow ? { models: [small, better], reason: 'slow' } : { models: [better, small], reason: 'suits' };
}

/** Returns what a model is suited for; undefined if that is not known. */
export function strengthOf({ id, goodFor }: ModelListing): ModelStrength | undefined {
  return goodFor ?? [...GENERAL, ...EARLIER].find(([name]) => id.startsWith(`${name}-q`))?.[1];
}

const GIB = 2 ** 30;

/** Maximum memory in bytes of a fast or a balanced model on any device. */
const LIMITS = { fast: 1.5 * GIB, balanced: 4 * GIB } as const;

/** Suggests at most three models, each for a different purpose. All of them suit the device. */
export function suggestModels(models: readonly ModelListing[], device: Device): readonly Suggestion[] {
  const onGraphics = isProcessorFaster(device.gpu) ? [] : suggestForGraphics(models, device);
  if (onGraphics.length > 0) return onGraphics;
  const onProcessor = suggestForProcessor(models, device);
  return onProcessor.length > 0 ? onProcessor : smallestThatSuits(models, device);
}

/** Suggests the smallest chat model of all, if it suits the device: small models know little. */
function smallestThatSuits(models: readonly ModelListing[], device: Device): readonly Suggestion[] {
  const [model] = models
    .filter((model) => !model.embedding && model.continues !== true && !isBuiltIn(model.id))
    .filter((model) => judgeModel(model, device) === 'suits')
    .toSorted((one, other) => (one.downloadBytes ?? Infinity) - (other.downloadBytes ?? Infinity));
  return model === undefined ? [] : [{ role: 'best', model, strength: strengthOf(model) ?? 'short' }];
}

/** Suggests packages for WebLLM. */
function suggestForGraphics(models: readonly ModelListing[], device: Device): readonly Suggestion[] {
  const budget = memoryBudget(device);
  const candidates = GENERAL.flatMap(([name, strength]) => {
    const model = variantFor(name, models, device);
    return model === undefined ? [] : [{ model, strength }];
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
  const quick = candidates.filter(({ model }) => isQuick(model, device, true));
  const balanced = within(quick, limit, best) ?? within(candidates, limit, best);
  const fast = within(candidates, Math.min(budget / 4, LIMITS.fast), best, balanced);
  const chosen = { fast, balanced, best };
  return ROLES.flatMap((role) => {
    const candidate = chosen[role];
    return candidate === undefined ? [] : [{ role, ...candidate }];
  });
}

function rank({ state, memoryBytes }: ModelListing): number {
  return state.kind === 'present' ? 0 : (memoryBytes ?? Infinity);
}

/**
 * Returns the smallest variant of a model that suits the device; a downloaded variant is preferred. Variants with a short
 * context window, whose ids do not end in `-MLC`, are excluded.
 */
function variantFor(name: string, models: readonly ModelListing[], device: Device): ModelListing | undefined {
  const variants = models.filter(
    (model) => model.id.startsWith(`${name}-q`) && model.id.endsWith('-MLC') && judgeModel(model, device) === 'suits',
  );
  return variants.toSorted((one, other) => rank(one) - rank(other))[0];
}
