import { countedSteps, countSteps } from './step-limit.ts';

/** The steps that several computations, such as those for all schemas of a request, may take together. */
interface Budget {
  left: number;
  /** The keys of the cached results that have been paid. */
  readonly paid: Set<string>;
}

/** The budget of the running computation; null outside {@link withBudget}. */
let current: Budget | null = null;

/** A computation may take this many steps even if its budget is used up: less than a thousandth of a second. */
const LEAST_STEPS = 100_000;

/** Runs a computation whose parts call {@link withinBudget}; together they may take `steps` steps. */
export function withBudget<Result>(steps: number, compute: () => Result): Result {
  const around = current;
  current = { left: steps, paid: new Set() };
  try {
    return compute();
  } finally {
    current = around;
  }
}

/**
 * Runs a computation with a limit of steps, and takes its steps from the budget.
 * @param least The steps that the computation may take even if the budget is used up. Default: {@link LEAST_STEPS}.
 * @returns null if it took too many steps.
 */
export function withinBudget<Result>(
  most: number,
  compute: () => Result,
  least = LEAST_STEPS,
): { readonly value: Result } | null {
  const { result, steps } = countedSteps(allowed(most, least), compute);
  pay(steps);
  return result;
}

/** Whether the computations have taken all steps that they may take together. */
export function isBudgetUsedUp(): boolean {
  return current?.left === 0;
}

function allowed(most: number, least: number): number {
  return current === null ? most : Math.min(most, Math.max(least, current.left));
}

function pay(steps: number): void {
  if (current !== null) current.left = Math.max(0, current.left - steps);
}

/** Limit of the characters of keys, and of what the results take in characters, that a cache holds: some 20 MB. */
const MAX_SIZE = 10_000_000;

/**
 * Cache of results that cost steps; the most recently used is the last. A budget pays for a result once, also if another
 * computation has cached it, so that a request is treated the same whatever came before it.
 */
export class BudgetedCache<Result> {
  readonly #kind: string;
  readonly #sizeOf: (result: Result) => number;
  readonly #known = new Map<string, { readonly value: Result | null; readonly steps: number; readonly size: number }>();
  #size = 0;

  /** @param sizeOf Returns how much memory a result takes, compared with a character. */
  constructor(kind: string, sizeOf: (result: Result) => number) {
    this.#kind = kind;
    this.#sizeOf = sizeOf;
  }

  /**
   * Returns the result for a key; null if it takes more than `most` steps, or more than the budget has left.
   * @param compute Must depend on the key only.
   */
  get(key: string, most: number, compute: () => Result): Result | null {
    countSteps(key.length);
    const name = `${this.#kind} ${key}`;
    const isPaid = current?.paid.has(name) ?? false;
    const limit = isPaid ? most : allowed(most, LEAST_STEPS);
    const known = this.#known.get(key) ?? this.#compute(key, most, limit, compute);
    if (!isPaid) pay(Math.min(limit, known.steps));
    if (known.steps > limit) return null;
    current?.paid.add(name);
    // A result that is larger than the cache is not in it.
    if (this.#known.delete(key)) this.#known.set(key, known);
    return known.value;
  }

  #compute(key: string, most: number, limit: number, compute: () => Result) {
    const { result, steps } = countedSteps(limit, compute);
    if (result === null && limit < most) return { value: null, steps: Infinity, size: 0 };
    const size = key.length + (result === null ? 0 : this.#sizeOf(result.value));
    const made = { value: result?.value ?? null, steps, size };
    this.#known.set(key, made);
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#known) {
      if (this.#size <= MAX_SIZE) break;
      this.#known.delete(oldest);
      this.#size -= freed;
    }
    return made;
  }
}
