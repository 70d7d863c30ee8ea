/**
 * Replaces `localStorage` and `sessionStorage` by storages in memory where the browser denies them, as it does if the
 * person blocks this site's data. Reading a value would throw there, and no part of the page would appear. What is
 * written is kept until the page is closed.
 */
export function replaceDeniedStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      void globalThis[name].length;
    } catch {
      Object.defineProperty(globalThis, name, { value: new MemoryStorage(), configurable: true });
    }
  }
}

class MemoryStorage implements Storage {
  readonly #values = new Map<string, string>();

  get length(): number {
    return this.#values.size;
  }

  key(index: number): string | null {
    return [...this.#values.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#values.set(key, value);
  }

  removeItem(key: string): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }
}
