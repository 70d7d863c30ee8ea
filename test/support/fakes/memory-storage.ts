/** A `localStorage` or `sessionStorage`, because Node lacks them. As in browsers, its own properties are its entries. */
export class MemoryStorage {
  [key: string]: unknown;

  constructor(entries: Readonly<Record<string, string>> = {}) {
    Object.assign(this, entries);
  }

  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? (this[key] as string) : null;
  }

  setItem(key: string, value: string): void {
    this[key] = value;
  }

  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}
