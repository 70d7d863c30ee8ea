/**
 * Web Locks in memory, for Node, which has none yet. Exclusive and shared requests, first come first
 * served; `signal` and `ifAvailable` as in the standard.
 */
export class MemoryLocks {
  readonly #held = new Map<string, { mode: LockMode; holders: number }>();
  readonly #waiting = new Map<string, (() => boolean)[]>();

  async request<Result>(
    name: string,
    ...rest: [LockOptions, (lock: { name: string } | null) => Result] | [(lock: { name: string } | null) => Result]
  ): Promise<Awaited<Result>> {
    const callback = rest.at(-1) as (lock: { name: string } | null) => Result;
    const { mode = 'exclusive', signal, ifAvailable = false } = rest.length === 2 ? rest[0] : {};
    signal?.throwIfAborted();
    if (ifAvailable && !this.#free(name, mode)) return await callback(null);
    await new Promise<void>((resolve, reject) => {
      const take = () => {
        if (signal?.aborted) return true;
        if (!this.#free(name, mode)) return false;
        const held = this.#held.get(name);
        this.#held.set(name, { mode, holders: (held?.holders ?? 0) + 1 });
        resolve();
        return true;
      };
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      const waiting = this.#waiting.get(name) ?? [];
      if (waiting.length > 0 || !take()) this.#waiting.set(name, [...waiting, take]);
    });
    try {
      return await callback({ name });
    } finally {
      const held = this.#held.get(name)!;
      held.holders--;
      if (held.holders === 0) this.#held.delete(name);
      const waiting = this.#waiting.get(name) ?? [];
      while (waiting[0]?.()) waiting.shift();
      this.#waiting.set(name, waiting);
    }
  }

  async query(): Promise<{ held: { name: string }[] }> {
    return { held: [...this.#held.keys()].map((name) => ({ name })) };
  }

  #free(name: string, mode: LockMode): boolean {
    const held = this.#held.get(name);
    return !held || (mode === 'shared' && held.mode === 'shared');
  }
}
