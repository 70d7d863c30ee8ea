import type { Tokens } from 'marked';

const numbers = new WeakMap<Tokens.ListItem, number>();

/**
 * Keeps the numbers of a list as they are written. Markdown counts on from the first one, so that a countdown would count
 * up, and answers to the tasks 3, 7 and 12 would be numbered 3, 4 and 5. A list that repeats a number is counted.
 */
export function numberItems({ ordered, items }: Tokens.List): void {
  if (!ordered) return;
  const written = items.map(({ raw }) => Number(/^\s*(\d{1,9})/.exec(raw)?.[1]));
  if (new Set(written).size < written.length) return;
  for (const [index, item] of items.entries()) {
    const number = written[index]!;
    if (index > 0 && number !== written[index - 1]! + 1) numbers.set(item, number);
  }
}

/** Returns the number of an item if it is not the one after that of the item before. */
export function numberOf(item: Tokens.ListItem): number | undefined {
  return numbers.get(item);
}
