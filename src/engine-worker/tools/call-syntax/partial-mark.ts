/** Returns the length of the longest suffix of `text` that is an incomplete beginning of one of `marks`. */
export function partialMarkLength(text: string, marks: readonly string[]): number {
  const longest = Math.max(0, ...marks.map(({ length }) => length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (marks.some((mark) => mark.length > length && mark.startsWith(end))) return length;
  }
  return 0;
}
