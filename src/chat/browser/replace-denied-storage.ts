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
      Object.defineProperty(globalThis, name, { value: memoryStorage(), configurable: true });
    }
  }
}

function memoryStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}
