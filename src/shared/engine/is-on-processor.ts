/**
 * Whether the CPU runs the loaded chat model.
 * @param place A value of `Engine.place`, such as `llama.cpp; cpu; threads=2`.
 */
export function isOnProcessor(place: string | undefined): boolean {
  return place?.includes('; cpu') ?? false;
}
