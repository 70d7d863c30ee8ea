/** A set of Unicode code points without surrogates: sorted ranges that neither overlap nor touch, ends included. */
export type CharacterSet = readonly (readonly [from: number, to: number])[];

export const LAST_CODE_POINT = 0x10_ffff;

/** Surrogates are halves of UTF-16 pairs, not characters, so no set contains them. */
const SURROGATES: readonly [number, number] = [0xd800, 0xdfff];

/** Every character. */
export const ANY_CHARACTER: CharacterSet = [
  [0, SURROGATES[0] - 1],
  [SURROGATES[1] + 1, LAST_CODE_POINT],
];

export function characterSet(ranges: readonly (readonly [number, number])[]): CharacterSet {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return intersection(merged, ANY_CHARACTER);
}

const TEXTS = new WeakMap<CharacterSet, string>();

/** Returns a text that names a set, the same for equal sets. */
export function setName(set: CharacterSet): string {
  const name = TEXTS.get(set) ?? set.join(';');
  TEXTS.set(set, name);
  return name;
}

export function charactersOf(text: string): CharacterSet {
  return characterSet(Array.from(text, (character) => [character.codePointAt(0)!, character.codePointAt(0)!] as const));
}

export function union(...sets: readonly CharacterSet[]): CharacterSet {
  return characterSet(sets.flat());
}

export function intersection(one: CharacterSet, other: CharacterSet): CharacterSet {
  const common: [number, number][] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const from = Math.max(one[i]![0], other[j]![0]);
    const to = Math.min(one[i]![1], other[j]![1]);
    if (from <= to) common.push([from, to]);
    if (one[i]![1] < other[j]![1]) i++;
    else j++;
  }
  return common;
}

export function complement(set: CharacterSet): CharacterSet {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST_CODE_POINT) gaps.push([next, LAST_CODE_POINT]);
  return intersection(gaps, ANY_CHARACTER);
}

export function includes(set: CharacterSet, codePoint: number): boolean {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (set[middle]![1] < codePoint) low = middle + 1;
    else high = middle;
  }
  return low < set.length && set[low]![0] <= codePoint;
}
