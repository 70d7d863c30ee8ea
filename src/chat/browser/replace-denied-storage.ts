/**
 * Replaces what the browser denies if the person blocks this site's data: `localStorage` and `sessionStorage` by
 * storages in memory, and `BroadcastChannel` by one that reaches no other tab. Their use would throw there, and no part
 * of the page would appear. What is written is kept until the page is closed.
 */
export function replaceDeniedStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'] as const)
    replaceIfDenied(name, () => globalThis[name].length, memoryStorage);
  replaceIfDenied('BroadcastChannel', () => new BroadcastChannel('tabserve').close(), silentChannel);
}

function replaceIfDenied(name: string, use: () => unknown, substitute: () => unknown): void {
  try {
    use();
  } catch {
    Object.defineProperty(globalThis, name, { value: substitute(), configurable: true });
  }
}

function silentChannel() {
  return class extends EventTarget {
    postMessage() {}
    close() {}
  };
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
