/**
 * Length of the longest end of `text` with which one of `markers` may begin without being complete: what
 * must be held back until more has come.
 */
export function possibleStartLength(text: string, markers: readonly string[]): number {
  const longest = Math.max(0, ...markers.map(({ length }) => length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (markers.some((marker) => marker.length > length && marker.startsWith(end))) return length;
  }
  return 0;
}
