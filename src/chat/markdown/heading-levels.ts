/**
 * Levels of the headings of one answer, as they follow one another: the first one is just below the name of the
 * conversation, and none is more than one level below the one before it, whatever the model began with or left out.
 */
export class HeadingLevels {
  /** Depths, as they were written, of the headings that what comes next stands under; the outermost first. */
  #open: readonly number[] = [];

  /** The level, from 2 to 6, of the next heading. @param depth Its number of `#`. */
  next(depth: number): number {
    this.#open = [...this.#open.filter((open) => open < depth), depth];
    return Math.min(this.#open.length + 1, 6);
  }

  /** Another one that goes on from here: for what is drawn before it is certain. */
  copy(): HeadingLevels {
    const levels = new HeadingLevels();
    levels.#open = this.#open;
    return levels;
  }
}
