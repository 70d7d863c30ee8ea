/** Which columns of an OpenDocument table are hidden, and at which of them a row is being read. */
export class TableColumns {
  /** First column, and the one after the last, of each hidden run. */
  readonly #hidden: (readonly [first: number, end: number])[] = [];
  #count = 0;
  #next = 0;

  /** Adds columns, in their order. */
  add(count: number, isHidden: boolean): void {
    if (isHidden) this.#hidden.push([this.#count, this.#count + count]);
    this.#count += count;
  }

  startRow(): void {
    this.#next = 0;
  }

  /** Goes on by a number of cells of the row. @returns how many of them are in hidden columns. */
  hiddenCells(count: number): number {
    const [start, end] = [this.#next, this.#next + count];
    this.#next = end;
    return this.#hidden.reduce(
      (sum, [first, last]) => sum + Math.max(0, Math.min(end, last) - Math.max(start, first)),
      0,
    );
  }
}
