/** Returns the value of the field that fired an event. */
export function fieldValue({ target }: Event): string {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  return isField ? target.value : '';
}
