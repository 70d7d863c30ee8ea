/**
 * Assigns the heading levels of one answer. The first is just below the conversation's title, and none is more than one
 * level below its predecessor.
 */
export class HeadingLevels {
  /** Depths (numbers of `#`) of the enclosing headings, outermost first. */
  #open: readonly number[] = [];

  /** Returns the level, from 2 to 6, of the next heading, whose source has `depth` characters `#`. */
  next(depth: number): number {
    this.#open = [...this.#open.filter((open) => open < depth), depth];
    return Math.min(this.#open.length + 1, 6);
  }

  /** Returns a copy for a block that is rendered repeatedly. */
  copy(): HeadingLevels {
    const levels = new HeadingLevels();
    levels.#open = this.#open;
    return levels;
  }
}
