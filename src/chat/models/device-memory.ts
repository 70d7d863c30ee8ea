/** Main memory in bytes; null if the browser hides it. */
export function deviceMemory(): number | null {
  const { deviceMemory } = navigator as Navigator & { readonly deviceMemory?: number };
  return deviceMemory === undefined ? null : deviceMemory * 2 ** 30;
}
