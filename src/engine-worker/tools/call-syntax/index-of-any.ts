/** Returns where the first of some marks is in a text, at `from` or later; -1 if there is none. */
export function indexOfAny(text: string, marks: readonly string[], from = 0): number {
  const places = marks.map((mark) => text.indexOf(mark, from)).filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}
