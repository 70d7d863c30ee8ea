/** More columns than this are not looked at. */
const MOST_COLUMNS = 1000;

/** Which columns of an HTML table the cells of the rows above cover. */
export class SpannedColumns {
  /** For each column, how many further rows it is covered in. */
  #rows: number[] = [];
  #next = 0;

  /** Begins a part of the table. No cell reaches into the next part. */
  clear(): void {
    this.#rows = [];
  }

  /** Passes over the covered columns before the next cell of a row. @returns their number. */
  pass(): number {
    const first = this.#next;
    for (; (this.#rows[this.#next] ?? 0) > 0; this.#next += 1) this.#rows[this.#next]! -= 1;
    return this.#next - first;
  }

  /** Adds a cell to the row. */
  add(columns: number, rows: number): void {
    const end = this.#next + columns;
    if (rows > 1) for (let at = this.#next; at < Math.min(end, MOST_COLUMNS); at += 1) this.#rows[at] = rows - 1;
    this.#next = end;
  }

  endRow(): void {
    for (let at = this.#next; at < this.#rows.length; at += 1) this.#rows[at] = Math.max(0, (this.#rows[at] ?? 0) - 1);
    this.#next = 0;
  }
}
