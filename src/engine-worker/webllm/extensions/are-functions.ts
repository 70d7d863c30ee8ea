/** Whether all of them are there to be called: WebLLM keeps its parts where it likes, and another version elsewhere. */
export function areFunctions(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'function');
}
