/**
 * Splits Server-Sent Events (HTML standard) into blocks, each the lines before a blank line. A block keeps its comments, ids
 * and unknown fields, so that it can be passed on unchanged; parsers that return events drop these.
 */
export class EventStreamParser {
  /** Chunks since the last blank line. They are joined once, so that a long line costs no more than its length. */
  #pending: string[] = [];
  /** The end of the last chunk: a blank line may be split between two chunks. */
  #tail = '';

  /** Text after the last blank line: a block that is not complete yet. */
  get rest(): string {
    return this.#pending.join('').replaceAll('\r\n', '\n');
  }

  /** Characters of {@link rest}. A caller that reads from a server limits them. */
  get restLength(): number {
    return this.#pending.reduce((sum, { length }) => sum + length, 0);
  }

  /** Adds text. Returns the blocks that it completes, without the blank line and with line feeds only. */
  push(text: string): string[] {
    this.#pending.push(text);
    const seam = this.#tail + text;
    this.#tail = seam.slice(-3);
    if (!/\n\r?\n/.test(seam)) return [];
    const all = this.rest;
    const end = all.lastIndexOf('\n\n');
    const rest = all.slice(end + 2);
    this.#pending = [rest];
    this.#tail = rest.slice(-3);
    return all.slice(0, end).split('\n\n');
  }
}

/** The values of one field of a block, such as `data`, in order. */
export function fieldValues(block: string, field: string): string[] {
  return block
    .split('\n')
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
}
