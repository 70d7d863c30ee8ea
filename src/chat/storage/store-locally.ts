/**
 * Writes a value to localStorage that the page can do without.
 * @returns False if there is no room for it.
 */
export function storeLocally(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
