/** Random numbers that are the same for the same seed (generator mulberry32). */
export class SeededRandom {
  readonly #seed: number;
  #state: number;

  /** @param seed An integer, of which the lowest 32 bits are used. */
  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  /** Returns an independent generator, so that one part of a run does not change the numbers of another. */
  fork(name: string): SeededRandom {
    // FNV-1a hash of the name, starting with the seed.
    let hash = 2_166_136_261 ^ this.#seed;
    for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
    return new SeededRandom(hash);
  }

  /** Returns a number from 0 to less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `lowest` to `highest`, both included. */
  integer(lowest: number, highest: number): number {
    return lowest + Math.floor(this.next() * (highest - lowest + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns one of the items, with a probability proportional to its weight. Default: all are equally likely. */
  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[], weight: (item: Item) => number = () => 1): Item {
    let rest = this.next() * items.reduce((sum, item) => sum + weight(item), 0);
    const found = items.find((item) => (rest -= weight(item)) < 0) ?? items.at(-1);
    if (found === undefined) throw new RangeError('There is nothing to pick from.');
    return found;
  }
}
