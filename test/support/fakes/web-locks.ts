import { runInNewContext } from 'node:vm';

interface Holder {
  readonly mode: LockMode;
  /** Steals the lock: the request rejects, even if its callback is still running. */
  readonly rob: () => void;
}

/**
 * Web Locks in memory, because Node lacks them. Exclusive and shared requests in order; `signal`, `ifAvailable` and
 * `steal` as in the standard.
 */
export class MemoryLocks {
  /** What a request rejects with whose lock is stolen. Default: a `DOMException` of this realm. */
  stolen: () => unknown = () => new DOMException('The lock was stolen.', 'AbortError');
  readonly #held = new Map<string, Set<Holder>>();
  readonly #waiting = new Map<string, { readonly mode: LockMode; readonly take: () => boolean }[]>();

  async request<Result>(
    name: string,
    ...rest: [LockOptions, (lock: { name: string } | null) => Result] | [(lock: { name: string } | null) => Result]
  ): Promise<Awaited<Result>> {
    const callback = rest.at(-1) as (lock: { name: string } | null) => Result;
    const { mode = 'exclusive', signal, ifAvailable = false, steal = false } = rest.length === 2 ? rest[0] : {};
    signal?.throwIfAborted();
    const isNext = !this.#waiting.get(name)?.length && this.#isFree(name, mode);
    if (ifAvailable && !isNext) return await callback(null);
    const robbed = new AbortController();
    const holder: Holder = { mode, rob: () => robbed.abort(this.stolen()) };
    const hold = () => this.#held.set(name, (this.#held.get(name) ?? new Set()).add(holder));
    if (steal) {
      for (const { rob } of this.#held.get(name) ?? []) rob();
      this.#held.delete(name);
      hold();
    } else {
      await new Promise<void>((resolve, reject) => {
        const take = () => {
          if (signal?.aborted) return true;
          if (!this.#isFree(name, mode)) return false;
          hold();
          resolve();
          return true;
        };
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        const waiting = this.#waiting.get(name) ?? [];
        if (waiting.length > 0 || !take()) this.#waiting.set(name, [...waiting, { mode, take }]);
      });
    }
    try {
      return await Promise.race([
        callback({ name }),
        new Promise<never>((_, reject) =>
          robbed.signal.addEventListener('abort', () => reject(robbed.signal.reason as Error), { once: true }),
        ),
      ]);
    } finally {
      if (!robbed.signal.aborted) this.#release(name, holder);
    }
  }

  async query(): Promise<Record<'held' | 'pending', { name: string; mode: LockMode }[]>> {
    return { held: list(this.#held), pending: list(this.#waiting) };
  }

  #isFree(name: string, mode: LockMode): boolean {
    return [...(this.#held.get(name) ?? [])].every((holder) => mode === 'shared' && holder.mode === 'shared');
  }

  #release(name: string, holder: Holder): void {
    const holders = this.#held.get(name)!;
    holders.delete(holder);
    if (holders.size === 0) this.#held.delete(name);
    const waiting = this.#waiting.get(name) ?? [];
    while (waiting[0]?.take()) waiting.shift();
    this.#waiting.set(name, waiting);
  }
}

function list(locks: ReadonlyMap<string, Iterable<{ readonly mode: LockMode }>>) {
  return [...locks].flatMap(([name, requests]) => [...requests].map(({ mode }) => ({ name, mode })));
}

/** What the lock manager of a frame rejects with: an error that is no instance of this window's classes. */
export function stolenInFrame(): unknown {
  return runInNewContext("Object.assign(new Error('The lock was stolen.'), { name: 'AbortError' })");
}
