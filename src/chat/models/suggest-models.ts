import type { ModelListing } from '../../shared/models/model-management.ts';

/** General-purpose models, the most capable last. The second part is a key of `modelStrings.strengths`. */
const GENERAL = [
  ['SmolLM2-360M-Instruct', 'short'],
  ['Qwen3-0.6B', 'thinks'],
  ['Llama-3.2-1B-Instruct', 'texts'],
  ['Qwen3-1.7B', 'thinks'],
  ['gemma-2-2b-it', 'writes'],
  ['Llama-3.2-3B-Instruct', 'texts'],
  ['Qwen3-4B', 'reasons'],
  ['Qwen3-8B', 'reasons'],
] as const;

type Strength = (typeof GENERAL)[number][1];

export interface Suggestion {
  readonly role: 'fast' | 'balanced' | 'best';
  readonly model: ModelListing;
  readonly strength: Strength;
}

const GIB = 2 ** 30;

/** Main memory in bytes that is assumed if the browser hides it. */
const USUAL_MEMORY = 8 * GIB;

/** Maximum memory in bytes of a fast or a balanced model on any device. */
const LIMITS = { fast: 1.5 * GIB, balanced: 4 * GIB } as const;

/**
 * Suggests at most three models. A model's verdict covers the limits of the GPU and its number formats; this function
 * adds a limit on memory.
 * @param deviceMemory Main memory in bytes, rounded and capped by the browser; null if it is hidden.
 */
export function suggestModels(models: readonly ModelListing[], deviceMemory: number | null): readonly Suggestion[] {
  const memory = deviceMemory ?? USUAL_MEMORY;
  // On small devices, mostly phones, the GPU shares the memory with everything else.
  const budget = memory * (memory <= 4 * GIB ? 0.4 : 0.5);
  const candidates = GENERAL.flatMap(([name, strength]) => {
    const model = variantFor(name, models, budget);
    return model === undefined ? [] : [{ model, strength }];
  });
  const within = (limit: number) => candidates.findLast(({ model }) => (model.memoryBytes ?? Infinity) <= limit);
  const fast = within(Math.min(budget / 4, LIMITS.fast)) ?? candidates[0];
  const balanced = within(Math.min(budget * 0.6, LIMITS.balanced));
  const best = candidates.at(-1);
  const chosen = [
    { role: 'fast', candidate: fast },
    { role: 'balanced', candidate: balanced },
    { role: 'best', candidate: best },
  ] as const;
  return chosen.flatMap(({ role, candidate }, index) => {
    const isRepeated = chosen.slice(0, index).some((earlier) => earlier.candidate === candidate);
    return candidate === undefined || isRepeated ? [] : [{ role, ...candidate }];
  });
}

function rank({ state, memoryBytes }: ModelListing): number {
  return state.kind === 'present' ? 0 : (memoryBytes ?? Infinity);
}

/**
 * The smallest variant of a model that runs within the budget; a downloaded one wins. Variants with a short context
 * window, whose ids do not end in `-MLC`, are excluded.
 */
function variantFor(name: string, models: readonly ModelListing[], budget: number): ModelListing | undefined {
  const variants = models.filter(
    ({ id, fit, memoryBytes }) =>
      id.startsWith(`${name}-q`) && id.endsWith('-MLC') && fit.verdict === 'yes' && (memoryBytes ?? Infinity) <= budget,
  );
  return variants.toSorted((one, other) => rank(one) - rank(other))[0];
}
