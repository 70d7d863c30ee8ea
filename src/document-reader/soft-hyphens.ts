/**
 * Removes the places at which a long word may be divided. They are not shown within a line, and would divide the word for
 * a search and for a model.
 */
export function withoutSoftHyphens(text: string): string {
  return text.replaceAll('\u00ad', '');
}
