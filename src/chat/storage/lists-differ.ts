/** Whether two lists hold other objects, or in another order; also for Lit's `hasChanged`. */
export function listsDiffer(now: readonly unknown[], before: readonly unknown[] | undefined): boolean {
  return now.length !== before?.length || now.some((thing, index) => thing !== before[index]);
}
