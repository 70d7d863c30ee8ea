/** More columns than this are not looked at. */
const MOST_COLUMNS = 1000;

/** Which columns of an HTML table the cells of the rows above cover. */
export class SpannedColumns {
  /** For each column, the number of the next row in which it is not covered. */
  #ends: number[] = [];
  #row = 0;
  #next = 0;

  /** Begins a part of the table. No cell reaches into the next part. */
  clear(): void {
    this.#ends = [];
  }

  /** Passes over the covered columns before the next cell of a row. @returns their number. */
  pass(): number {
    const first = this.#next;
    while ((this.#ends[this.#next] ?? 0) > this.#row) this.#next += 1;
    return this.#next - first;
  }

  /** Adds a cell to the row. */
  add(columns: number, rows: number): void {
    const end = this.#next + columns;
    if (rows > 1)
      for (let at = this.#next; at < Math.min(end, MOST_COLUMNS); at += 1) this.#ends[at] = this.#row + rows;
    this.#next = end;
  }

  endRow(): void {
    this.#row += 1;
    this.#next = 0;
  }
}
