/**
 * Splits a text into words: white space, and marks between cells and before items, separate them. Brackets around a
 * word do not count.
 */
export function wordsOf(text: string): readonly string[] {
  return text
    .replace(/(?<=^|\n)[ \t]*(?:[-•*·|]|#{1,6}) /g, ' ')
    .split(/\s+|(?<=\s)\|(?=\s)/)
    .map((word) => word.replace(/^\[|\]$/g, ''))
    .filter((word) => word !== '' && word !== '|');
}

/** Returns the length of the longest common subsequence of two lists of words. */
export function commonSubsequence(one: readonly string[], other: readonly string[]): number {
  let row = Array.from<number>({ length: other.length + 1 }).fill(0);
  for (const word of one) {
    const next = [0];
    for (const [index, candidate] of other.entries()) {
      next.push(word === candidate ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    }
    row = next;
  }
  return row.at(-1)!;
}

/** Returns the share of words of `expected` that `found` has, each as often as it is expected. */
export function shareOfWords(expected: readonly string[], found: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  const present = expected.filter((word) => {
    const count = counts.get(word) ?? 0;
    counts.set(word, count - 1);
    return count > 0;
  });
  return present.length / expected.length;
}
