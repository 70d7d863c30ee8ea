/** Whether two lists hold different objects or another order. Usable as Lit's `hasChanged`. */
export function listsDiffer(now: readonly unknown[], before: readonly unknown[] | undefined): boolean {
  return now.length !== before?.length || now.some((thing, index) => thing !== before[index]);
}
