/** What stands in the field that an event came from. */
export function fieldValue({ target }: Event): string {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  return isField ? target.value : '';
}
