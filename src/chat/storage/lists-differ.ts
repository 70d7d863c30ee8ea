/** Whether two lists have different objects or a different order. Can be used as Lit's `hasChanged`. */
export function listsDiffer(now: readonly unknown[], before: readonly unknown[] | undefined): boolean {
  return now.length !== before?.length || now.some((thing, index) => thing !== before[index]);
}
