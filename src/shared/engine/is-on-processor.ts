/**
 * Whether the CPU runs the loaded chat model.
 * @param place See `Engine.place` and the status of a page.
 */
export function isOnProcessor(place: string | undefined): boolean {
  return place?.includes('; cpu') ?? false;
}
