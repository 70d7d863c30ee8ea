/** Characters from which on a text that is inserted at once becomes a file: a field with such texts is hard to use. */
const LONG_TEXT = 5000;

/** Maximum characters of a text that goes into the field if the user wants it there. More would block the page. */
export const MAX_IN_FIELD = 100_000;

/** Returns the text that is pasted or dropped if it is so long that it becomes a file; otherwise null. */
export function longTextOf(data: DataTransfer | null): string | null {
  const text = data?.getData('text/plain') ?? '';
  return text.length >= LONG_TEXT ? text : null;
}

/**
 * Takes a long text that was inserted at once, by a script or an extension, out of a text field again.
 * @param before Value of the field before the insertion.
 * @returns The text; null if none so long was inserted, and the field is unchanged.
 */
export function takeLongInsertion(field: HTMLTextAreaElement, before: string): string | null {
  const { value } = field;
  const grown = value.length - before.length;
  if (grown < LONG_TEXT) return null;
  let start = 0;
  while (start < before.length && before[start] === value[start]) start++;
  let end = before.length;
  while (end > start && before[end - 1] === value[end - 1 + grown]) end--;
  field.value = before;
  // What the insertion has replaced stays selected.
  field.setSelectionRange(start, end);
  return value.slice(start, end + grown);
}
